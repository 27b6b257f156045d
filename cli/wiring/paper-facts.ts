import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readColumn } from "../../core/corpus/columns.ts";
import { openCorpus } from "../../core/corpus/store.ts";
import { inputTokens, sumUsage } from "../../core/usage.ts";
import type { ModelCatalog } from "../../models/catalog.ts";
import { readBuildManifest } from "../../pipelines/builds/index.ts";
import type { BuildFacts, ChunkFacts, Facts } from "../../reports/paper/counts.ts";
import type { PaperValues } from "../../reports/paper/expected.ts";
import type { CorpusFacts } from "../../reports/paper/protocol.ts";
import { chunkFiles } from "../../retrievers/chunks/chunk-table.ts";

/** What the home folder holds beside runs: sizes of corpora and chunk tables, finished builds, shipped settings. */
export function paperFacts(home: string, values: PaperValues, catalog: ModelCatalog): Facts {
  const corpora = new Map<string, CorpusFacts>();
  const datasets = new Map<string, string>();
  for (const hash of foldersIn(join(home, "corpora"))) {
    const corpus = openOrSkip(join(home, "corpora", hash));
    if (corpus === undefined) continue;
    const { dataset, documentCount: documents, nodeCount: nodes, maxDepth } = corpus.summary;
    corpora.set(hash, { documents, nodes, maxDepth });
    datasets.set(hash, dataset);
    corpus.close();
  }
  return {
    corpora,
    chunks: chunkTables(join(home, "indexes")),
    builds: finishedBuilds(join(home, "builds"), datasets, catalog),
    models: Object.fromEntries(
      Object.entries(values.names.models).map(([key, { id }]) => [key, settingsOf(id, catalog)]),
    ),
  };
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => name)
    .sort();
}

/** A corpus that is being written, or was damaged, has no sizes to show. */
function openOrSkip(folder: string): ReturnType<typeof openCorpus> | undefined {
  try {
    return openCorpus(folder);
  } catch {
    return undefined;
  }
}

function chunkTables(folder: string): Map<string, ChunkFacts> {
  const tables = new Map<string, ChunkFacts>();
  for (const name of foldersIn(folder)) {
    const file = (column: string): string => join(folder, name, column);
    if (!existsSync(file(chunkFiles.summary))) continue;
    const tokens = readColumn(file(chunkFiles.tokens), Uint32Array);
    const nodes = readColumn(file(chunkFiles.nodes), Int32Array);
    const byNode = new Map<number, number>();
    let total = 0;
    for (const [chunk, count] of tokens.entries()) {
      total += count;
      byNode.set(nodes[chunk]!, (byNode.get(nodes[chunk]!) ?? 0) + count);
    }
    const sizes = Uint32Array.from(byNode.values()).sort();
    tables.set(name, {
      chunks: tokens.length,
      tokens: total,
      nodeTokensMean: sizes.length === 0 ? null : total / sizes.length,
      nodeTokensMedian: at(sizes, 0.5),
      nodeTokensP95: at(sizes, 0.95),
    });
  }
  return tables;
}

/** Nearest rank. */
function at(sorted: Uint32Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

/** Methods that a build serves, by the beginning of its kind. */
const BUILD_METHODS: readonly (readonly [kind: string, methods: readonly string[]])[] = [
  ["hypergraph-rag", ["hypergraph-rag"]],
  ["cog-rag", ["cog-rag"]],
  ["node-metadata", ["rit-rag", "page-index"]],
  ["structure", ["rit-rag", "page-index"]],
  ["wixqa-families", ["rit-rag", "page-index"]],
];

/** Finished builds summed by method and corpus, their tokens at the paper's Haiku price whatever model ran. */
function finishedBuilds(
  folder: string,
  datasets: ReadonlyMap<string, string>,
  catalog: ModelCatalog,
): BuildFacts[] {
  const price = catalog.priceOf("anthropic:claude-haiku-4-5");
  if (price === undefined) return [];
  const sums = new Map<string, BuildFacts>();
  const manifests = foldersIn(folder)
    .flatMap((name) => [
      join(folder, name),
      ...foldersIn(join(folder, name)).map((inner) => join(folder, name, inner)),
    ])
    .flatMap((path) => readBuildManifest(path) ?? []);
  for (const { what, status, offline, ledger, fingerprint } of manifests) {
    const dataset = datasets.get(what.corpus);
    if (dataset === undefined || status !== "finished") continue;
    const usage = sumUsage([ledger.live, ledger.replayed]);
    const haikuUsd =
      (inputTokens(usage) * price.inputUsdPerMTok + usage.outputTokens * price.outputUsdPerMTok) /
      1e6;
    const served = BUILD_METHODS.find(([kind]) => what.kind.startsWith(kind))?.[1] ?? [];
    for (const method of served) {
      const key = JSON.stringify([method, what.corpus, what.model.id]);
      const before = sums.get(key);
      sums.set(key, {
        method,
        dataset,
        corpus: what.corpus,
        haikuUsd: (before?.haikuUsd ?? 0) + haikuUsd,
        offline: offline || before?.offline === true,
        id: before === undefined ? fingerprint : `${before.id}, ${fingerprint}`,
      });
    }
  }
  return [...sums.values()];
}

/** Table 7's columns as the shipped models file has them. */
function settingsOf(id: string, catalog: ModelCatalog): { [setting: string]: number | undefined } {
  const entry = catalog.entries.find((one) => one.id === id);
  return {
    temperature: entry?.sampling?.temperature,
    topP: entry?.sampling?.topP,
    topK: entry?.sampling?.topK,
    minP: entry?.sampling?.minP,
    buildMaxTokens: entry?.roles?.build?.maxTokens,
    inputUsdPerMTok: entry?.price?.inputUsdPerMTok,
    outputUsdPerMTok: entry?.price?.outputUsdPerMTok,
  };
}
