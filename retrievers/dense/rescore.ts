import type { Ranking } from "../bm25/top-k.ts";

export interface Scored {
  row: number;
  score: number;
}

/** The best `k` in the total order: falling score, then rising row. */
export function ranked(candidates: Scored[], k: number): Ranking {
  candidates.sort((a, b) => b.score - a.score || a.row - b.row);
  const kept = candidates.slice(0, k);
  return {
    chunks: Uint32Array.from(kept, ({ row }) => row),
    scores: Float64Array.from(kept, ({ score }) => score),
  };
}

/** In float64, from the first term to the last. */
export function innerProduct(query: Float32Array, vectors: Float32Array, from: number): number {
  let sum = 0;
  for (let i = 0; i < query.length; i++) sum += query[i]! * vectors[from + i]!;
  return sum;
}
