import { existsSync } from "node:fs";
import { join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { BuildContext, SharedResources } from "../../core/method.ts";
import { buildMark, runBuild } from "../builds/index.ts";
import { lockBuild } from "../builds/stage/lock.ts";
import { chunkIdsOf, createGraph, type Graph } from "../graph-store/graph.ts";
import { openTables } from "../graph-store/tables.ts";
import { openVectors, type VectorStore, writeVectors } from "../graph-store/vectors.ts";
import { assembleGraph, rowsOf } from "./assemble.ts";
import { extractionRequest, requireUsable } from "./extract.ts";
import type { GraphRecipe, GraphRecord } from "./recipe.ts";

export type {
  GraphRecipe,
  GraphRecord,
  Mention,
  SourcedMention,
  TableRecipe,
} from "./recipe.ts";

/** Raised when graphs are put together or embedded in another way. */
const VERSION = 1;

/**
 * Makes or opens a graph in `context.folder`: extraction chunk by chunk, merging, summaries of long descriptions,
 * vectors of the shared encoder. Every stage that is done is kept; calls are asked once, whatever kills the process.
 *
 * @throws RitbenchError E_BUILD_UNSOUND when more than 2% of the chunks or descriptions failed, E_BUILD_UNFINISHED
 * when a cap ended it; whatever `runBuild` throws
 */
export async function buildGraph<R>(recipe: GraphRecipe<R>, context: BuildContext): Promise<Graph> {
  const extraction = await runBuild(extractionRequest(recipe, context));
  try {
    requireUsable(extraction.manifest, context);
    const { fingerprint: extracted, counts } = extraction.manifest;
    // Failed chunks that are tried again later give another graph.
    const summarise = Object.entries(recipe.tables).map(([table, made]) => [table, made.summarise]);
    const name = fingerprint({ version: VERSION, extracted, counts, summarise });
    const folder = join(context.folder, `graph-${name}`);
    const lock = await lockBuild(context.folder, context.signal);
    try {
      if (!existsSync(folder)) await assembleGraph(recipe, extraction, folder, context);
      return await openGraph(recipe, folder, context, buildMark(extraction.manifest));
    } finally {
      lock.release();
    }
  } finally {
    await extraction.close();
  }
}

async function openGraph<R>(
  recipe: GraphRecipe<R>,
  folder: string,
  { embedder, signal, progress }: BuildContext,
  mark: string | undefined,
): Promise<Graph> {
  const tables = openTables(folder);
  const encoded = fingerprint({ embedder: embedder.fingerprint, texts: recipe.embedding });
  const vectors = new Map<string, VectorStore>();
  for (const [table, { embeddedText }] of Object.entries(recipe.tables)) {
    if (embeddedText === undefined) continue;
    const ids = [...tables.all<string>(rowsOf(table))].map(({ record }) => record);
    const place = join(folder, `vectors-${encoded}`, table);
    await writeVectors({
      folder: place,
      embedder,
      count: ids.length,
      *texts() {
        for (const id of ids) {
          const record = tables.get<GraphRecord>(table, id)!;
          yield embeddedText(record, chunkIdsOf(tables, record.sources as number[]))!;
        }
      },
      signal,
      progress: (done, total) => progress(done, total, `vectors of ${table}`),
    });
    vectors.set(table, openVectors(place, ids));
  }
  return createGraph({ tables, vectors, embedder, mark });
}

/** The graphs of one method, by corpus: made by `build`, used by `answer`. */
export interface GraphShelf {
  /** For `Method.buildFingerprint`: what is extracted. Graphs and vectors that differ share an extraction. */
  fingerprint(shared: SharedResources): Fingerprint;
  build(context: BuildContext): Promise<void>;
  /** @throws RitbenchError E_GRAPH_MISSING before `build` */
  graphOf(shared: Pick<SharedResources, "corpus">): Graph;
}

export function createGraphShelf<R>(recipe: GraphRecipe<R>): GraphShelf {
  const graphs = new Map<Fingerprint, Graph>();
  return {
    fingerprint({ chunks }) {
      const { kind, version, chunking, prompts, parameters } = recipe;
      return fingerprint({
        kind,
        version,
        chunking,
        ...(chunking === "shared512" && { chunks: chunks.fingerprint }),
        prompts: prompts.map(({ hash }) => hash),
        parameters,
      });
    },
    async build(context) {
      graphs.set(context.corpus.summary.hash, await buildGraph(recipe, context));
    },
    graphOf({ corpus }) {
      const graph = graphs.get(corpus.summary.hash);
      if (graph !== undefined) return graph;
      throw new RitbenchError("E_GRAPH_MISSING", `${recipe.kind} has no graph of this corpus`, {
        expected: "the method's build before its first question",
        next: "ritbench build <config>",
      });
    },
  };
}
