import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import type { DenseIndex } from "./dense-index.ts";
import { loadFlatIndex } from "./flat-index.ts";
import { buildHnsw, loadHnswModule, openHnswIndex } from "./hnsw-index.ts";
import type { Kernel } from "./kernel.ts";
import { jsKernel } from "./kernel-js.ts";
import { wasmKernel } from "./kernel-wasm.ts";
import { openVectorFile, vectorFiles } from "./vector-file.ts";
import { vectorWriter } from "./vector-writer.ts";

const wasm = wasmKernel()!;

function writeVectors(rows: readonly (readonly number[])[], dimensions: number): string {
  const folder = join(temporaryFolder(), "vectors");
  mkdirSync(folder);
  const writer = vectorWriter(folder, dimensions);
  const half = rows.length >> 1;
  writer.push(rows.slice(0, half).map((row) => Float32Array.from(row)));
  writer.push(rows.slice(half).map((row) => Float32Array.from(row)));
  writer.finish(fingerprint(rows));
  return folder;
}

function flat(
  rows: readonly (readonly number[])[],
  dimensions: number,
  kernel: Kernel,
): DenseIndex {
  return loadFlatIndex(openVectorFile(writeVectors(rows, dimensions)), kernel);
}

/** Unit vectors from a seeded linear congruential generator. */
function unitVectors(count: number, dimensions: number, seed: number): number[][] {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const row = Array.from({ length: dimensions }, next);
    const norm = Math.hypot(...row);
    return row.map((value) => value / norm);
  });
}

/** The definition itself: every score in float64, sorted. */
function naive(rows: readonly number[][], query: Float32Array, k: number, allowed?: Uint8Array) {
  return rows
    .map((row, index) => ({
      index,
      score: Float32Array.from(row).reduce((sum, value, i) => sum + value * query[i]!, 0),
    }))
    .filter(({ index }) => allowed === undefined || allowed[index] === 1)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, k);
}

describe.each([
  ["wasm-simd", wasm],
  ["js", jsKernel],
  ["wasm-simd in blocks of 5 rows", { ...wasm, maxBlockBytes: 5 * 32 * 4 }],
])("flat index, %s", (_name, kernel) => {
  test("three vectors by hand", () => {
    const index = flat(
      [
        [1, 0],
        [0.6, 0.8],
        [0, 1],
      ],
      2,
      kernel,
    );
    const { chunks, scores } = index.search(Float32Array.from([0, 1]), 2);
    expect([...chunks]).toEqual([2, 1]);
    expect(scores[0]).toBe(1);
    expect(scores[1]).toBeCloseTo(0.8, 6);
  });

  test("equal vectors come by rising handle, also across the cut", () => {
    const rows = [
      [0, 1],
      [1, 0],
      [0, 1],
      [0, 1],
      [0, 1],
    ];
    const index = flat(rows, 2, kernel);
    expect([...index.search(Float32Array.from([0, 1]), 3).chunks]).toEqual([0, 2, 3]);
    expect([...index.search(Float32Array.from([0, 1]), 99).chunks]).toEqual([0, 2, 3, 4, 1]);
  });

  test("an empty index and k = 0 give nothing", () => {
    expect(flat([], 2, kernel).search(Float32Array.from([0, 1]), 5).chunks).toHaveLength(0);
    expect(flat([[1, 0]], 2, kernel).search(Float32Array.from([0, 1]), 0).chunks).toHaveLength(0);
  });

  test("equals the definition, with and without a filter, at any size", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 2 ** 31 }),
        (count, dimensions, k, seed) => {
          const rows = unitVectors(count, dimensions, seed);
          const query = Float32Array.from(unitVectors(1, dimensions, seed + 1)[0]!);
          const allowed = Uint8Array.from({ length: count }, (_, i) =>
            (seed >> (i % 31)) & 1 ? 1 : 0,
          );
          const index = flat(rows, dimensions, kernel);
          for (const filter of [undefined, allowed]) {
            const { chunks, scores } = index.search(query, k, filter);
            const expected = naive(rows, query, k, filter);
            expect([...chunks]).toEqual(expected.map(({ index }) => index));
            for (const [i, { score }] of expected.entries())
              expect(scores[i]).toBeCloseTo(score, 12);
          }
          index.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});

test("kernels give bit-equal rankings and scores", () => {
  const rows = unitVectors(3000, 100, 7);
  const query = Float32Array.from(unitVectors(1, 100, 8)[0]!);
  const fromWasm = flat(rows, 100, wasm).search(query, 200);
  const fromJs = flat(rows, 100, jsKernel).search(query, 200);
  expect(fromWasm).toEqual(fromJs);
});

describe("vector file", () => {
  const rows = unitVectors(50, 8, 3);

  test("a cut file is refused when it is opened", () => {
    const folder = writeVectors(rows, 8);
    truncateSync(join(folder, vectorFiles.rows), 50 * 32 - 1);
    expect(() => openVectorFile(folder)).toThrowError(
      expect.objectContaining({ code: "E_INDEX_CORRUPT" }),
    );
  });

  test("changed bytes are found by the checksum", () => {
    const folder = writeVectors(rows, 8);
    openVectorFile(folder).verify();
    const bytes = Buffer.alloc(50 * 32, 1);
    writeFileSync(join(folder, vectorFiles.rows), bytes);
    expect(() => openVectorFile(folder).verify()).toThrowError(
      expect.objectContaining({ code: "E_INDEX_CORRUPT" }),
    );
  });
});

const hnsw = await loadHnswModule();
describe.skipIf(hnsw === undefined)("hnsw index (skipped without hnswlib-node)", () => {
  test("finds at least 95% of the exact neighbours, with exact scores and order", async () => {
    const rows = unitVectors(2000, 24, 11);
    const folder = writeVectors(rows, 24);
    const file = openVectorFile(folder);
    await buildHnsw(folder, file, hnsw!);
    const index = await openHnswIndex(folder, file, hnsw!);
    const query = Float32Array.from(unitVectors(1, 24, 12)[0]!);
    const exact = loadFlatIndex(openVectorFile(folder)).search(query, 100);
    const found = index.search(query, 100);
    const known = new Set(exact.chunks);
    expect([...found.chunks].filter((chunk) => known.has(chunk)).length).toBeGreaterThanOrEqual(95);
    expect(found.scores).toEqual(
      Float64Array.from([...found.scores])
        .sort()
        .reverse(),
    );
    const scoreOf = new Map(Array.from(exact.chunks, (chunk, i) => [chunk, exact.scores[i]]));
    for (const [i, chunk] of found.chunks.entries()) {
      if (known.has(chunk)) expect(found.scores[i]).toBe(scoreOf.get(chunk));
    }
    const few = Uint8Array.from({ length: 2000 }, (_, i) => (i % 100 === 0 ? 1 : 0));
    const filtered = index.search(query, 50, few);
    expect(filtered).toEqual(loadFlatIndex(openVectorFile(folder)).search(query, 50, few));
    index.close();
  });
});
