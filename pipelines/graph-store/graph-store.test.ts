import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { vocabularyEmbedder } from "../../tests/support/vocabulary-embedder.ts";
import { chunkIdsOf, chunkKey, createGraph, rankedSources, sourceChunks } from "./graph.ts";
import { createTables, openTables } from "./tables.ts";
import { openVectors, writeVectors } from "./vectors.ts";

const chunk = (position: number, text: string) => ({
  position,
  id: `d~${position}`,
  documentId: "d",
  nodes: [],
  text,
});

test("tables keep records by id in byte order, apart from each other", async () => {
  const folder = join(temporaryFolder(), "with.dot");
  const tables = createTables(folder);
  for (const id of ["b", "a/2", "a/10", "ü"]) await tables.put("t", id, { id });
  await tables.put("t2", "x", 1);
  await tables.put("t", "b", { id: "second" });
  await tables.written();
  await tables.close();
  const read = openTables(folder);
  expect([...read.ids("t")]).toEqual(["a/10", "a/2", "b", "ü"]);
  expect([...read.all("t", "a/")].map(({ id }) => id)).toEqual(["a/10", "a/2"]);
  expect(read.get("t", "b")).toEqual({ id: "second" });
  expect(read.get("t", "none")).toBeUndefined();
  expect([read.count("t"), read.count("t2"), read.count("none")]).toEqual([4, 1, 0]);
  await read.close();
});

test("near records pass the cosine floor, best first, ties by row", async () => {
  const folder = temporaryFolder();
  const embedder = vocabularyEmbedder(["a", "b", "c", "d"]);
  const texts = ["a b", "c", "a", "a", "a b b b b b", "d"];
  const told: number[] = [];
  await writeVectors({
    folder: join(folder, "v"),
    embedder,
    count: texts.length,
    texts: () => texts,
    signal: new AbortController().signal,
    progress: (done) => told.push(done),
  });
  expect(told).toEqual([6]);
  const vectors = openVectors(join(folder, "v"), ["r0", "r1", "r2", "r3", "r4", "r5"]);
  const tables = createTables(join(folder, "t"));
  const graph = createGraph({
    tables,
    vectors: new Map([["t", vectors]]),
    embedder,
    mark: undefined,
  });
  const { signal } = new AbortController();
  // a b b b b b lies at 1 / sqrt(26) = 0.196 from a, just under the floor.
  const found = await graph.near("t", "a", 60, signal);
  expect(found.map(({ id, score }) => [id, Math.round(score * 1000)])).toEqual([
    ["r2", 1000],
    ["r3", 1000],
    ["r0", 707],
  ]);
  expect(await graph.near("t", "a", 2, signal)).toHaveLength(2);
  expect(await graph.near("t", "nothing", 60, signal)).toEqual([]);
  await graph.close();
});

test("sources follow their best record, then how many neighbours share them, then the text", () => {
  const neighbour = (...sources: number[]) => ({ sources });
  const first = { sources: [1, 2, 3], neighbours: [neighbour(3), neighbour(2, 3), neighbour(7)] };
  const second = { sources: [0, 3, 4, 5], neighbours: [neighbour(5, 3)] };
  expect(rankedSources([first, second])).toEqual([3, 2, 1, 5, 0, 4]);
  expect(rankedSources([])).toEqual([]);
});

test("source chunks: repeats and missing ones are passed over, the budget cuts, ids are read", async () => {
  const tables = createTables(temporaryFolder());
  await tables.put("chunk", chunkKey(2), chunk(2, "one two"));
  await tables.put("chunk", chunkKey(10), chunk(10, "one two three"));
  await tables.written();
  const ids = (limit: number) =>
    sourceChunks({ tables }, [10, 5, 2, 10], limit).map(({ id }) => id);
  expect(ids(5)).toEqual(["d~10", "d~2"]);
  expect(ids(4)).toEqual(["d~10"]);
  expect(ids(2)).toEqual([]);
  expect(chunkIdsOf(tables, [2, 5])).toEqual(["d~2"]);
  await tables.close();
});
