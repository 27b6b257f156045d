import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readLines } from "./lines.ts";
import { percentile } from "./percentile.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bench(...argv: string[]) {
  const main = new URL("main.ts", import.meta.url).pathname;
  return spawnSync(process.execPath, ["--import", "tsx", main, ...argv], { encoding: "utf8" });
}

describe("bench bm25", () => {
  it("prints one JSON document and nothing else on stdout", () => {
    const chunks = join(folder, "chunks.jsonl");
    const queries = join(folder, "queries.txt");
    writeFileSync(chunks, '{"id":"1","text":"Red pump"}\n\n{"id":"2","text":"a valve, a pump"}');
    writeFileSync(queries, "red valve\npump\n");
    const { status, stdout } = bench("bm25", "--chunks", chunks, "--queries", queries, "--json");
    expect(status).toBe(0);
    const result = JSON.parse(stdout) as Record<string, unknown>;
    expect(result).toMatchObject({ schema: "ritbench.bench-bm25/1", chunks: 2, tokens: 6 });
    for (const name of ["buildTokensPerSecond", "p50Ms", "p95Ms", "rssMb"]) {
      expect(result[name], name).toBeGreaterThan(0);
    }
    expect(Object.keys(result)).toHaveLength(7);
  });

  it("names the broken line", () => {
    const chunks = join(folder, "broken.jsonl");
    writeFileSync(chunks, '{"id":"1","text":"Red pump"}\n{"id":"2"}\n');
    const { status, stdout, stderr } = bench("bm25", "--chunks", chunks, "--queries", chunks);
    expect(status).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("E_BENCH_INPUT");
    expect(stderr).toContain("line 2");
  });

  it("lists the benchmarks when asked for an unknown one", () => {
    const { status, stderr } = bench("bm52");
    expect(status).toBe(1);
    expect(stderr).toMatch(/expected: +one of: .*bm25/);
    expect(stderr).toContain("did you mean bm25?");
  });
});

describe("readLines", () => {
  it("joins lines across reads and drops carriage returns", () => {
    const path = join(folder, "lines.txt");
    const lines = ["a", "é".repeat(700_000), "", "z".repeat(1_500_000), "last"];
    writeFileSync(path, lines.join("\r\n"));
    expect([...readLines(path)]).toEqual(lines);
  });
});

describe("percentile", () => {
  it("interpolates between neighbours", () => {
    expect(percentile([4, 1, 3, 2], 0.5)).toBe(2.5);
    expect(percentile([10], 0.95)).toBe(10);
    expect(percentile([0, 10], 0.95)).toBeCloseTo(9.5);
  });
});
