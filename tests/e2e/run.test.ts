import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keyOf, type RunRecord } from "../../core/record.ts";
import { cli, sampleRun, spawnCli } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface RunJson {
  schema: string;
  status: string;
  planned: number;
  kept: number;
  executed: number;
  rows: { dataset: string; method: string; nScored: number; nTotal: number; accuracy: number }[];
}

const small = ["--set", "datasets=[wixqa]", "--methods", "vanilla,rit-rag", "--json"];

function recordsOf(home: string): RunRecord[] {
  const path = join(home, "runs", "quickstart", "records.jsonl");
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RunRecord);
}

/** Files below a folder by their path in it. */
function filesOf(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()
    .map((path) => [path, readFileSync(join(folder, path), "utf8")]);
}

describe("ritbench run", () => {
  it("answers, judges and reports, with one JSON document on standard output", async () => {
    const home = temporaryFolder();
    const out = join(home, "copy");
    const { code, json } = await cli(home, sampleRun(...small, "--limit", "3", "--out", out));
    const result = json<RunJson>();
    expect(code).toBe(0);
    expect(result).toMatchObject({ schema: "ritbench.run/1", planned: 6, executed: 6, kept: 0 });
    expect(result.rows.map(({ method, nScored, nTotal }) => [method, nScored, nTotal])).toEqual([
      ["vanilla", 3, 3],
      ["rit-rag", 3, 3],
    ]);
    for (const name of [
      "results.csv",
      "results.md",
      "results.tex",
      "pareto-cost.svg",
      "pareto-cost.png",
    ]) {
      expect(existsSync(join(out, name))).toBe(true);
    }
  });

  it("asks nothing twice: again, with a higher limit, with a further method", async () => {
    const home = temporaryFolder();
    const run = async (...extra: string[]) =>
      (await cli(home, sampleRun("--set", "datasets=[wixqa]", "--json", ...extra))).json<RunJson>();
    await run("--methods", "vanilla", "--limit", "2");
    expect(await run("--methods", "vanilla", "--limit", "2")).toMatchObject({
      kept: 2,
      executed: 0,
    });
    expect(await run("--methods", "vanilla", "--limit", "4")).toMatchObject({
      kept: 2,
      executed: 2,
    });
    expect(await run("--methods", "vanilla,agentic-search", "--limit", "4")).toMatchObject({
      kept: 4,
      executed: 4,
    });
    const keys = recordsOf(home).map(keyOf);
    expect(new Set(keys).size).toBe(8);
    expect(keys).toHaveLength(8);
  });

  it("stops with the field named when settings differ, and starts anew with --new", async () => {
    const home = temporaryFolder();
    const args = [...small, "--limit", "1"];
    await cli(home, sampleRun(...args));
    const changed = [...args, "--set", "parameters.rit-rag.n=7"];
    const differs = await cli(home, sampleRun(...changed));
    expect(differs.code).toBe(1);
    expect(differs.stderr).toContain("E_RUN_DIFFERS");
    expect(differs.stderr).toContain("parameters.rit-rag.n");
    expect(differs.stdout).toBe("");
    const fresh = await cli(home, sampleRun(...changed, "--new"));
    expect(fresh.json()).toMatchObject({ run: "quickstart-2", executed: 2 });
  });

  it("loses nothing and repeats nothing after kill -9", async () => {
    const home = temporaryFolder();
    const argv = sampleRun("--set", "datasets=[wixqa, qasper]", "--concurrency", "2");
    const { child, ended } = spawnCli(home, argv);
    while (recordsOf(home).length < 7 && child.exitCode === null) await sleep(20);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    const before = recordsOf(home).length;
    const { code, json } = await cli(home, [...argv, "--json"]);
    const result = json<RunJson>();
    expect(code).toBe(0);
    expect(result.kept).toBeGreaterThanOrEqual(before);
    expect(result.kept + result.executed).toBe(result.planned);
    const keys = recordsOf(home).map(keyOf);
    expect(keys).toHaveLength(result.planned);
    expect(new Set(keys).size).toBe(result.planned);
  });

  it("ends with 130 on Ctrl-C and keeps what is finished", async () => {
    const home = temporaryFolder();
    const argv = sampleRun("--set", "datasets=[qasper]", "--concurrency", "1");
    const { child, ended } = spawnCli(home, argv);
    while (recordsOf(home).length < 3 && child.exitCode === null) await sleep(20);
    child.kill("SIGINT");
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("the same command continues");
    expect(recordsOf(home).length).toBeGreaterThanOrEqual(3);
  });

  it("says the same at any concurrency, byte for byte", async () => {
    const [one, many] = [temporaryFolder(), temporaryFolder()];
    const args = ["--set", "datasets=[wixqa]", "--limit", "6"];
    await cli(one, sampleRun(...args, "--concurrency", "1"));
    await cli(many, sampleRun(...args, "--concurrency", "16"));
    for (const name of ["results.csv", "results.md", "results.tex", "pareto-cost.svg"]) {
      const read = (home: string) =>
        readFileSync(join(home, "runs", "quickstart", "report", name), "utf8");
      expect(read(many)).toBe(read(one));
    }
    const pages = (home: string) => filesOf(join(home, "runs", "quickstart", "report", "html"));
    expect(pages(many)).toEqual(pages(one));
  });
});
