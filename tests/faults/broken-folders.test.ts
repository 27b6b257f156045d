import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type CliResult, cli } from "../support/cli.ts";
import { type ModelLab, modelLab } from "../support/model-lab.ts";

let lab: ModelLab;
let folder: string;

function ritbench(...argv: string[]): Promise<CliResult> {
  return cli(lab.home, argv);
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(folder, file);
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

function editManifest(change: object): void {
  edit("manifest.json", (text) => JSON.stringify({ ...JSON.parse(text), ...change }));
}

/** What a person can act on: a code, no stack trace, nothing on standard output. */
function expectMendable({ code, stdout, stderr }: CliResult, ...named: string[]): void {
  expect(code).toBe(1);
  expect(stdout).toBe("");
  for (const text of named) expect(stderr).toContain(text);
  expect(stderr).not.toMatch(/^\s+at |undefined/m);
}

beforeEach(async () => {
  lab = await modelLab({ questions: 4 });
  folder = join(lab.home, "runs", "lab");
  expect((await lab.run()).code).toBe(0);
});

describe("a run folder that is not whole", () => {
  it("names a torn last line in reports, and asks nothing again that is whole", async () => {
    const whole = readFileSync(join(folder, "records.jsonl"), "utf8");
    appendFileSync(join(folder, "records.jsonl"), '{"schema":"ritbench.rec');
    const report = await ritbench("report", "latest", "--json");
    expect(report.json<{ problems: object[] }>().problems).toMatchObject([
      { kind: "torn_line", count: 1, first: "records.jsonl:5" },
    ]);
    const again = await lab.run();
    expect(again.stderr).toContain("torn last line");
    expect(lab.answerCalls()).toHaveLength(4);
    expect(readFileSync(join(folder, "records.jsonl"), "utf8")).toBe(whole);
  });

  it("counts garbage, lost traces and lost questions, and reports the rest", async () => {
    edit("records.jsonl", (text) => `garbage\n{"a":1}\n${text}`);
    rmSync(join(folder, "traces"), { recursive: true });
    rmSync(join(folder, "questions.jsonl"));
    const { code, json } = await ritbench("report", "lab", "--json");
    expect(code).toBe(0);
    expect(json<{ problems: { kind: string; count: number }[] }>().problems).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "unreadable_line", count: 2 }),
        expect.objectContaining({ kind: "missing_trace", count: 4 }),
        expect.objectContaining({ kind: "no_question", count: 4 }),
      ]),
    );
    const shown = await ritbench("show", "lab", "q01");
    expect(shown.stdout).toContain("(the trace is missing or unreadable)");
  });

  it("lists a torn manifest, says what to do, and lets another run of the name start", async () => {
    edit("manifest.json", (text) => text.slice(0, 100));
    expect((await ritbench("runs")).stdout).toContain("unreadable");
    for (const argv of [
      ["report", "lab"],
      ["judge", "lab"],
      ["show", "lab", "q01"],
    ]) {
      expectMendable(await ritbench(...argv), "E_RUN_MISSING", "manifest.json", "next:");
    }
    expectMendable(await lab.run(), "E_RUN_MISSING", "--new");
    const fresh = await lab.run("--new", "--json");
    expect(fresh.json()).toMatchObject({ run: "lab-2", executed: 4 });
  });

  it.each([
    ["fields of another type", { datasets: "x", methods: null, judges: 3 }],
    ["lists of something else", { models: [1, 2] }],
  ])("does not fall over %s", async (_, change) => {
    editManifest(change);
    expect((await ritbench("runs", "--json")).code).toBe(0);
    expectMendable(await ritbench("report", "lab"), "E_RUN_MISSING", Object.keys(change)[0]!);
    expectMendable(await ritbench("judge", "lab"), "E_RUN_MISSING");
  });

  it("takes a readable run for the latest, not an empty manifest", async () => {
    cpSync(folder, join(lab.home, "runs", "empty"), { recursive: true });
    writeFileSync(join(lab.home, "runs", "empty", "manifest.json"), "{}");
    const { json } = await ritbench("report", "latest", "--json");
    expect(json()).toMatchObject({ run: "lab" });
    expect((await ritbench("report", "empty", "--json")).json()).toMatchObject({ run: "empty" });
  });
});

describe("a run folder from another version", () => {
  it("is reported with a mark, never continued, and never asked again behind one's back", async () => {
    editManifest({ schema: "ritbench.run/9", programVersion: "9.1.0", datasets: { new: "shape" } });
    const { code, json } = await ritbench("report", "lab", "--json");
    expect(code).toBe(0);
    expect(json<{ problems: object[] }>().problems).toContainEqual(
      expect.objectContaining({ kind: "other_version", first: "manifest.json" }),
    );
    editManifest({ datasets: [] });
    expectMendable(await lab.run(), "E_RUN_VERSION", "ritbench.run/9", "9.1.0", "--new");
    expect(lab.answerCalls()).toHaveLength(4);
  });

  it("is not answered anew where its records are of another version", async () => {
    edit("records.jsonl", (text) => text.replaceAll("ritbench.record/1", "ritbench.record/2"));
    rmSync(join(lab.home, "cache"), { recursive: true });
    expectMendable(await lab.run(), "E_RUN_VERSION", "records.jsonl:1", "ritbench.record/2");
    expect(lab.answerCalls()).toHaveLength(4);
    const report = await ritbench("report", "lab", "--json");
    expect(report.json<{ problems: object[] }>().problems).toContainEqual(
      expect.objectContaining({ kind: "other_version", count: 4 }),
    );
  });
});

describe("a run whose corpus is gone", () => {
  it("can be judged again by whoever needs no corpus", async () => {
    rmSync(join(lab.home, "corpora"), { recursive: true });
    const argv = ["judge", "lab", "--judge", lab.judgeModel, "--json"];
    const { code, json, stderr } = await ritbench(...argv);
    expect(code).toBe(0);
    expect(stderr).toContain("beacons: its corpus is not in the home folder");
    expect(json<{ rows: object[] }>().rows[0]).toMatchObject({ name: "binary", judged: 4 });
    expect(lab.judgeCalls()).toHaveLength(4);
    expect(lab.answerCalls()).toHaveLength(4);
  });
});
