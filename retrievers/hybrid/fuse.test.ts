import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Ranking } from "../bm25/top-k.ts";
import { fuse } from "./fuse.ts";

function list(...entries: readonly (readonly [chunk: number, score: number])[]): Ranking {
  return {
    chunks: Uint32Array.from(entries, ([chunk]) => chunk),
    scores: Float64Array.from(entries, ([, score]) => score),
  };
}

describe("fuse by hand", () => {
  test("rank 1 in both lists is 2/61, rank 1 in one is 1/61 (notes 1.3)", () => {
    const [both] = fuse(list([7, 3]), list([7, 0.9]), 5);
    expect(both!.score).toBeCloseTo(0.032787, 6);
    expect(both).toEqual({
      chunk: 7,
      rank: 1,
      score: 2 / 61,
      rankBm25: 1,
      scoreBm25: 3,
      rankDense: 1,
      scoreDense: 0.9,
    });
    const [one] = fuse(list(), list([7, 0.9]), 5);
    expect(one!.score).toBeCloseTo(0.016393, 6);
    expect(one).toEqual({ chunk: 7, rank: 1, score: 1 / 61, rankDense: 1, scoreDense: 0.9 });
  });

  test("a chunk low in both lists beats one that is first in a single list", () => {
    const bm25 = list([1, 9], [2, 8], [3, 7]);
    const dense = list([4, 0.9], [5, 0.8], [3, 0.7]);
    expect(fuse(bm25, dense, 5).map(({ chunk }) => chunk)).toEqual([3, 4, 1, 5, 2]);
  });

  test("equal sums: the better single rank first, although the chunk order says otherwise", () => {
    // With kappa 0: 1/2 + 1/2 = 1/1, so chunk 1 (ranks 2 and 2) ties with chunk 9 (rank 1 in one list).
    const fused = fuse(list([9, 5], [1, 4]), list([8, 0.9], [1, 0.1]), 5, 0);
    expect(fused.map(({ chunk, score }) => [chunk, score])).toEqual([
      [8, 1],
      [9, 1],
      [1, 1],
    ]);
  });

  test("equal sums and ranks: the dense score decides, then the chunk order", () => {
    const swapped = fuse(list([5, 2], [4, 1]), list([4, 0.8], [5, 0.8]), 5);
    expect(swapped.map(({ chunk }) => chunk)).toEqual([4, 5]);
    const decided = fuse(list([4, 2], [5, 1]), list([5, 0.9], [4, 0.2]), 5);
    expect(decided.map(({ chunk }) => chunk)).toEqual([5, 4]);
  });
});

/** Two lists of distinct chunks with scores from a small set, so that ties abound; each in its own total order. */
const rankingArbitrary = fc
  .uniqueArray(
    fc.record({ chunk: fc.integer({ min: 0, max: 30 }), score: fc.integer({ min: 0, max: 3 }) }),
    {
      selector: ({ chunk }) => chunk,
      maxLength: 20,
    },
  )
  .map((entries) => entries.sort((a, b) => b.score - a.score || a.chunk - b.chunk))
  .map((entries) => list(...entries.map(({ chunk, score }) => [chunk, score] as const)));

/** The order written down again, over pairs. */
function comesFirst(a: ReturnType<typeof fuse>[number], b: typeof a): boolean {
  const best = (hit: typeof a) => Math.min(hit.rankBm25 ?? 1e9, hit.rankDense ?? 1e9);
  if (a.score !== b.score) return a.score > b.score;
  if (best(a) !== best(b)) return best(a) < best(b);
  const [denseA, denseB] = [a.scoreDense ?? -2, b.scoreDense ?? -2];
  return denseA !== denseB ? denseA > denseB : a.chunk < b.chunk;
}

test("any two lists: every chunk once, in the total order of A6; the cut is a prefix", () => {
  fc.assert(
    fc.property(
      rankingArbitrary,
      rankingArbitrary,
      fc.integer({ min: 0, max: 40 }),
      fc.constantFrom(0, 1, 60),
      (bm25, dense, k, kappa) => {
        const all = fuse(bm25, dense, 100, kappa);
        expect(new Set(all.map(({ chunk }) => chunk))).toEqual(
          new Set([...bm25.chunks, ...dense.chunks]),
        );
        expect(all.length).toBe(new Set([...bm25.chunks, ...dense.chunks]).size);
        for (const [index, hit] of all.entries()) {
          expect(hit.rank).toBe(index + 1);
          if (index > 0) expect(comesFirst(all[index - 1]!, hit)).toBe(true);
        }
        expect(fuse(bm25, dense, k, kappa)).toEqual(all.slice(0, k));
      },
    ),
  );
});
