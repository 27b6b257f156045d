import { corpusMetadata } from "../../core/corpus/corpus-metadata.ts";
import type { Json } from "../../core/json.ts";
import type { SharedResources } from "../../core/method.ts";
import { type LoadedDataset, loadDataset, loadDocuments } from "../../datasets/load.ts";
import { type OpenedEmbedder, openEmbedder } from "../../models/embeddings/open-embedder.ts";
import { duration, integer } from "../../reports/table/format.ts";
import { type OpenedIndex, openIndex } from "../../retrievers/index-builder.ts";
import type { IndexProgress } from "../../retrievers/index-progress.ts";
import { tokenizerFor } from "../../retrievers/tokenizer/tokenizer-for.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { dataFolder, homeFolder } from "../options.ts";
import { progressLine } from "../progress.ts";
import type { Builder } from "./builds.ts";
import { keysOf } from "./gateway.ts";

/** One data set, loaded and indexed, with what all methods share. */
export interface OpenedDataset {
  name: string;
  loaded: LoadedDataset;
  index: OpenedIndex;
  shared: SharedResources;
  close(): Promise<void>;
}

export interface OpenedResources {
  datasets: readonly OpenedDataset[];
  /** The encoder is a stand-in without a semantic model. */
  offlineEmbeddings: boolean;
  close(): Promise<void>;
}

export interface OpenResourcesOptions {
  config: Config;
  /** `--data`. */
  data: string | undefined;
  /** A folder of documents, read in place of the config's one data set. */
  documents?: string;
  /** No request leaves the machine. */
  offline: boolean;
  /** Makes induced trees and node metadata where the config asks for them; absent = trees and titles as loaded. */
  builder?: Builder;
}

/** Loads and indexes every data set of a config, with progress on standard error. */
export async function openResources(
  io: Io,
  { config, data, documents, offline, builder }: OpenResourcesOptions,
): Promise<OpenedResources> {
  const embedder = await openConfigEmbedder(io, config.embeddings, offline);
  const opened: OpenedDataset[] = [];
  const close = async (): Promise<void> => {
    for (const dataset of opened) await dataset.close();
    await embedder.close();
  };
  try {
    for (const entry of datasetEntries(config)) {
      opened.push(await openDataset(io, { entry, config, data, documents, embedder, builder }));
    }
    return { datasets: opened, offlineEmbeddings: embedder.offline, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The data sets of a config in one shape. */
export function datasetEntries(config: Pick<Config, "datasets" | "metadata">): DatasetEntry[] {
  return config.datasets.map((entry) =>
    typeof entry === "string"
      ? { name: entry, options: {}, metadata: config.metadata }
      : {
          name: entry.name,
          options: entry.options as { [key: string]: Json },
          metadata: entry.metadata ?? config.metadata,
        },
  );
}

export interface DatasetEntry {
  name: string;
  options: { readonly [key: string]: Json };
  /** What its trees carry beside titles. */
  metadata: Config["metadata"];
}

interface OneDataset {
  entry: DatasetEntry;
  config: Config;
  data: string | undefined;
  documents: string | undefined;
  embedder: OpenedEmbedder;
  builder: Builder | undefined;
}

async function openDataset(io: Io, request: OneDataset): Promise<OpenedDataset> {
  const { entry, config, data, documents, embedder, builder } = request;
  const { name, options } = entry;
  const line = progressLine(io);
  const how = {
    home: homeFolder(io),
    signal: io.signal,
    progress: (message: string) => line.update(`${name}: ${message}`),
  };
  const loaded = await (documents === undefined
    ? loadDataset(name, { ...how, dataFolder: dataFolder(io, data), options })
    : loadDocuments(documents, how));
  line.finish();
  const corpus =
    config.builds.structure === "induced" && builder !== undefined
      ? await builder.structure(loaded.corpus)
      : loaded.corpus;
  const { chunk, bm25, kappa, hnswAboveChunks } = config.retrieval;
  const index = await openIndex({
    corpus,
    home: homeFolder(io),
    tokenizer: tokenizerFor(embedder),
    embedder: embedder.embedder,
    chunks: {
      maxTokens: chunk.maxTokens,
      overlapTokens: chunk.overlap,
      snap: chunk.sentences ? "sentence" : "none",
    },
    indexedText: chunk.prefixPath ? "path" : "body",
    bm25: {
      parameters: { k1: bm25.k1, b: bm25.b },
      analyzer: definedFields(bm25.analyzer),
    },
    kappa,
    hnswAboveChunks,
    signal: io.signal,
    progress: (progress) => line.update(`${name}: ${describeIndexing(progress)}`),
  });
  line.finish();
  const built =
    entry.metadata === "build" && builder !== undefined
      ? await builder.metadata(corpus)
      : undefined;
  const shared: SharedResources = {
    corpus,
    chunks: index.chunks,
    retriever: index.retriever,
    embedder: embedder.embedder,
    metadata: built ?? corpusMetadata(corpus),
  };
  const close = async (): Promise<void> => {
    await built?.close();
    index.close();
    if (corpus !== loaded.corpus) corpus.close();
    loaded.corpus.close();
  };
  return { name, loaded, index, shared, close };
}

/** The embedder a config names. */
export function openConfigEmbedder(
  io: Io,
  spec: string,
  offline: boolean,
): Promise<OpenedEmbedder> {
  const keys = keysOf(io);
  const line = progressLine(io);
  return openEmbedder(spec, {
    home: homeFolder(io),
    offline,
    apiKey: spec.startsWith("openai-compatible:") ? keys["openai-compatible"] : keys.openai,
    signal: io.signal,
    progress: (message: string) => line.update(message),
  }).finally(() => line.finish());
}

function describeIndexing(progress: IndexProgress): string {
  const { part, unit, done, total, ratePerSecond, etaSeconds, waitingFor } = progress;
  if (waitingFor !== undefined) return `waiting for ${waitingFor}, which builds the ${part}`;
  return [
    `${part} ${integer(done)}/${integer(total)} ${unit}`,
    ratePerSecond === null ? "" : `${ratePerSecond.toFixed(1)}/s`,
    etaSeconds === null || done === total ? "" : `ETA ${duration(etaSeconds)}`,
  ]
    .filter((piece) => piece !== "")
    .join("  ");
}

/** The value without fields that are undefined, for callees with exact optional fields. */
function definedFields<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
