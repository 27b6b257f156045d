import {
  cpSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { NodeHandle } from "../core/ids.ts";
import { packageFile } from "../core/package-file.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { type LoadedDataset, type LoadOptions, loadDataset, loadDocuments } from "./load.ts";
import { datasets, resolveDatasetFolder } from "./registry.ts";

async function load(name: string, options: LoadOptions): Promise<LoadedDataset> {
  const loaded = await loadDataset(name, options);
  onTestFinished(() => loaded.corpus.close());
  return loaded;
}

function dataFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "a.txt"), "first");
  // A whole millisecond, which `utimesSync` can set again.
  utimesSync(join(folder, "notes", "a.txt"), 1_700_000_000, 1_700_000_000);
  writeFileSync(join(folder, "notes", "questions.jsonl"), '{"id": "1", "question": "Q?"}\n');
  return folder;
}

const rootText = ({ corpus }: LoadedDataset) => corpus.text(0 as NodeHandle);

it("loads anew where what was kept of a load is damaged", async () => {
  const options = { dataFolder: dataFolder(), home: temporaryFolder() };
  const first = await load("notes", options);
  const loads = join(options.home, "corpora", "loads");
  for (const name of readdirSync(loads)) writeFileSync(join(loads, name), "{ torn");
  const second = await load("notes", options);
  expect(second.corpus.summary.hash).toBe(first.corpus.summary.hash);
});

it("tells which benchmark a stand-in stands in for", async () => {
  const home = temporaryFolder();
  const data = temporaryFolder();
  cpSync(packageFile("datasets/samples/entqabench"), join(data, "powershell-docs"), {
    recursive: true,
  });
  const { questions } = await load("powershell-docs", { dataFolder: data, home });
  expect(questions[0]).toMatchObject({ dataset: "powershell-docs", benchmark: "entqabench" });
});

it("opens the kept result as long as path, size and time of the files are the same", async () => {
  const data = dataFolder();
  const file = join(data, "notes", "a.txt");
  const options = { dataFolder: data, home: temporaryFolder() };
  const first = await load("notes", options);
  expect([rootText(first), first.name, first.corpus.summary.dataset]).toEqual([
    "first",
    "notes",
    "notes",
  ]);
  expect(first.questions.map(({ dataset }) => dataset)).toEqual(["notes"]);
  const { atime, mtime } = statSync(file);
  writeFileSync(file, "other");
  utimesSync(file, atime, mtime);
  const kept = await load("notes", options);
  expect(rootText(kept)).toBe("first");
  expect(kept.questions).toEqual(first.questions);
  utimesSync(file, atime, new Date(mtime.getTime() + 5_000));
  const fresh = await load("notes", options);
  expect(rootText(fresh)).toBe("other");
  expect(fresh.corpus.summary.hash).not.toBe(first.corpus.summary.hash);
});

it("builds again when the corpus has been removed", async () => {
  const options = { dataFolder: dataFolder(), home: temporaryFolder() };
  const first = await load("notes", options);
  rmSync(join(options.home, "corpora", first.corpus.summary.hash), { recursive: true });
  expect(rootText(await load("notes", options))).toBe("first");
});

it("lets several loads run at once and share one corpus", async () => {
  const options = { dataFolder: packageFile("datasets/samples"), home: temporaryFolder() };
  const loads = await Promise.all([1, 2, 3].map(() => load("financebench", options)));
  const hashes = loads.map(({ corpus }) => corpus.summary.hash);
  expect(new Set(hashes).size).toBe(1);
  expect(readdirSync(join(options.home, "corpora")).sort()).toEqual([hashes[0], "loads"].sort());
});

it("keeps options apart", async () => {
  const options = { dataFolder: packageFile("datasets/samples"), home: temporaryFolder() };
  const whole = await load("financebench", options);
  const some = await load("financebench", { ...options, options: { filings: "referenced" } });
  expect(some.corpus.summary.documentCount).toBeLessThan(whole.corpus.summary.documentCount);
});

it("stops when it is told to and keeps nothing of the load", async () => {
  const home = temporaryFolder();
  const controller = new AbortController();
  const stopped = loadDataset("financebench", {
    dataFolder: packageFile("datasets/samples"),
    home,
    signal: controller.signal,
    progress: () => controller.abort(),
  });
  await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  expect(readdirSync(join(home, "corpora"))).toEqual([]);
});

it("finds data sets by their own names, other names, and the user's folders", () => {
  const data = temporaryFolder();
  for (const name of ["own-corpus", "wixqa", "My notes"]) mkdirSync(join(data, name));
  const found = (name: string) => {
    const { dataset, folder, name: given } = resolveDatasetFolder(data, name);
    return [given, dataset.name, folder.slice(data.length + 1)];
  };
  expect(found("wixqa")).toEqual(["wixqa", "wixqa", "wixqa"]);
  expect(found("own-corpus")).toEqual(["own-corpus", "own", "own-corpus"]);
  expect(found("own")).toEqual(["own", "own", "own-corpus"]);
  expect(found("My notes")).toEqual(["My notes", "own", "My notes"]);
  expect(() => resolveDatasetFolder(data, "qasper")).toThrow(
    expect.objectContaining({
      code: "E_DATA_MISSING",
      details: expect.objectContaining({
        next: expect.stringContaining("ritbench data fetch qasper"),
      }),
    }),
  );
  expect(() => resolveDatasetFolder(data, "wixqq")).toThrow(
    expect.objectContaining({
      code: "E_DATASET_UNKNOWN",
      details: expect.objectContaining({ next: "did you mean wixqa?" }),
    }),
  );
  cpSync(join(data, "wixqa"), join(data, ".secret"), { recursive: true });
  for (const name of ["..", "../x", "wixqa/..", ".secret", "", "a\0b"]) {
    expect(() => resolveDatasetFolder(data, name)).toThrow(
      expect.objectContaining({ code: "E_DATASET_UNKNOWN" }),
    );
  }
});

it("gives every data set a name of its own", () => {
  expect(new Set(datasets.map(({ name }) => name)).size).toBe(datasets.length);
});

describe("a folder of documents", () => {
  const documents = (): string => {
    const folder = join(temporaryFolder(), "wixqa");
    mkdirSync(folder);
    writeFileSync(join(folder, "a.md"), "# Kettle\n\nBoils water.\n");
    writeFileSync(join(folder, "questions.jsonl"), "no questions of ours\n");
    return folder;
  };

  it("is read whatever it is called and whatever its question file holds", async () => {
    const loaded = await loadDocuments(documents(), { home: temporaryFolder() });
    onTestFinished(() => loaded.corpus.close());
    expect(loaded.corpus.document(0).id).toBe("a.md");
    expect(loaded.questions).toEqual([]);
  });

  it("is never the place of derived files", async () => {
    const folder = documents();
    const link = join(temporaryFolder(), "link");
    symlinkSync(folder, link);
    for (const home of [folder, join(folder, ".ritbench"), join(link, "deep", "home")]) {
      await expect(loadDocuments(folder, { home })).rejects.toMatchObject({
        code: "E_HOME_INSIDE",
      });
    }
    expect(readdirSync(folder).sort()).toEqual(["a.md", "questions.jsonl"]);
    const beside = await loadDocuments(folder, { home: `${folder}-home` });
    beside.corpus.close();
  });
});
