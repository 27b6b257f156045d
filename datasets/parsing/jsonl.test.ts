import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { readJsonl } from "./jsonl.ts";

const folder = mkdtempSync(join(tmpdir(), "ritbench-jsonl-"));
afterAll(() => rmSync(folder, { recursive: true }));
const row = z.object({ text: z.string() });

async function texts(name: string, content: string | Buffer): Promise<[number, string][]> {
  const path = join(folder, name);
  writeFileSync(path, content);
  const result: [number, string][] = [];
  for await (const { line, value } of readJsonl(path, row)) result.push([line, value.text]);
  return result;
}

test("passes over blank lines, a byte-order mark and carriage returns, and reads a last line without an end", async () => {
  const content = '\uFEFF{"text":"a"}\r\n\r\n{"text":"b"}\n{"text":"c"}';
  expect(await texts("plain.jsonl", content)).toEqual([
    [1, "a"],
    [3, "b"],
    [4, "c"],
  ]);
});

test("keeps a raw line separator inside a string", async () => {
  expect(await texts("separator.jsonl", '{"text":"one\u2028two"}\n')).toEqual([
    [1, "one\u2028two"],
  ]);
});

test("reads zipped lines longer than a block, and characters cut by a block's end", async () => {
  const long = "é".repeat(200_001);
  const content = gzipSync(`{"text":"${long}"}\n{"text":"x"}\n`);
  expect(await texts("long.jsonl.gz", content)).toEqual([
    [1, long],
    [2, "x"],
  ]);
});

test.each([
  ["torn", '{"text":"a"}\n{"text":', "torn.jsonl:2"],
  ["odd", '{"text":"a"}\n{"text":5}', "odd.jsonl:2 field text"],
])("names file, line and field of a %s record", async (name, content, where) => {
  await expect(texts(`${name}.jsonl`, content)).rejects.toMatchObject({
    code: "E_DATA_FORMAT",
    details: { where: expect.stringContaining(where) },
  });
});

test("a cut gzip file and an absent file have codes of their own", async () => {
  const zipped = gzipSync('{"text":"a"}\n'.repeat(1000));
  await expect(texts("cut.jsonl.gz", zipped.subarray(0, 40))).rejects.toMatchObject({
    code: "E_DATA_FORMAT",
  });
  const absent = readJsonl(join(folder, "absent.jsonl"), row);
  await expect(absent.next()).rejects.toMatchObject({ code: "E_DATA_MISSING" });
});
