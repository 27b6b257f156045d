import type { Corpus } from "../../core/corpus/corpus.ts";
import { RitbenchError } from "../../core/errors.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import type { ChunkHandle } from "../../core/ids.ts";
import type { Embedder } from "../../core/method.ts";
import type { Chunks, Hit, Retriever, SearchMode, SearchOptions } from "../../core/retriever.ts";
import type { Ranking } from "../bm25/top-k.ts";
import type { DenseIndex } from "../dense/dense-index.ts";
import { documentMask } from "./document-mask.ts";
import { DEFAULT_KAPPA, fuse } from "./fuse.ts";

/** What is asked of a sparse index; rows are chunk handles. */
export interface SparseIndex {
  search(text: string, k: number, allowed?: Uint8Array): Ranking;
}

export interface HybridRetrieverOptions {
  corpus: Corpus;
  chunks: Chunks;
  bm25?: SparseIndex | undefined;
  dense?: { index: DenseIndex; embedder: Embedder } | undefined;
  kappa?: number | undefined;
  /** Fingerprints of the indexes behind it. */
  identity: { readonly [part: string]: string };
}

/** A5. */
const LEAST_DEPTH = 200;

/**
 * BM25 and dense search fused by rank. With one of the two missing the other's mode is the only one, and the
 * default.
 *
 * @throws RitbenchError E_SEARCH_MODE (from `search`) for a mode that this retriever cannot serve.
 */
export function createHybridRetriever(options: HybridRetrieverOptions): Retriever {
  const { corpus, chunks, bm25, dense, identity, kappa = DEFAULT_KAPPA } = options;
  const modes: SearchMode[] = [];
  if (bm25 !== undefined && dense !== undefined) modes.push("hybrid");
  if (dense !== undefined) modes.push("dense");
  if (bm25 !== undefined) modes.push("bm25");
  const maskOf = documentMask(corpus, chunks);

  async function searchDense(
    query: string,
    k: number,
    mask: Uint8Array | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Ranking> {
    const { index, embedder } = dense!;
    const vector =
      embedder.embedQuery === undefined
        ? (await embedder.embed([query], signal))[0]!
        : await embedder.embedQuery(query, signal);
    signal?.throwIfAborted();
    // A query without any feature is as near to one chunk as to the next: that is no ranking.
    return vector.every((value) => value === 0) ? nothing : index.search(vector, k, mask);
  }

  async function search(query: string, k: number, asked: SearchOptions = {}): Promise<Hit[]> {
    const { signal } = asked;
    signal?.throwIfAborted();
    if (!Number.isInteger(k) || k < 0) throw new RangeError(`k must be a count, got ${k}`);
    const mode = asked.mode ?? modes[0];
    if (mode === undefined || !modes.includes(mode)) throw wrongMode(mode, modes);
    if (k === 0 || !/\S/.test(query)) return [];
    const mask = maskOf(asked.filter);
    if (mode === "bm25") {
      return single(bm25!.search(query, k, mask), (rank, score) => ({
        rankBm25: rank,
        scoreBm25: score,
      }));
    }
    if (mode === "dense") {
      return single(await searchDense(query, k, mask, signal), (rank, score) => ({
        rankDense: rank,
        scoreDense: score,
      }));
    }
    const depth = asked.depth ?? Math.max(LEAST_DEPTH, k);
    const byMeaning = await searchDense(query, depth, mask, signal);
    return fuse(bm25!.search(query, depth, mask), byMeaning, k, kappa);
  }

  return { fingerprint: fingerprint({ retriever: 1, kappa, modes, ...identity }), modes, search };
}

const nothing: Ranking = { chunks: new Uint32Array(0), scores: new Float64Array(0) };

function single(
  { chunks, scores }: Ranking,
  marks: (rank: number, score: number) => Partial<Hit>,
): Hit[] {
  return Array.from(chunks, (chunk, index) => {
    const rank = index + 1;
    const score = scores[index]!;
    return { chunk: chunk as ChunkHandle, score, rank, ...marks(rank, score) };
  });
}

function wrongMode(mode: string | undefined, modes: readonly SearchMode[]): RitbenchError {
  return new RitbenchError("E_SEARCH_MODE", `this retriever cannot search in mode "${mode}"`, {
    expected: modes.join(", "),
    got: String(mode),
    next: "take one of its modes, or open the index with embeddings",
  });
}
