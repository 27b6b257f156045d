import { mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { buildBm25 } from "../bm25/build.ts";
import { loadFlatIndex } from "../dense/flat-index.ts";
import { openVectorFile } from "../dense/vector-file.ts";
import { vectorWriter } from "../dense/vector-writer.ts";
import { fuse } from "./fuse.ts";

const WORDS = ["kettle", "steam", "water", "lid", "plug"];

/** Distinct texts whose scores differ, so that no tie falls back on the order of the chunks. */
const textsArbitrary = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 60 })),
  { minLength: 2, maxLength: 12, selector: ([a, b]) => a * 100 + b },
);

function vectorOf([a, b]: readonly [number, number]): Float32Array {
  const norm = Math.hypot(a, b);
  return Float32Array.from([a / norm, b / norm]);
}

async function rankedTexts(pairs: readonly (readonly [number, number])[]): Promise<string[]> {
  const texts = pairs.map(([a, b]) =>
    [
      ...Array(a).fill(WORDS[0]),
      ...Array(b).fill(WORDS[1]),
      ...Array((a * 7 + b) % 5).fill(WORDS[2]),
    ].join(" "),
  );
  const bm25 = await buildBm25(texts);
  const folder = join(temporaryFolder(), "v");
  mkdirSync(folder);
  const writer = vectorWriter(folder, 2);
  writer.push(pairs.map(vectorOf));
  writer.finish(fingerprint(pairs));
  const dense = loadFlatIndex(openVectorFile(folder));
  const sparse = bm25.search("kettle water", pairs.length);
  const nearest = dense.search(Float32Array.from([0.8, 0.6]), pairs.length);
  dense.close();
  const tied = (scores: Float64Array) => new Set(scores).size !== scores.length;
  if (tied(sparse.scores) || tied(nearest.scores)) return [];
  return fuse(sparse, nearest, pairs.length).map(({ chunk, score }) => `${pairs[chunk]} ${score}`);
}

test("the order in which chunks are inserted changes nothing but ties", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(textsArbitrary, fc.integer({ min: 1, max: 11 }), async (pairs, shift) => {
      const turned = [
        ...pairs.slice(shift % pairs.length),
        ...pairs.slice(0, shift % pairs.length),
      ].reverse();
      const [once, again] = [await rankedTexts(pairs), await rankedTexts(turned)];
      if (once.length > 0 && again.length > 0) {
        compared++;
        // RRF sums may still tie between two chunks whose ranks are swapped; those are settled by dense score.
        expect(again).toEqual(once);
      }
    }),
    { numRuns: 60 },
  );
  expect(compared).toBeGreaterThan(20);
});
