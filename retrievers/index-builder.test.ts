import { spawn } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Corpus, DocumentTree } from "../core/corpus/corpus.ts";
import { openCorpus } from "../core/corpus/store.ts";
import { buildCorpus } from "../core/corpus/writer.ts";
import type { ChunkHandle, NodeHandle } from "../core/ids.ts";
import { openEmbedder } from "../models/embeddings/open-embedder.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { toyForest } from "../tests/support/toy-corpus.ts";
import { vectorFiles } from "./dense/vector-file.ts";
import { type OpenedIndex, type OpenIndexOptions, openIndex } from "./index-builder.ts";
import type { IndexProgress } from "./index-progress.ts";
import { bpeTokenizer } from "./tokenizer/bpe-tokenizer.ts";

async function corpusIn(
  home: string,
  forest: readonly DocumentTree[] = toyForest,
): Promise<Corpus> {
  const corpus = await buildCorpus(
    { corporaFolder: join(home, "corpora"), dataset: "toy", singleTree: false },
    (sink) => {
      for (const tree of forest) sink.tree(tree);
    },
  );
  onTestFinished(() => corpus.close());
  return corpus;
}

async function open(
  home: string,
  corpus: Corpus,
  options: Partial<OpenIndexOptions> = {},
): Promise<OpenedIndex> {
  const { embedder, close } = await openEmbedder("offline:hashing", { home, offline: true });
  const index = await openIndex({
    corpus,
    home,
    tokenizer: bpeTokenizer(),
    embedder,
    chunks: { maxTokens: 32 },
    ...options,
  });
  onTestFinished(async () => {
    index.close();
    await close();
  });
  return index;
}

describe("openIndex", () => {
  test("builds every part once, and opens the same again", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const first = await open(home, corpus);
    expect(first.parts.map(({ name }) => name)).toEqual(["chunks", "bm25", "vectors"]);
    for (const { buildSeconds, bytes } of first.parts) {
      expect(buildSeconds).toBeGreaterThan(0);
      expect(bytes).toBeGreaterThan(0);
    }
    const second = await open(home, corpus);
    expect(second.parts.every(({ buildSeconds }) => buildSeconds === null)).toBe(true);
    expect(second.fingerprints).toEqual(first.fingerprints);
    const query = "descale the kettle";
    expect(await second.retriever.search(query, 10)).toEqual(
      await first.retriever.search(query, 10),
    );
    expect(readdirSync(join(home, "indexes")).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("chunk ids and texts lead back to the node", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const { chunks } = await open(home, corpus);
    for (let handle = 0 as ChunkHandle; handle < chunks.count; handle++) {
      const chunk = chunks.get(handle);
      expect(chunks.find(chunk.id)).toBe(handle);
      expect(chunk.id).toBe(`${corpus.nodeId(chunk.node)}#${chunk.ordinal}`);
      expect(chunks.text(handle)).toBe(corpus.text(chunk.node).slice(chunk.start, chunk.end));
      expect(chunk.tokens).toBe(chunks.countTokens(chunks.text(handle)));
    }
    for (let node = 0 as NodeHandle; node < corpus.nodeCount; node++) {
      const [from, to] = chunks.ofNode(node);
      let joined = "";
      for (let handle = from; handle < to; handle++) joined += chunks.text(handle);
      expect(joined).toBe(corpus.text(node));
    }
    for (const id of [
      "",
      "#0",
      "kettle-1_0000",
      "kettle-1_0000#99",
      "kettle-1_0000#-1",
      "kettle-1_0000#00",
      "none_0000#0",
    ]) {
      expect(chunks.find(id)).toBeUndefined();
    }
  });

  test("every setting that changes a part changes its fingerprint, and only its own", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const { fingerprints: base } = await open(home, corpus);
    const { fingerprints: size } = await open(home, corpus, { chunks: { maxTokens: 64 } });
    expect(size.chunks).not.toBe(base.chunks);
    expect(size.vectors).not.toBe(base.vectors);
    const { fingerprints: k1 } = await open(home, corpus, { bm25: { parameters: { k1: 1.2 } } });
    expect(k1).toMatchObject({ chunks: base.chunks, vectors: base.vectors });
    expect(k1.bm25).not.toBe(base.bm25);
    expect(k1.retriever).not.toBe(base.retriever);
    const { fingerprints: kappa } = await open(home, corpus, { kappa: 10 });
    expect({ ...kappa, retriever: base.retriever }).toEqual(base);
    expect(kappa.retriever).not.toBe(base.retriever);
  });

  test("with the title path indexed a title's word finds its chunk; the text read stays the node's", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home, [
      { title: "Xylophone", documentId: "a", text: "Strike it gently." },
      { title: "Other", documentId: "b", text: "Strike it hard." },
    ]);
    const body = await open(home, corpus);
    expect(await body.retriever.search("xylophone", 5, { mode: "bm25" })).toEqual([]);
    const path = await open(home, corpus, { indexedText: "path" });
    const [hit] = await path.retriever.search("xylophone", 5, { mode: "bm25" });
    expect(path.chunks.text(hit!.chunk)).toBe("Strike it gently.");
    expect(path.fingerprints.chunks).toBe(body.fingerprints.chunks);
    expect(path.fingerprints.bm25).not.toBe(body.fingerprints.bm25);
  });

  test("a corpus without any text opens and finds nothing", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home, [
      {
        title: "Only a title",
        documentId: "a",
        children: [{ title: "And one more" }, { title: "Blank", text: " \n " }],
      },
    ]);
    const { chunks, retriever } = await open(home, corpus);
    expect(chunks.count).toBe(0);
    for (const mode of retriever.modes)
      expect(await retriever.search("title", 5, { mode })).toEqual([]);
  });

  test("progress runs from the first to the last unit of each part", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const seen: IndexProgress[] = [];
    const { chunks } = await open(home, corpus, { progress: (progress) => seen.push(progress) });
    const last = (part: string) => seen.findLast((progress) => progress.part === part);
    expect(last("chunks")).toMatchObject({ done: corpus.nodeCount, total: corpus.nodeCount });
    expect(last("bm25")).toMatchObject({ done: chunks.count, total: chunks.count });
    expect(last("vectors")).toMatchObject({
      done: chunks.count,
      total: chunks.count,
      etaSeconds: 0,
    });
    expect(last("vectors")!.ratePerSecond).toBeGreaterThan(0);
  });

  test("an abort leaves no part that is taken for whole", async () => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const controller = new AbortController();
    const stopped = open(home, corpus, {
      signal: controller.signal,
      progress: ({ part }) => {
        if (part === "bm25") controller.abort(new Error("enough"));
      },
    });
    await expect(stopped).rejects.toThrow("enough");
    const { parts } = await open(home, corpus);
    expect(parts.map(({ buildSeconds }) => buildSeconds === null)).toEqual([true, false, false]);
  });
});

describe("damage", () => {
  const damages: [string, string, (file: string) => void][] = [
    ["a column cut short", "starts.u32", (file) => truncateSync(file, 8)],
    ["a column gone", "tokens.u32", (file) => rmSync(file)],
    ["a summary that is no JSON", "chunks.json", (file) => writeFileSync(file, "{")],
    ["a BM25 file cut short", "bm25.index", (file) => truncateSync(file, 100)],
    ["vectors cut short", vectorFiles.rows, (file) => truncateSync(file, 100)],
    ["vectors gone", vectorFiles.rows, (file) => rmSync(file)],
    [
      "vectors overwritten",
      vectorFiles.rows,
      (file) => writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7)),
    ],
  ];
  test.each(damages)("%s is told as such, with the way out", async (_name, fileName, damage) => {
    const home = temporaryFolder();
    const corpus = await corpusIn(home);
    const { parts } = await open(home, corpus);
    const folder = parts
      .map((part) => part.folder)
      .find((each) => existsSync(join(each, fileName)))!;
    damage(join(folder, fileName));
    const broken = open(home, corpus);
    await expect(broken).rejects.toMatchObject({
      code: "E_INDEX_CORRUPT",
      details: { next: expect.any(String) },
    });
    rmSync(folder, { recursive: true });
    const { retriever } = await open(home, corpus);
    expect((await retriever.search("kettle", 3)).length).toBe(3);
  });
});

describe("processes", () => {
  const worker = fileURLToPath(new URL("../tests/support/index-worker.ts", import.meta.url));
  const manyTexts: DocumentTree[] = Array.from({ length: 60 }, (_, i) => ({
    title: `Document ${i}`,
    documentId: `d${i}`,
    text: `Text number ${i} about kettles.`,
  }));

  function start(home: string, corpusFolder: string, log: string, pauseMs: number) {
    const child = spawn(
      process.execPath,
      ["--import", "tsx", worker, home, corpusFolder, log, String(pauseMs)],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    const ended = new Promise<string>((resolve) => child.on("close", () => resolve(output)));
    return { child, ended };
  }
  const linesOf = (log: string): string[] =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .split("\n")
          .filter((line) => line !== "")
      : [];

  async function prepare() {
    const home = temporaryFolder();
    const corpus = await corpusIn(home, manyTexts);
    return {
      home,
      folder: join(home, "corpora", corpus.summary.hash),
      log: join(home, "encoded.log"),
    };
  }

  test("after kill -9 the next start encodes only what was missing", async () => {
    const { home, folder, log } = await prepare();
    const { child, ended } = start(home, folder, log, 20);
    while (linesOf(log).length < 20) await sleep(10);
    child.kill("SIGKILL");
    await ended;
    expect(openCorpus(folder).summary.nodeCount).toBe(60);
    const before = linesOf(log).length;
    expect(before).toBeLessThan(60);
    const again = start(home, folder, log, 0);
    expect(JSON.parse(await again.ended)).toMatchObject({ vectors: expect.any(String) });
    const lines = linesOf(log);
    expect(new Set(lines).size).toBe(60);
    // The text in hand when the process died, and one whose vector was on its way to the disk.
    expect(lines.length - 60).toBeLessThanOrEqual(2);
  });

  test("two processes at once build one index and encode each text once", async () => {
    const { home, folder, log } = await prepare();
    const [one, two] = [start(home, folder, log, 5), start(home, folder, log, 5)];
    const outputs = await Promise.all([one.ended, two.ended]);
    expect(outputs[0]).toBe(outputs[1]);
    expect(JSON.parse(outputs[0]!)).toMatchObject({ bm25: expect.any(String) });
    expect(linesOf(log)).toHaveLength(60);
    expect(readdirSync(join(home, "indexes"))).toHaveLength(3);
  });
});
