import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { keyOf, type RunManifest, type RunRecord } from "../record.ts";
import { noUsage } from "../usage.ts";
import { openRun } from "./open-run.ts";
import { judgementFileName, traceFileName } from "./paths.ts";
import { countProblems } from "./problem.ts";

function record(questionId: string, more: Partial<RunRecord> = {}): RunRecord {
  const key = { dataset: "toy", method: "m1", model: "x", questionId, repeat: 0, ...more };
  return {
    schema: "ritbench.record/1",
    outcome: "answered",
    answer: `answer ${questionId}`,
    reasoning: "",
    sources: [],
    flags: [],
    reads: [],
    shownNodes: [],
    toolCalls: {},
    modelCalls: 1,
    usage: noUsage,
    wallMs: 1,
    trace: traceFileName(key),
    ...key,
  };
}

const manifest = {
  schema: "ritbench.run/1",
  id: "r",
  name: "r",
  datasets: [{ name: "toy" }],
  methods: [{ name: "m1" }, { name: "m2" }],
  models: [{ id: "x" }],
  judges: [],
} as unknown as RunManifest;

function question(id: string, ordinal: number, goldAnswers = ["g"]) {
  const own = {
    id,
    dataset: "toy",
    text: id,
    goldAnswers,
    evidence: [],
    answerable: true,
    meta: {},
  };
  return { schema: "ritbench.question/1", ordinal, question: own };
}

/** Writes a run by hand: reading must not rest on the writer. */
function runOnDisk(
  records: readonly (RunRecord | string)[],
  questions: readonly object[] = [],
): string {
  const folder = temporaryFolder();
  const lines = (rows: readonly unknown[]) =>
    rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(folder, "records.jsonl"), lines(records));
  writeFileSync(join(folder, "questions.jsonl"), lines(questions));
  mkdirSync(join(folder, "traces"));
  for (const row of records) {
    if (typeof row === "string") continue;
    const trace = { schema: "ritbench.trace/1", key: keyOf(row), events: [] };
    writeFileSync(join(folder, "traces", traceFileName(row)), JSON.stringify(trace));
  }
  return folder;
}

describe("openRun", () => {
  it("orders records by data set, question, method and repeat, however they were written", () => {
    const run = openRun(
      runOnDisk(
        [
          record("b", { method: "m2" }),
          record("a", { repeat: 1 }),
          record("b"),
          record("a", { method: "m2" }),
          record("a"),
        ],
        [question("b", 1), question("a", 0)],
      ),
    );
    expect(run.keys.map((key) => `${key.questionId}${key.method}${key.repeat}`)).toEqual([
      "am10",
      "am11",
      "am20",
      "bm10",
      "bm20",
    ]);
    expect(run.problems).toEqual([]);
    expect(run.questions().map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("takes the last success of a question, and the last error where there is none", () => {
    const error = (id: string, message: string) =>
      record(id, { outcome: "error", error: { code: "E", message } });
    const run = openRun(
      runOnDisk([error("a", "1"), record("a"), error("a", "2"), error("b", "1"), error("b", "2")]),
    );
    expect([...run.records()].map((row) => row.error?.message ?? row.answer)).toEqual([
      "answer a",
      "2",
    ]);
    expect(run.failed(run.keys[1]!)).toBe(true);
  });

  it("names and counts every line it passes over", () => {
    const folder = runOnDisk(
      [
        record("a"),
        "{ not json",
        JSON.stringify({ ...record("b"), schema: "ritbench.record/9" }),
        JSON.stringify({ schema: "ritbench.record/1", answer: "no key" }),
        '"text"',
      ],
      [question("a", 0)],
    );
    appendFileSync(join(folder, "records.jsonl"), '{"schema":"ritbench.re');
    const run = openRun(folder);
    expect(run.keys).toHaveLength(1);
    expect(run.problems.map(({ kind, where }) => `${kind} ${where}`)).toEqual([
      "unreadable_line records.jsonl:2",
      "other_version records.jsonl:3",
      "unreadable_line records.jsonl:4",
      "unreadable_line records.jsonl:5",
      "torn_line records.jsonl:6",
    ]);
    expect(countProblems(run.problems)[0]).toMatchObject({
      count: 3,
      sentence: "3 x unreadable line (first: records.jsonl:2)",
    });
  });

  it("reads a manifest of another version as far as it goes", () => {
    const folder = runOnDisk([record("a")], [question("a", 0)]);
    writeFileSync(
      join(folder, "manifest.json"),
      JSON.stringify({ schema: "ritbench.run/7", id: "r" }),
    );
    const run = openRun(folder);
    expect(run.manifest).toMatchObject({ id: "r", name: "unknown", methods: [] });
    expect(run.problems).toMatchObject([{ kind: "other_version", where: "manifest.json" }]);
    expect(run.keys).toHaveLength(1);
  });

  it("names missing and broken traces, missing questions and missing golds", () => {
    const folder = runOnDisk(
      [record("a"), record("b"), record("c")],
      [question("a", 0), question("b", 1, [])],
    );
    rmSync(join(folder, "traces", traceFileName(record("a"))));
    writeFileSync(join(folder, "traces", traceFileName(record("b"))), "{");
    const run = openRun(folder);
    expect(run.problems.map(({ kind }) => kind)).toEqual([
      "missing_trace",
      "no_gold",
      "no_question",
    ]);
    expect(run.trace(run.record(run.keys[0]!)!)).toBeUndefined();
    expect(run.trace(run.record(run.keys[1]!)!)).toBeUndefined();
    expect(run.problems.at(-1)).toMatchObject({ kind: "unreadable_trace" });
    expect(run.trace(run.record(run.keys[2]!)!)?.events).toEqual([]);
  });

  it("never follows a trace name out of the run", () => {
    const folder = runOnDisk(
      [{ ...record("a"), trace: "../../manifest.json" }],
      [question("a", 0)],
    );
    const run = openRun(folder);
    expect(run.trace(run.record(run.keys[0]!)!)?.key).toBe(keyOf(run.keys[0]!));
  });

  it("says what is missing where there is no run", () => {
    expect(() => openRun(temporaryFolder())).toThrow(
      expect.objectContaining({ code: "E_RUN_MISSING" }),
    );
  });

  it("reads judgements of the judge the manifest names, and the last of each key", () => {
    const folder = runOnDisk([record("a")], [question("a", 0)]);
    const judgement = (judgeFingerprint: string, correct: boolean) =>
      `${JSON.stringify({ ...record("a"), schema: "ritbench.judgement/1", judge: "j", judgeFingerprint, value: { kind: "verdict", correct } })}\n`;
    mkdirSync(join(folder, "judgements"));
    writeFileSync(
      join(folder, "judgements", judgementFileName("j")),
      [judgement("old", true), judgement("old", false), judgement("new", true), "torn"].join(""),
    );
    const run = openRun(folder);
    const correct = (fingerprint?: string) =>
      run.judgements("j", fingerprint as never).get(run.keys[0]!)?.value;
    expect(correct()).toEqual({ kind: "verdict", correct: true });
    expect(correct("old")).toEqual({ kind: "verdict", correct: false });
    expect(correct("none")).toBeUndefined();
    expect(run.judges()).toEqual(["j"]);
    expect(run.problems.map(({ kind }) => kind)).toContain("torn_line");
  });
});

describe("file names", () => {
  it("stay inside their folder whatever the ids are", () => {
    const key = {
      dataset: "../..",
      method: "/etc",
      model: "a:b",
      questionId: "../../x\u0000",
      repeat: 0,
    };
    expect(traceFileName(key)).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(judgementFileName("../evil")).toMatch(/^[A-Za-z0-9._-]+$/);
    expect(judgementFileName("../evil")).not.toMatch(/^\.\.?$|\//);
    expect(judgementFileName("a:b")).not.toBe(judgementFileName("a_b"));
  });
});
