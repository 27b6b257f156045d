import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { expect, test } from "vitest";
import type { Dataset, FetchFile } from "../../core/dataset.ts";
import { fileServer } from "../../tests/support/file-server.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { entqabench } from "../entqabench/index.ts";
import { qasper } from "../qasper/index.ts";
import { wixqa } from "../wixqa/index.ts";
import { type FetchOptions, fetchDataset } from "./index.ts";

const HOST = "/data.example";
const big = Buffer.from("0123456789".repeat(30_000));
const sha = (content: Buffer | string) => createHash("sha256").update(content).digest("hex");

function datasetOf(...fetchFiles: FetchFile[]): Dataset {
  return { ...wixqa, name: "sample", title: "Sample", fetchFiles };
}

function optionsFor(dataset: Dataset, more: Partial<FetchOptions> = {}): FetchOptions {
  return {
    dataset,
    folder: join(temporaryFolder(), "sample"),
    signal: new AbortController().signal,
    progress: () => {},
    wait: async () => {},
    ...more,
  };
}

const file = (path: string, more: Partial<FetchFile> = {}): FetchFile => ({
  url: `https:/${HOST}/v1/${path}`,
  path,
  ...more,
});

/** A .tgz of the given members; a `>` in front of the content makes a link to the rest of it. */
async function archive(members: Record<string, string>): Promise<Buffer> {
  const tar = pack();
  for (const [name, content] of Object.entries(members)) {
    if (content.startsWith(">")) tar.entry({ name, type: "symlink", linkname: content.slice(1) });
    else tar.entry({ name }, content);
  }
  tar.finalize();
  const blocks: Buffer[] = [];
  for await (const block of tar) blocks.push(block as Buffer);
  return gzipSync(Buffer.concat(blocks));
}

/** Whether an unfinished download has reached the disk. */
function hasPart(folder: string): boolean {
  const work = join(folder, ".fetch");
  return (
    existsSync(work) &&
    readdirSync(work).some((name) => name.endsWith(".part") && statSync(join(work, name)).size > 0)
  );
}

/** Files of a folder except the lock file, with their contents. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return Object.fromEntries(
    names
      .filter((name) => /\.[a-z]+$/.test(name) && !/^\.fetch|lock/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}

test("brings files, locks their checksums, and asks for nothing the second time", async () => {
  const server = await fileServer({
    [`${HOST}/v1/a/x.jsonl`]: "one\n",
    [`${HOST}/v1/y.json`]: "{}",
  });
  const dataset = datasetOf(file("a/x.jsonl", { sha256: sha("one\n"), bytes: 4 }), file("y.json"));
  const options = optionsFor(dataset, { mirror: server.url });
  const first = await fetchDataset(options);
  expect(first).toEqual({
    files: [
      { path: "a/x.jsonl", bytes: 4, sha256: sha("one\n"), how: "downloaded" },
      { path: "y.json", bytes: 2, sha256: sha("{}"), how: "downloaded" },
    ],
    missing: [],
    requests: 2,
  });
  expect(contents(options.folder)).toEqual({ "a/x.jsonl": "one\n", "y.json": "{}" });
  const lock = JSON.parse(readFileSync(join(options.folder, "fetch.lock.json"), "utf8"));
  expect(lock.files["y.json"]).toEqual({
    url: "https://data.example/v1/y.json",
    bytes: 2,
    sha256: sha("{}"),
  });

  const second = await fetchDataset(options);
  expect(second.files.map(({ how }) => how)).toEqual(["kept", "kept"]);
  expect(second.requests).toBe(0);
  expect(server.requests).toHaveLength(2);
});

test("goes on where a connection was cut, in the same run and in the next", async () => {
  const path = `${HOST}/v1/big.bin`;
  const server = await fileServer({ [path]: big });
  const options = optionsFor(datasetOf(file("big.bin", { sha256: sha(big) })), {
    mirror: server.url,
  });
  const cut = (afterBytes: number, folder: string) =>
    server.faults.set(path, [{ kind: "cut", afterBytes, when: () => hasPart(folder) }]);
  cut(100_000, options.folder);
  await fetchDataset(options);
  expect(readFileSync(join(options.folder, "big.bin")).equals(big)).toBe(true);
  expect(server.requests).toHaveLength(2);
  const resumedAt = Number(/^bytes=(\d+)-$/.exec(server.requests[1]!.range ?? "")?.[1]);
  expect(resumedAt).toBeGreaterThan(0);
  expect(resumedAt).toBeLessThanOrEqual(100_000);

  const controller = new AbortController();
  const later = optionsFor(datasetOf(file("big.bin")), { mirror: server.url });
  cut(50_000, later.folder);
  const stopping = fetchDataset({
    ...later,
    signal: controller.signal,
    wait: async () => controller.abort(new Error("stopped by hand")),
  });
  await expect(stopping).rejects.toThrow("stopped by hand");
  expect(existsSync(join(later.folder, "big.bin"))).toBe(false);
  await fetchDataset(later);
  expect(server.requests.at(-1)!.range).toMatch(/^bytes=\d+-$/);
  expect(readFileSync(join(later.folder, "big.bin")).equals(big)).toBe(true);
});

test("a source that changed in between is read from its start", async () => {
  const path = `${HOST}/v1/big.bin`;
  const server = await fileServer({ [path]: big });
  const options = optionsFor(datasetOf(file("big.bin")), { mirror: server.url });
  const when = () => hasPart(options.folder);
  server.faults.set(path, [{ kind: "cut", afterBytes: 50_000, when }]);
  await fetchDataset({
    ...options,
    wait: async () => void server.files.set(path, Buffer.from("a new and shorter one")),
  });
  expect(readFileSync(join(options.folder, "big.bin"), "utf8")).toBe("a new and shorter one");
});

test("waits as the server asks, and gives up after five attempts without a byte", async () => {
  const path = `${HOST}/v1/x.txt`;
  const server = await fileServer({ [path]: "x" });
  const waits: number[] = [];
  const options = optionsFor(datasetOf(file("x.txt")), {
    mirror: server.url,
    wait: async (waitMs) => void waits.push(waitMs),
  });
  server.faults.set(path, [
    { kind: "status", status: 503 },
    { kind: "status", status: 429, headers: { "retry-after": "7" } },
  ]);
  await fetchDataset(options);
  expect(waits).toEqual([500, 7000]);

  const failing = optionsFor(datasetOf(file("x.txt")), { mirror: server.url });
  server.faults.set(path, Array(9).fill({ kind: "status", status: 500 }));
  const before = server.requests.length;
  await expect(fetchDataset(failing)).rejects.toMatchObject({ code: "E_FETCH_NETWORK" });
  expect(server.requests.length - before).toBe(5);
  await expect(
    fetchDataset(optionsFor(datasetOf(file("none.txt")), { mirror: server.url })),
  ).rejects.toMatchObject({ code: "E_FETCH_STATUS", details: { got: "HTTP 404" } });
});

test.each([
  ["SHA-256", { sha256: sha("right") }],
  ["git blob", { gitBlob: createHash("sha1").update("blob 5\0right").digest("hex") }],
  ["size", { bytes: 6 }],
])("a wrong %s is an error and nothing is kept", async (_, pinned) => {
  const server = await fileServer({ [`${HOST}/v1/x.txt`]: "wrong" });
  const options = optionsFor(datasetOf(file("x.txt", pinned)), { mirror: server.url });
  await expect(fetchDataset(options)).rejects.toMatchObject({ code: "E_FETCH_CHECKSUM" });
  expect(contents(options.folder)).toEqual({});
  expect(readdirSync(options.folder)).not.toContain("x.txt");
  expect(existsSync(join(options.folder, "fetch.lock.json"))).toBe(false);
});

test("the first download's checksum holds later; a changed file at hand is not overwritten", async () => {
  const server = await fileServer({ [`${HOST}/v1/x.txt`]: "first" });
  const options = optionsFor(datasetOf(file("x.txt")), { mirror: server.url });
  await fetchDataset(options);
  writeFileSync(join(options.folder, "x.txt"), "mine!");
  await expect(fetchDataset(options)).rejects.toMatchObject({
    code: "E_FETCH_CHECKSUM",
    details: { where: join(options.folder, "x.txt") },
  });
  expect(readFileSync(join(options.folder, "x.txt"), "utf8")).toBe("mine!");

  const elsewhere = optionsFor(datasetOf(file("x.txt")), { mirror: server.url });
  await fetchDataset(elsewhere);
  writeFileSync(
    join(options.folder, "fetch.lock.json"),
    readFileSync(join(elsewhere.folder, "fetch.lock.json")),
  );
  server.files.set(`${HOST}/v1/x.txt`, Buffer.from("second"));
  const again = { ...elsewhere, folder: join(temporaryFolder(), "again") };
  mkdirSync(again.folder);
  writeFileSync(
    join(again.folder, "fetch.lock.json"),
    readFileSync(join(elsewhere.folder, "fetch.lock.json")),
  );
  await expect(fetchDataset(again)).rejects.toMatchObject({ code: "E_FETCH_CHECKSUM" });
  writeFileSync(join(again.folder, "fetch.lock.json"), "{");
  await expect(fetchDataset(again)).rejects.toMatchObject({ code: "E_FETCH_LOCK" });
});

test("two fetches at once bring each file once", async () => {
  const server = await fileServer({ [`${HOST}/v1/big.bin`]: big, [`${HOST}/v1/y.txt`]: "y" });
  const options = optionsFor(datasetOf(file("big.bin"), file("y.txt")), { mirror: server.url });
  const reports = await Promise.all([fetchDataset(options), fetchDataset(options)]);
  expect(server.requests).toHaveLength(2);
  expect(reports.map(({ requests }) => requests).sort()).toEqual([0, 2]);
  expect(reports.flatMap(({ files }) => files.map(({ how }) => how)).sort()).toEqual([
    "downloaded",
    "downloaded",
    "kept",
    "kept",
  ]);
});

test("unpacks the named members of an archive and nothing else", async () => {
  const tgz = await archive({
    "./inner/train.json": "train",
    "../../evil.json": "evil",
    "/etc/evil.json": "evil",
    "test.json": ">/etc/passwd",
    "deep/test.json": "test",
    "other.json": "other",
  });
  const server = await fileServer({ [`${HOST}/v1/all.tgz`]: tgz });
  const dataset = datasetOf(
    file("all.tgz", { sha256: sha(tgz), unpack: ["train.json", "test.json"] }),
  );
  const options = optionsFor(dataset, { mirror: server.url });
  await fetchDataset(options);
  expect(contents(options.folder)).toEqual({ "train.json": "train", "test.json": "test" });
  expect(readdirSync(dirname(options.folder))).toEqual(["sample"]);
  const second = await fetchDataset(options);
  expect(second.requests).toBe(0);
  expect(server.requests).toHaveLength(1);

  const torn = optionsFor(datasetOf(file("all.tgz", { unpack: ["absent.json"] })), {
    mirror: server.url,
  });
  await expect(fetchDataset(torn)).rejects.toMatchObject({ code: "E_FETCH_ARCHIVE" });
  server.files.set(`${HOST}/v1/all.tgz`, tgz.subarray(0, 60));
  await expect(fetchDataset(torn)).rejects.toMatchObject({ code: "E_FETCH_ARCHIVE" });
  expect(contents(torn.folder)).toEqual({});
});

test("takes official files at hand, by path or bare name, checked and without a request", async () => {
  const from = temporaryFolder();
  mkdirSync(join(from, "a"));
  writeFileSync(join(from, "a", "x.txt"), "x");
  writeFileSync(join(from, "y.txt"), "y");
  const files = [file("a/x.txt", { sha256: sha("x") }), file("b/y.txt"), file("z.txt")];
  const report = await fetchDataset(
    optionsFor(datasetOf(...files), { from, mirror: "http://[::1]:1" }),
  );
  expect(report.files.map(({ path, how }) => [path, how])).toEqual([
    ["a/x.txt", "copied"],
    ["b/y.txt", "copied"],
  ]);
  expect(report).toMatchObject({ missing: ["z.txt"], requests: 0 });
  expect(readFileSync(join(from, "y.txt"), "utf8")).toBe("y");

  writeFileSync(join(from, "a", "x.txt"), "tampered");
  await expect(fetchDataset(optionsFor(datasetOf(...files), { from }))).rejects.toMatchObject({
    code: "E_FETCH_CHECKSUM",
  });
  await expect(fetchDataset(optionsFor(datasetOf(file("q.txt")), { from }))).rejects.toMatchObject({
    code: "E_DATA_MISSING",
  });
});

test("offline asks for nothing: fetched data pass, an absent file names its command", async () => {
  const server = await fileServer({ [`${HOST}/v1/x.txt`]: "x" });
  const options = optionsFor(datasetOf(file("x.txt")), { mirror: server.url });
  await expect(fetchDataset({ ...options, offline: true })).rejects.toMatchObject({
    code: "E_DATA_MISSING",
    details: { next: "ritbench data fetch sample", where: join(options.folder, "x.txt") },
  });
  await fetchDataset(options);
  const report = await fetchDataset({ ...options, offline: true });
  expect(report.files.map(({ how }) => how)).toEqual(["kept"]);
  expect(server.requests).toHaveLength(1);
});

test("an unreleased data set says what to supply", async () => {
  await expect(fetchDataset(optionsFor(entqabench))).rejects.toMatchObject({
    code: "E_FETCH_UNRELEASED",
    details: { next: expect.stringContaining("pages.jsonl") },
  });
});

test("the official layouts land where the loaders look", async () => {
  const paper = { title: "T", abstract: "a", full_text: [], qas: [] };
  const papers = JSON.stringify({ "2001.00001": paper });
  const article = { id: "a", url: "https://x.example/a", title: "A", html_content: "<p>x</p>" };
  const question = { question: "?", answer: "x", article_ids: ["a"] };
  const hub = "/huggingface.co/datasets/Wix/WixQA/resolve/d662dc42479c14e202eccd832f8c4b66a035c4cc";
  const trainDev = await archive({
    "qasper-train-v0.3.json": papers,
    "qasper-dev-v0.3.json": "{}",
  });
  const testSplit = await archive({ "qasper-test-v0.3.json": "{}", "README.md": "x" });
  const bucket = "/qasper-dataset.s3.us-west-2.amazonaws.com";
  const server = await fileServer({
    [`${bucket}/qasper-train-dev-v0.3.tgz`]: trainDev,
    [`${bucket}/qasper-test-and-evaluator-v0.3.tgz`]: testSplit,
    [`${hub}/wix_kb_corpus/wix_kb_corpus.jsonl`]: `${JSON.stringify(article)}\n`,
    ...Object.fromEntries(
      ["expertwritten", "simulated", "synthetic"].map((split) => [
        `${hub}/wixqa_${split}/test.jsonl`,
        `${JSON.stringify(question)}\n`,
      ]),
    ),
  });
  for (const dataset of [qasper, wixqa]) {
    // The small stand-ins cannot have the official checksums.
    const fetchFiles = dataset.fetchFiles.map(({ sha256: _, bytes: __, ...source }) => source);
    const options = optionsFor({ ...dataset, fetchFiles }, { mirror: server.url });
    await fetchDataset(options);
    const context = { ...options, options: {}, cacheFolder: temporaryFolder() };
    expect((await dataset.sources(context)).length).toBeGreaterThan(1);
    await expect(fetchDataset(optionsFor(dataset, { mirror: server.url }))).rejects.toMatchObject({
      code: "E_FETCH_CHECKSUM",
    });
  }
});
