import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ChunkHandle, NodeHandle } from "../../core/ids.ts";
import { topNodes } from "./score-nodes.ts";

/** Chunks 0..9 belong to nodes 0,0,1,1,2,2,... */
const nodeOf = (chunk: ChunkHandle) => (chunk >> 1) as NodeHandle;
const ranking = (...scores: [chunk: number, score: number][]) =>
  scores.map(([chunk, score], i) => ({ chunk: chunk as ChunkHandle, score, rank: i + 1 }));

describe("node scores", () => {
  test("a node has the best score of its chunks, not their sum", () => {
    // Two chunks of node 1 at 2/62 and 2/63 lose to one of node 2 at 2/61.
    const hits = ranking([4, 2 / 61], [2, 2 / 62], [3, 2 / 63], [0, 1 / 61]);
    expect(topNodes(hits, nodeOf, 10)).toEqual([
      { node: 2, score: 2 / 61, rank: 1 },
      { node: 1, score: 2 / 62, rank: 2 },
      { node: 0, score: 1 / 61, rank: 4 },
    ]);
  });

  test("equal scores at the cut follow the retriever's order, and exactly n nodes remain", () => {
    const hits = ranking([8, 0.5], [6, 0.5], [2, 0.5], [0, 0.5]);
    expect(topNodes(hits, nodeOf, 2).map(({ node }) => node)).toEqual([4, 3]);
  });

  test("no hit gives no node", () => {
    expect(topNodes([], nodeOf, 5)).toEqual([]);
  });

  test("the order of the list does not matter, only scores and ranks do", () => {
    const hit = fc.record({
      chunk: fc.integer({ min: 0, max: 39 }),
      score: fc.constantFrom(0.1, 0.2, 0.3),
    });
    const list = fc.uniqueArray(hit, { selector: ({ chunk }) => chunk });
    fc.assert(
      fc.property(list, fc.integer({ min: 1, max: 8 }), (raw, n) => {
        const hits = raw.map(({ chunk, score }, i) => ({
          chunk: chunk as ChunkHandle,
          score,
          rank: i + 1,
        }));
        expect(topNodes([...hits].reverse(), nodeOf, n)).toEqual(topNodes(hits, nodeOf, n));
      }),
    );
  });
});
