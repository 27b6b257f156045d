import type { BuildContext, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import {
  type BuildManifest,
  type BuildRequest,
  type BuildUnit,
  type BuildWhat,
  describeBuild,
  requireSoundBuild,
} from "../builds/index.ts";
import { countGraphChunks, type GraphChunk, graphChunks } from "../graph-chunks/index.ts";
import type { GraphRecipe } from "./recipe.ts";

const CONCURRENCY = 8;

export interface ChunkUnit extends BuildUnit {
  chunk: GraphChunk;
}

/** Identity of the extraction. */
export function extractionWhat<R>(
  recipe: GraphRecipe<R>,
  { corpus, chunks }: SharedResources,
  model: ChatModel,
): BuildWhat {
  const { kind, prompts, version, parameters, chunking } = recipe;
  return describeBuild({
    kind: `${kind}.extraction`,
    corpus: corpus.summary.hash,
    model,
    prompts,
    parameters: {
      ...parameters,
      version,
      chunking,
      ...(chunking === "shared512" && { chunks: chunks.fingerprint }),
    },
  });
}

/** The extraction as a build: one unit a chunk, in the folder that the method was given. */
export function extractionRequest<R>(
  recipe: GraphRecipe<R>,
  context: BuildContext,
): BuildRequest<ChunkUnit, R> {
  const total = countGraphChunks(recipe.chunking, context);
  return {
    ...buildRun(context, "chunks"),
    folder: context.folder,
    what: extractionWhat(recipe, context, context.model),
    model: context.model,
    unit: "chunk",
    total,
    *units() {
      for (const chunk of graphChunks(recipe.chunking, context)) {
        yield { key: chunk.id, size: chunk.text.length, text: () => chunk.text, chunk };
      }
    },
    process: ({ chunk }, { model }) => recipe.extract(chunk, model),
  };
}

/** How a method's builds are run, from what the method was given. */
export function buildRun(context: BuildContext, unit: string) {
  const { signal, progress, concurrency = CONCURRENCY } = context;
  return {
    concurrency,
    signal,
    onProgress: ({ done, kept, total }: { done: number; kept: number; total: number }) =>
      progress(done + kept, total + kept, unit),
  };
}

/** Goes on only with a build that may be used. */
export function requireUsable(manifest: BuildManifest, { signal, force }: BuildContext): void {
  signal.throwIfAborted();
  requireSoundBuild(manifest, { force: force === true });
}
