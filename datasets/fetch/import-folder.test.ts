import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { importFolder } from "./index.ts";

const { signal } = new AbortController();

function documents(): string {
  const from = temporaryFolder();
  mkdirSync(join(from, "sub"));
  writeFileSync(join(from, "a.md"), "# A");
  writeFileSync(join(from, "sub", "b.txt"), "bb");
  writeFileSync(join(from, ".secret"), "no");
  symlinkSync("/etc/passwd", join(from, "link.txt"));
  return from;
}

test("copies documents under the name; links and hidden files are left out and named", async () => {
  const from = documents();
  const dataFolder = join(temporaryFolder(), "not", "there", "yet");
  const report = await importFolder({ from, dataFolder, name: "my docs-2", signal });
  expect(report).toEqual({
    folder: join(dataFolder, "my docs-2"),
    files: 2,
    bytes: 5,
    skipped: [".secret", "link.txt"],
  });
  expect(readFileSync(join(report.folder, "sub", "b.txt"), "utf8")).toBe("bb");
  expect(readdirSync(dataFolder)).toEqual(["my docs-2"]);
  await expect(importFolder({ from, dataFolder, name: "my docs-2", signal })).rejects.toMatchObject(
    {
      code: "E_IMPORT_EXISTS",
    },
  );
});

test.each(["", "..", "a/b", "../x", ".hidden", "a\\b", "a\nb"])(
  "refuses the name %j",
  async (name) => {
    const dataFolder = temporaryFolder();
    await expect(
      importFolder({ from: documents(), dataFolder, name, signal }),
    ).rejects.toMatchObject({ code: "E_IMPORT_NAME" });
    expect(readdirSync(dataFolder)).toEqual([]);
  },
);

test("refuses a source that is absent, empty, or holds the data folder, and leaves nothing behind", async () => {
  const from = documents();
  const dataFolder = temporaryFolder();
  const refused = { code: "E_IMPORT_SOURCE" };
  const run = (source: string, target = dataFolder) =>
    importFolder({ from: source, dataFolder: target, name: "x", signal });
  await expect(run(join(from, "none"))).rejects.toMatchObject(refused);
  await expect(run(join(from, "a.md"))).rejects.toMatchObject(refused);
  await expect(run(temporaryFolder())).rejects.toMatchObject(refused);
  await expect(run(from, join(from, "sub", "data"))).rejects.toMatchObject(refused);
  await expect(run(from, from)).rejects.toMatchObject(refused);
  expect(readdirSync(dataFolder)).toEqual([]);
});

test("stops when told to, and leaves nothing behind", async () => {
  const dataFolder = temporaryFolder();
  const stopped = AbortSignal.abort(new Error("stopped"));
  await expect(
    importFolder({ from: documents(), dataFolder, name: "x", signal: stopped }),
  ).rejects.toThrow("stopped");
  expect(readdirSync(dataFolder)).toEqual([]);
});
