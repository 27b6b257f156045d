import type { Fingerprint } from "./fingerprint.ts";
import type { ChunkHandle, ChunkId, NodeHandle } from "./ids.ts";

export type SearchMode = "hybrid" | "dense" | "bm25";

/** Restricts a search to documents, before any cut. Indexes of `Corpus.document`. `exclude` wins over `include`. */
export interface DocumentFilter {
  include?: readonly number[];
  exclude?: readonly number[];
}

export interface SearchOptions {
  /** Default `hybrid`. */
  mode?: SearchMode;
  /** Length of each list before fusion; default max(200, k) (A5). */
  depth?: number;
  filter?: DocumentFilter;
  signal?: AbortSignal;
}

/** One ranked chunk. Ranks start at 1. `score` is the RRF score in hybrid mode, else the list's own score. */
export interface Hit {
  chunk: ChunkHandle;
  score: number;
  rank: number;
  rankBm25?: number;
  rankDense?: number;
  scoreBm25?: number;
  scoreDense?: number;
}

/**
 * Text in, ranking in a total order out (ties: best single rank, then dense score, then chunk order, A6).
 * At most `k` hits; fewer when fewer chunks match.
 */
export interface Retriever {
  readonly fingerprint: Fingerprint;
  /** Modes this retriever can serve. */
  readonly modes: readonly SearchMode[];
  search(query: string, k: number, options?: SearchOptions): Promise<Hit[]>;
}

/** A slice of exactly one node's own text. */
export interface Chunk {
  handle: ChunkHandle;
  id: ChunkId;
  node: NodeHandle;
  /** Position within the node, from 0. */
  ordinal: number;
  /** `[start, end)` in UTF-16 units of the node's text. */
  start: number;
  end: number;
  tokens: number;
}

/** The chunk table of a corpus: node-aligned, without overlap unless configured, in node order. */
export interface Chunks {
  readonly fingerprint: Fingerprint;
  readonly count: number;
  get(chunk: ChunkHandle): Chunk;
  /** The exact slice, read from disk. */
  text(chunk: ChunkHandle): string;
  node(chunk: ChunkHandle): NodeHandle;
  find(id: string): ChunkHandle | undefined;
  /** Chunks of a node in order: handles `[first, end)`. */
  ofNode(node: NodeHandle): readonly [ChunkHandle, ChunkHandle];
  /** Number of tokens of a text, by the tokenizer the chunks were cut with. */
  countTokens(text: string): number;
}
