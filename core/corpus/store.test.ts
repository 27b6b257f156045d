import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  utimesSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { NodeHandle } from "../ids.ts";
import type { Corpus, DocumentTree } from "./corpus.ts";
import { corpusFiles, openCorpus, realDocuments } from "./store.ts";
import { buildCorpus } from "./writer.ts";

let corporaFolder: string;
beforeEach(() => {
  corporaFolder = mkdtempSync(join(tmpdir(), "corpora-"));
});
afterEach(() => rmSync(corporaFolder, { recursive: true, force: true }));

function build(trees: readonly DocumentTree[], dataset = "toy"): Promise<Corpus> {
  return buildCorpus({ corporaFolder, dataset, singleTree: false }, (sink) => {
    for (const tree of trees) sink.tree(tree);
  });
}

const forest: DocumentTree[] = [
  {
    title: "Family",
    children: [
      {
        title: "Alpha",
        documentId: "a",
        text: "intro of alpha",
        children: [
          { title: "Setup", text: "install it" },
          { title: "Empty", children: [{ title: "Deep", text: "naïve 😀 text" }] },
        ],
      },
      { title: "Beta", documentId: "b", text: "beta" },
    ],
  },
  { title: "Gamma", documentId: "c", text: "third" },
];

describe("corpus store", () => {
  it("keeps structure, ids, titles and texts", async () => {
    const corpus = await build(forest);
    const handles = Array.from({ length: corpus.nodeCount }, (_, i) => i as NodeHandle);
    expect(handles.map((node) => corpus.nodeId(node))).toEqual([
      "_c_0000",
      "a_0000",
      "a_0001",
      "a_0002",
      "a_0003",
      "b_0000",
      "c_0000",
    ]);
    expect(handles.map((node) => corpus.parent(node))).toEqual([-1, 0, 1, 1, 3, 0, -1]);
    expect(handles.map((node) => corpus.subtreeEnd(node))).toEqual([6, 5, 3, 5, 5, 6, 7]);
    expect(corpus.children(1 as NodeHandle)).toEqual([2, 3]);
    expect(corpus.ancestors(4 as NodeHandle)).toEqual([0, 1, 3]);
    expect(corpus.roots()).toEqual([0, 6]);
    expect(corpus.text(4 as NodeHandle)).toBe("naïve 😀 text");
    expect(corpus.textLength(4 as NodeHandle)).toBe("naïve 😀 text".length);
    expect(corpus.readable(3 as NodeHandle)).toBe(false);
    expect(corpus.summary).toMatchObject({
      documentCount: 3,
      nodeCount: 7,
      readableCount: 5,
      treeCount: 2,
      maxDepth: 3,
    });
    expect(
      [...realDocuments(corpus)].map(({ id, root, nodeCount }) => [id, root, nodeCount]),
    ).toEqual([
      ["a", 1, 4],
      ["b", 5, 1],
      ["c", 6, 1],
    ]);
  });

  it("finds exactly the ids it gives out", async () => {
    const corpus = await build(forest);
    for (let node = 0; node < corpus.nodeCount; node++) {
      expect(corpus.findNode(corpus.nodeId(node as NodeHandle))).toBe(node);
    }
    for (const id of ["a_0004", "a_00001", "a_1", "x_0000", "a", "", "_0000", "a_-001"]) {
      expect(corpus.findNode(id)).toBeUndefined();
    }
  });

  it("keeps metadata, page spans and attributes", async () => {
    const corpus = await build([
      {
        title: "Filing",
        documentId: "f",
        text: "page one page two",
        metadata: { summary: "s", keywords: ["k"] },
        pageSpans: [
          { page: 0, start: 0, end: 9 },
          { page: 1, start: 9, end: 17 },
        ],
        attributes: { sharesPage: true },
      },
    ]);
    const node = 0 as NodeHandle;
    expect(corpus.metadata(node)).toEqual({ summary: "s", keywords: ["k"] });
    expect(corpus.pageSpans(node).map(({ page }) => page)).toEqual([0, 1]);
    expect(corpus.attributes(node)).toEqual({ sharesPage: true });
  });

  it("gives equal content an equal hash and reuses the folder, other content another", async () => {
    const first = await build(forest);
    const second = await build(forest);
    expect(second.summary.hash).toBe(first.summary.hash);
    const changed = await build([...forest.slice(0, 1), { ...forest[1]!, text: "third!" }]);
    expect(changed.summary.hash).not.toBe(first.summary.hash);
    expect(readdirSync(corporaFolder)).toHaveLength(2);
  });

  it("leaves nothing behind when the loader throws", async () => {
    const failing = buildCorpus({ corporaFolder, dataset: "toy", singleTree: false }, (sink) => {
      sink.tree(forest[1]!);
      throw new Error("loader failed");
    });
    await expect(failing).rejects.toThrow("loader failed");
    expect(readdirSync(corporaFolder)).toEqual([]);
  });

  it("clears what a killed process left long ago, and nothing else", async () => {
    const young = join(corporaFolder, ".building-999999999-young");
    const old = join(corporaFolder, ".building-999999999-old");
    const living = join(corporaFolder, `.building-${process.pid}-living`);
    for (const folder of [young, old, living]) mkdirSync(folder, { recursive: true });
    for (const folder of [old, living]) utimesSync(folder, 1_700_000_000, 1_700_000_000);
    await build(forest);
    expect([young, old, living].map((folder) => existsSync(folder))).toEqual([true, false, true]);
  });

  it("refuses an empty corpus and a missing folder with a code", async () => {
    await expect(build([])).rejects.toMatchObject({ code: "E_CORPUS_EMPTY" });
    expect(() => openCorpus(join(corporaFolder, "none"))).toThrow(
      expect.objectContaining({ code: "E_CORPUS_MISSING" }),
    );
  });

  it("names a file that was cut", async () => {
    const { summary } = await build(forest);
    const folder = join(corporaFolder, summary.hash);
    truncateSync(join(folder, corpusFiles.texts), 3);
    expect(() => openCorpus(folder).text(6 as NodeHandle)).toThrow(
      expect.objectContaining({ code: "E_CORPUS_CUT" }),
    );
    expect(existsSync(folder)).toBe(true);
  });

  it("returns any forest as it was given", async () => {
    const tree = fc.letrec<{ tree: DocumentTree }>((tie) => ({
      tree: fc.record({
        title: fc.string({ unit: "grapheme" }),
        text: fc.string({ unit: "binary" }),
        children: fc.oneof(
          { maxDepth: 4 },
          fc.constant([]),
          fc.array(tie("tree"), { maxLength: 3 }),
        ),
      }),
    })).tree;
    await fc.assert(
      fc.asyncProperty(fc.array(tree, { minLength: 1, maxLength: 3 }), async (trees) => {
        const corpus = await build(trees);
        const read = (node: NodeHandle): DocumentTree => ({
          title: corpus.title(node),
          text: corpus.text(node),
          children: corpus.children(node).map(read),
        });
        const wellFormed = JSON.parse(JSON.stringify(trees), (_, value) =>
          typeof value === "string" ? value.toWellFormed() : value,
        );
        expect(corpus.roots().map(read)).toEqual(wellFormed);
        corpus.close();
      }),
      { numRuns: 30 },
    );
  });
});
