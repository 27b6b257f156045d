import { GRID } from "./scoring.ts";
import type { TermList } from "./term-lists.ts";

/**
 * Scores of the chunks of one window while a query is worked through. The inner loops stand in
 * functions of their own, take numbers and flat arrays only, and compare scores by the upper half of
 * their bits (for positive numbers it orders as the number does), which needs no branch per chunk.
 */
export interface Scoreboard {
  /** By offset within the window; all zero between windows. */
  sums: Float64Array;
  /** The same memory as 32-bit halves, the upper half at odd places. */
  halves: Int32Array;
  /** Offsets of the chunks that are still followed, rising. */
  alive: Int32Array;
}

export function createScoreboard(windowSize: number): Scoreboard {
  const sums = new Float64Array(windowSize);
  return { sums, halves: new Int32Array(sums.buffer), alive: new Int32Array(windowSize + 1) };
}

/** Postings `[from, to)` of a list, in the window that starts at chunk `base`. */
export interface Stretch {
  list: TermList;
  from: number;
  to: number;
  base: number;
}

/** The list's postings in the window of `size` chunks from `base` on. */
export function stretchOf(list: TermList, base: number, size: number): Stretch {
  const first = base >> list.shift;
  const last = (base + size - 1) >> list.shift;
  return { list, from: list.cuts[first]!, to: list.cuts[last + 1]!, base };
}

/** Adds the contributions of all postings of the stretch. */
export function addAll(
  sums: Float64Array,
  { list, from, to, base }: Stretch,
  weight: number,
  norms: Float64Array,
): void {
  const { chunks, tfs } = list;
  for (let p = from; p < to; p++) {
    const chunk = chunks[p]!;
    const tf = tfs[p]!;
    sums[chunk - base]! += (weight * tf) / (tf + norms[chunk]!) + GRID - GRID;
  }
}

/** Adds the contributions to the followed chunks of the window that starts at `base`. */
export function addToFollowed(
  { sums, alive }: Scoreboard,
  count: number,
  list: TermList,
  base: number,
  weight: number,
  norms: Float64Array,
): void {
  const { tfs, row } = list;
  for (let i = 0; i < count; i++) {
    const offset = alive[i]!;
    const chunk = base + offset;
    let tf = 0;
    if (row !== undefined) tf = row[chunk]!;
    else {
      const p = find(list, chunk);
      if (p >= 0) tf = tfs[p]!;
    }
    if (tf === 0) continue;
    sums[offset]! += (weight * tf) / (tf + norms[chunk]!) + GRID - GRID;
  }
}

/** The chunk's posting, or -1: a guess by the chunk's place within its block, then a few steps. */
function find({ chunks, cuts, shift }: TermList, chunk: number): number {
  const block = chunk >> shift;
  const from = cuts[block]!;
  const to = cuts[block + 1]!;
  if (from === to) return -1;
  let p = from + (((chunk & ((1 << shift) - 1)) * (to - from)) >> shift);
  if (chunks[p]! < chunk) {
    do p++;
    while (p < to && chunks[p]! < chunk);
    return p < to && chunks[p] === chunk ? p : -1;
  }
  while (p > from && chunks[p]! > chunk) p--;
  return chunks[p] === chunk ? p : -1;
}

/** Follows the chunks whose score is at least `least` (> 0), and some just below; returns their number. */
export function follow({ halves, alive }: Scoreboard, size: number, least: number): number {
  const bar = upperHalf(least) - 1;
  let count = 0;
  for (let offset = 0; offset < size; offset++) {
    alive[count] = offset;
    count += (bar - halves[2 * offset + 1]!) >>> 31;
  }
  return count;
}

/** Stops following the chunks whose score is below `least`; returns the number of those that stay. */
export function drop({ halves, alive }: Scoreboard, count: number, least: number): number {
  const bar = upperHalf(least) - 1;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const offset = alive[i]!;
    alive[kept] = offset;
    kept += (bar - halves[2 * offset + 1]!) >>> 31;
  }
  return kept;
}

/** Stops following the chunks outside the filter. */
export function dropFiltered({ alive }: Scoreboard, count: number, filter: Uint8Array): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if (filter[alive[i]!] === 1) alive[kept++] = alive[i]!;
  }
  return kept;
}

/** 64 buckets per doubling of the score. */
const BUCKET_SHIFT = 14;
const buckets = new Int32Array((2 ** 31) >>> BUCKET_SHIFT);

/**
 * A score that at least `k` allowed chunks of the window have reached, provided it is at least `least`
 * (> 0); 0 when fewer have. At most 1.6 % below the true k-th score.
 */
export function reachedBy(
  k: number,
  { halves }: Scoreboard,
  size: number,
  least: number,
  filter: Uint8Array | undefined,
): number {
  const bar = upperHalf(least);
  const lowest = bar >>> BUCKET_SHIFT;
  let highest = lowest;
  let count = 0;
  for (let offset = 0; offset < size; offset++) {
    const half = halves[2 * offset + 1]!;
    if (half <= bar || (filter !== undefined && filter[offset] !== 1)) continue;
    const bucket = half >>> BUCKET_SHIFT;
    buckets[bucket]!++;
    if (bucket > highest) highest = bucket;
    count++;
  }
  let reached = 0;
  let above = 0;
  for (let bucket = highest; bucket >= lowest; bucket--) {
    above += buckets[bucket]!;
    buckets[bucket] = 0;
    if (reached === 0 && above >= k) reached = bucket;
  }
  if (reached === 0 || count < k) return 0;
  return Math.max(least, fromUpperHalf(reached << BUCKET_SHIFT));
}

const one = new Float64Array(1);
const oneHalves = new Int32Array(one.buffer);

function upperHalf(value: number): number {
  one[0] = value;
  return oneHalves[1]!;
}

function fromUpperHalf(half: number): number {
  oneHalves[0] = 0;
  oneHalves[1] = half;
  return one[0]!;
}
