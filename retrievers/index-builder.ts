import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { Corpus } from "../core/corpus/corpus.ts";
import { type Fingerprint, fingerprint } from "../core/fingerprint.ts";
import type { ChunkHandle } from "../core/ids.ts";
import type { Chunks, Retriever } from "../core/retriever.ts";
import type { CachedEmbedder } from "../models/embeddings/cached-embedder.ts";
import { type AnalyzerConfig, createAnalyzer, DEFAULT_ANALYZER } from "./analyzer/analyzer.ts";
import { type Bm25Index, bm25Fingerprint } from "./bm25/bm25-index.ts";
import { writeBm25 } from "./bm25/build.ts";
import { openBm25 } from "./bm25/index-file.ts";
import { type Bm25Parameters, DEFAULT_BM25 } from "./bm25/scoring.ts";
import { buildChunks, chunkFingerprint, effectiveCutOptions } from "./chunks/build-chunks.ts";
import { chunkFiles, openChunks } from "./chunks/chunk-table.ts";
import type { CutOptions } from "./chunks/cut.ts";
import { type IndexedText, indexedText } from "./chunks/indexed-text.ts";
import type { DenseIndex } from "./dense/dense-index.ts";
import { loadFlatIndex } from "./dense/flat-index.ts";
import { buildHnsw, hnswParameters, loadHnswModule, openHnswIndex } from "./dense/hnsw-index.ts";
import { openVectorFile, vectorFiles } from "./dense/vector-file.ts";
import { createHybridRetriever } from "./hybrid/hybrid-retriever.ts";
import { ensurePart, type IndexPart, type IndexPartName, openPart } from "./index-parts.ts";
import { type IndexProgress, plainProgress } from "./index-progress.ts";
import type { Tokenizer } from "./tokenizer/tokenizer.ts";
import { buildVectors } from "./vector-builder.ts";

export interface OpenIndexOptions {
  corpus: Corpus;
  /** `.ritbench` or RITBENCH_HOME; parts lie in `indexes/<fingerprint>/`. */
  home: string;
  tokenizer: Tokenizer;
  /** Absent = BM25 only. */
  embedder?: CachedEmbedder | undefined;
  chunks?: Partial<CutOptions> | undefined;
  indexedText?: IndexedText | undefined;
  /** `false` = dense only. */
  bm25?: { analyzer?: AnalyzerConfig; parameters?: Partial<Bm25Parameters> } | false | undefined;
  kappa?: number | undefined;
  /** Above this many chunks HNSW takes the place of exact search, where hnswlib-node is installed (A8). */
  hnswAboveChunks?: number | undefined;
  progress?: ((progress: IndexProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface OpenedIndex {
  chunks: Chunks;
  retriever: Retriever;
  fingerprints: {
    corpus: Fingerprint;
    chunks: Fingerprint;
    retriever: Fingerprint;
    bm25?: Fingerprint;
    vectors?: Fingerprint;
  };
  /** Kind and kernel of the dense half: `flat (wasm-simd)`, `hnsw (hnswlib)`. */
  dense?: string;
  parts: readonly IndexPart[];
  close(): void;
}

export const DEFAULT_HNSW_ABOVE_CHUNKS = 2_000_000;
const CHUNKS_A_TURN = 1000;

/**
 * Opens the index of a corpus, building what is missing: chunks, then BM25, then vectors (and HNSW above the
 * threshold). Every part is resumable or quick, atomic, and shared by processes that want the same.
 *
 * @throws RitbenchError E_INDEX_CORRUPT (a file was damaged), E_CHUNK_OPTIONS, E_BM25_PARAMETERS; what the embedder throws.
 */
export async function openIndex(options: OpenIndexOptions): Promise<OpenedIndex> {
  const { corpus, embedder, kappa } = options;
  const parts: IndexPart[] = [];
  const chunks = await openChunkPart(options, parts);
  const textOf = indexedText(corpus, chunks, options.indexedText ?? "body");
  const bm25 =
    options.bm25 === false ? undefined : await openBm25Part(options, chunks, textOf, parts);
  const index =
    embedder === undefined ? undefined : await openDense(options, embedder, chunks, textOf, parts);
  const identity = Object.fromEntries(parts.map((part) => [part.name, part.fingerprint]));
  const retriever = createHybridRetriever({
    corpus,
    chunks,
    bm25,
    dense: index === undefined || embedder === undefined ? undefined : { index, embedder },
    kappa,
    identity,
  });
  const of = (name: IndexPartName) => parts.find((part) => part.name === name)?.fingerprint;
  const [bm25Print, vectors] = [of("bm25"), of("vectors")];
  return {
    chunks,
    retriever,
    fingerprints: {
      corpus: corpus.summary.hash,
      chunks: chunks.fingerprint,
      retriever: retriever.fingerprint,
      ...(bm25Print === undefined ? {} : { bm25: bm25Print }),
      ...(vectors === undefined ? {} : { vectors }),
    },
    ...(index === undefined ? {} : { dense: `${index.kind} (${index.kernel})` }),
    parts,
    close: () => index?.close(),
  };
}

async function openChunkPart(options: OpenIndexOptions, parts: IndexPart[]): Promise<Chunks> {
  const { corpus, tokenizer, signal } = options;
  const cut = effectiveCutOptions(tokenizer, options.chunks ?? {});
  const part = await ensurePart({
    ...common(options, "chunks"),
    fingerprint: chunkFingerprint(corpus, tokenizer, cut),
    marker: chunkFiles.summary,
    build: async (folder) => {
      const progress = (done: number, total: number) =>
        options.progress?.(plainProgress("chunks", "nodes", done, total));
      await buildChunks({ corpus, tokenizer, cut, folder, signal, progress });
    },
  });
  parts.push(part);
  return openPart(part.folder, () => openChunks(part.folder, corpus, tokenizer));
}

const BM25_FILE = "bm25.index";

async function openBm25Part(
  options: OpenIndexOptions,
  chunks: Chunks,
  textOf: (chunk: ChunkHandle) => string,
  parts: IndexPart[],
): Promise<Bm25Index> {
  const { analyzer: config = DEFAULT_ANALYZER, parameters = {} } = options.bm25 || {};
  const analyzer = createAnalyzer(config);
  const source = fingerprint({ chunks: chunks.fingerprint, text: options.indexedText ?? "body" });
  const settings = bm25Fingerprint(analyzer, { ...DEFAULT_BM25, ...parameters });
  const part = await ensurePart({
    ...common(options, "bm25"),
    fingerprint: fingerprint({ source, bm25: settings }),
    marker: BM25_FILE,
    build: async (folder) => {
      await writeBm25(join(folder, BM25_FILE), textsInTurns(options, chunks, textOf), {
        analyzer: config,
        parameters,
        source,
      });
    },
  });
  parts.push(part);
  return openBm25(join(part.folder, BM25_FILE), { analyzer: analyzer.fingerprint, source });
}

/** All indexed texts, letting other work in between. */
async function* textsInTurns(
  { signal, progress }: OpenIndexOptions,
  chunks: Chunks,
  textOf: (chunk: ChunkHandle) => string,
): AsyncGenerator<string> {
  for (let chunk = 0; chunk < chunks.count; chunk++) {
    if (chunk % CHUNKS_A_TURN === 0) {
      progress?.(plainProgress("bm25", "chunks", chunk, chunks.count));
      await setImmediate();
      signal?.throwIfAborted();
    }
    yield textOf(chunk as ChunkHandle);
  }
  progress?.(plainProgress("bm25", "chunks", chunks.count, chunks.count));
}

async function openDense(
  options: OpenIndexOptions,
  embedder: CachedEmbedder,
  chunks: Chunks,
  textOf: (chunk: ChunkHandle) => string,
  parts: IndexPart[],
): Promise<DenseIndex> {
  const { progress, signal } = options;
  const vectors = fingerprint({
    vectors: 1,
    chunks: chunks.fingerprint,
    text: options.indexedText ?? "body",
    embedder: embedder.fingerprint,
  });
  const part = await ensurePart({
    ...common(options, "vectors"),
    fingerprint: vectors,
    marker: vectorFiles.summary,
    build: (folder) =>
      buildVectors({ folder, fingerprint: vectors, embedder, chunks, textOf, progress, signal }),
  });
  parts.push(part);
  const file = openPart(part.folder, () => openVectorFile(part.folder));
  const threshold = options.hnswAboveChunks ?? DEFAULT_HNSW_ABOVE_CHUNKS;
  const hnsw = chunks.count > threshold ? await loadHnswModule() : undefined;
  if (hnsw === undefined) {
    file.verify();
    return loadFlatIndex(file);
  }
  const graph = await ensurePart({
    ...common(options, "hnsw"),
    fingerprint: fingerprint({ hnsw: hnswParameters, vectors }),
    marker: vectorFiles.hnsw,
    build: (folder) =>
      buildHnsw(folder, file, hnsw, {
        signal,
        progress: (done) => progress?.(plainProgress("hnsw", "chunks", done, chunks.count)),
      }),
  });
  parts.push(graph);
  return openHnswIndex(graph.folder, file, hnsw);
}

function common({ home, progress, signal }: OpenIndexOptions, name: IndexPartName) {
  return {
    name,
    indexesFolder: join(home, "indexes"),
    signal,
    waiting: (holder: string) =>
      progress?.({ ...plainProgress(name, "chunks", 0, 0), waitingFor: holder }),
  };
}
