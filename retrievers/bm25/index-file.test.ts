import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RitbenchError } from "../../core/errors.ts";
import { createAnalyzer } from "../analyzer/analyzer.ts";
import type { Bm25Index } from "./bm25-index.ts";
import { buildBm25, writeBm25 } from "./build.ts";
import { openBm25, saveBm25 } from "./index-file.ts";

const TEXTS = Array.from({ length: 300 }, (_, i) =>
  Array.from({ length: 3 + (i % 40) }, (_, j) => `w${(i * j) % 97} é${i % 5}`).join(" "),
);
TEXTS[11] = "";
TEXTS[12] = "echo ".repeat(700);
TEXTS[13] = `${"Echo ".repeat(255)}w1`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bm25-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function expectEqual(a: Bm25Index, b: Bm25Index): void {
  expect(a.data.frequencies).toEqual(b.data.frequencies);
  expect(a.data.chunks).toEqual(b.data.chunks);
  expect(a.data.tfs).toEqual(b.data.tfs);
  expect(a.fingerprint).toBe(b.fingerprint);
  for (const query of ["w3 w5 é1", "echo w1", "É2 w96 unknown", ""]) {
    expect(a.search(query, 50)).toEqual(b.search(query, 50));
  }
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof RitbenchError) return error.code;
    throw error;
  }
  return undefined;
}

describe("an index file", () => {
  it("comes back as it was saved", async () => {
    const index = await buildBm25(TEXTS, { source: "texts-1" });
    const path = join(folder, "deep", "a.bm25");
    saveBm25(path, index);
    const loaded = openBm25(path, { analyzer: index.analyzer.fingerprint, source: "texts-1" });
    expectEqual(loaded, index);
    expect(loaded.source).toBe("texts-1");
    expect(loaded.tokenCount).toBe(index.tokenCount);
    expect(readdirSync(join(folder, "deep"))).toEqual(["a.bm25"]);
  });

  it("is the same whether built in memory, streamed, or merged from many blocks on disk", async () => {
    const index = await buildBm25(TEXTS);
    for (const memoryMb of [512, 0.02, 0.001]) {
      const path = join(folder, `${memoryMb}.bm25`);
      const bytes = TEXTS.map((text) => Buffer.from(text));
      const summary = await writeBm25(path, bytes, { memoryMb });
      expect(summary.blocks > 1).toBe(memoryMb < 1);
      expect(summary.postings).toBe(index.postingCount);
      expect(summary.chunks).toBe(TEXTS.length);
      expectEqual(openBm25(path), index);
    }
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it("keeps term frequencies beyond a byte", async () => {
    const path = join(folder, "a.bm25");
    await writeBm25(path, TEXTS, { memoryMb: 0.02 });
    const { large } = openBm25(path).data;
    expect(Array.from(large).filter((_, i) => i % 3 !== 0)).toEqual([12, 700, 13, 255]);
  });

  it("holds an empty corpus", async () => {
    const path = join(folder, "a.bm25");
    await writeBm25(path, []);
    expect(openBm25(path).search("a", 3).chunks).toHaveLength(0);
  });

  it("refuses another analyzer and other texts", async () => {
    const path = join(folder, "a.bm25");
    await writeBm25(path, TEXTS, { source: "texts-1" });
    const other = createAnalyzer({ tokenizer: "unicode-word", lowercase: true, stem: "porter" });
    expect(codeOf(() => openBm25(path, { analyzer: other.fingerprint }))).toBe("E_INDEX_ANALYZER");
    expect(codeOf(() => openBm25(path, { source: "texts-2" }))).toBe("E_INDEX_SOURCE");
  });

  it("reports a missing, foreign, cut or altered file", async () => {
    const path = join(folder, "a.bm25");
    expect(codeOf(() => openBm25(path))).toBe("E_INDEX_MISSING");
    writeFileSync(path, "x".repeat(500));
    expect(codeOf(() => openBm25(path))).toBe("E_INDEX_CORRUPT");
    await writeBm25(path, TEXTS);
    const whole = readFileSync(path);
    for (const length of [0, 20, 1000, whole.length - 1]) {
      writeFileSync(path, whole);
      truncateSync(path, length);
      expect(codeOf(() => openBm25(path))).toBe("E_INDEX_CORRUPT");
    }
    const intact = join(folder, "intact.bm25");
    writeFileSync(intact, whole);
    let noticed = 0;
    for (let at = 17; at < whole.length; at += 611) {
      const altered = Buffer.from(whole);
      altered[at]! ^= 0x40;
      writeFileSync(path, altered);
      // Bytes between sections carry nothing; everything else must be noticed.
      const code = codeOf(() => openBm25(path));
      if (code === undefined) expectEqual(openBm25(path), openBm25(intact));
      else expect(code).toBe("E_INDEX_CORRUPT");
      noticed += code === undefined ? 0 : 1;
    }
    expect(noticed).toBeGreaterThan(whole.length / 611 / 2);
    const older = Buffer.from(whole);
    older[8] = 99;
    writeFileSync(path, older);
    expect(codeOf(() => openBm25(path))).toBe("E_INDEX_VERSION");
  });

  it("leaves nothing behind and keeps the old file when the texts fail half-way", async () => {
    const path = join(folder, "a.bm25");
    await writeBm25(path, ["old"]);
    function* failing(): Generator<string> {
      yield* TEXTS;
      throw new Error("source gone");
    }
    await expect(writeBm25(path, failing(), { memoryMb: 0.001 })).rejects.toThrow("source gone");
    expect(readdirSync(folder)).toEqual(["a.bm25"]);
    expect(openBm25(path).search("old", 1).chunks).toHaveLength(1);
  });

  it("says so when the folder cannot be written", async () => {
    writeFileSync(join(folder, "file"), "");
    for (const memoryMb of [512, 0.001]) {
      const attempt = writeBm25(join(folder, "file", "a.bm25"), TEXTS, { memoryMb });
      await expect(attempt).rejects.toMatchObject({ code: "E_INDEX_WRITE" });
    }
  });

  it("refuses parameters out of range", async () => {
    await expect(buildBm25([], { parameters: { b: 1.5 } })).rejects.toMatchObject({
      code: "E_BM25_PARAMETERS",
    });
  });
});
