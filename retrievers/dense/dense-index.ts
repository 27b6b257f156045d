import type { Ranking } from "../bm25/top-k.ts";

/** Nearest vectors by inner product. Rows are chunk handles. */
export interface DenseIndex {
  readonly kind: "flat" | "hnsw";
  readonly kernel: string;
  readonly count: number;
  readonly dimensions: number;
  /**
   * The best `k` rows, best first, equal scores by lower handle. `allowed[row] === 1` restricts the ranking
   * before the cut.
   */
  search(query: Float32Array, k: number, allowed?: Uint8Array): Ranking;
  close(): void;
}
