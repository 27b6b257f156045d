/** Free parameters of BM25 (A7: k1 1.5, b 0.75). */
export interface Bm25Parameters {
  /** How slowly repeats of a term saturate, >= 0. */
  k1: number;
  /** How far long texts are marked down, 0 (not at all) to 1. */
  b: number;
}

export const DEFAULT_BM25: Bm25Parameters = { k1: 1.5, b: 0.75 };

/**
 * Lucene's inverse document frequency, `ln(1 + (N - df + 0.5) / (df + 0.5))`: positive for every term,
 * also for one that stands in all chunks.
 */
export function idf(chunkCount: number, documentFrequency: number): number {
  return Math.log(1 + (chunkCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/**
 * Length part of the saturation, `k1 (1 - b + b dl / avgdl)`, for each chunk; lengths in terms, exact
 * (not Lucene's one-byte norms).
 */
export function lengthNorms(lengths: Uint32Array, parameters: Bm25Parameters): Float64Array {
  const { k1, b } = parameters;
  let total = 0;
  for (let chunk = 0; chunk < lengths.length; chunk++) total += lengths[chunk]!;
  const average = total === 0 ? 1 : total / lengths.length;
  return Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / average));
}

/**
 * Adding and taking away this number rounds a contribution to a multiple of 2^-36 (1.5e-11). Sums of
 * such numbers are exact in float64 (up to 2^17), so a score does not depend on the order in which its
 * terms are added, and equal chunks tie exactly.
 */
export const GRID = 1.5 * 2 ** 16;
