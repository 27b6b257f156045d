import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge, JudgeResult } from "../../core/judge.ts";
import { ModelError } from "../../core/model-error.ts";
import type { Question } from "../../core/question.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import {
  type Answering,
  bareResources,
  oneCall,
  openToyStore,
  questions,
  toyMethod,
  toyModel,
  toyPlan,
} from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { executeRun } from "../run/execute.ts";
import { type JudgeRunOptions, judgeRun } from "./judge-run.ts";

const never = new AbortController().signal;

/** Generates a stored run of `count` questions and counts the generations. */
async function storedRun(
  folder: string,
  answering: Answering = (id) => `gold ${id}`,
  more: Partial<Question> = {},
) {
  const all = questions(6).map((question) => ({ ...question, ...more }));
  const dataset = {
    name: "toy",
    shared: bareResources(),
    questions: all,
    methods: [toyMethod(answering)],
  };
  const plan = toyPlan({ datasets: [dataset] });
  const store = await openToyStore(folder, plan);
  const result = await executeRun({
    plan,
    store,
    concurrency: 1,
    signal: never,
    retryErrors: true,
  });
  store.close();
  return result.folder;
}

/** A judge that notes whom it judged. */
function spyJudge(
  rule: (id: string) => JudgeResult | Promise<JudgeResult>,
  name = "spy",
  version = 1,
) {
  const judged: string[] = [];
  const judge: Judge = {
    name,
    fingerprint: fingerprint({ name, version }),
    needsModel: false,
    async judge(question) {
      judged.push(question.id);
      return rule(question.id);
    },
  };
  return { judge, judged };
}

const correct: JudgeResult = { value: { kind: "verdict", correct: true } };
const incorrect: JudgeResult = { value: { kind: "verdict", correct: false } };

const pass = (folder: string, judges: readonly Judge[], more: Partial<JudgeRunOptions> = {}) =>
  judgeRun({
    folder,
    seats: judges.map((judge) => ({ judge })),
    corpora: {},
    concurrency: 4,
    signal: never,
    ...more,
  });

describe("judgeRun", () => {
  it("stores a judgement per record and never judges the same twice", async () => {
    const folder = await storedRun(temporaryFolder());
    const spy = spyJudge(() => correct);
    const first = await pass(folder, [spy.judge]);
    expect(first.judges).toMatchObject([{ name: "spy", judged: 6, kept: 0, unscored: {} }]);
    const second = await pass(folder, [spy.judge]);
    expect(second.judges).toMatchObject([{ judged: 0, kept: 6 }]);
    expect(spy.judged).toHaveLength(6);
    const run = openRun(folder);
    expect(run.judges()).toEqual(["spy"]);
    expect(run.manifest.judges).toMatchObject([{ name: "spy" }]);
    expect(run.judgements("spy").get(run.keys[0]!)).toMatchObject({
      questionId: "q1",
      value: correct.value,
    });
  });

  it("judges again when the judge's prompt or rules have changed, and reads the new ones", async () => {
    const folder = await storedRun(temporaryFolder());
    await pass(folder, [spyJudge(() => correct).judge]);
    const stricter = spyJudge(() => incorrect, "spy", 2);
    expect((await pass(folder, [stricter.judge])).judges[0]).toMatchObject({ judged: 6, kept: 0 });
    const run = openRun(folder);
    expect(run.judgements("spy").get(run.keys[0]!)?.value).toEqual(incorrect.value);
  });

  it("loses nothing when the judge throws on question 5, and tries that one again", async () => {
    const folder = await storedRun(temporaryFolder());
    const generations = readFileSync(join(folder, "records.jsonl"), "utf8");
    const broken = spyJudge((id) => {
      if (id === "q5") throw new Error("judge fell over");
      return correct;
    });
    const first = await pass(folder, [broken.judge]);
    expect(first.judges[0]).toMatchObject({ judged: 6, unscored: { judge_error: 1 } });
    const mended = spyJudge(() => correct);
    const second = await pass(folder, [mended.judge]);
    expect(mended.judged).toEqual(["q5"]);
    expect(second.judges[0]).toMatchObject({ judged: 1, kept: 5, unscored: {} });
    expect(readFileSync(join(folder, "records.jsonl"), "utf8")).toBe(generations);
  });

  it("judges an answer again that a retry has replaced", async () => {
    const runs = temporaryFolder();
    let down = true;
    const answering: Answering = (id) => {
      if (down && id === "q2") throw new Error("down");
      return `gold ${id}`;
    };
    const folder = await storedRun(runs, answering);
    const spy = spyJudge(() => correct);
    await pass(folder, [spy.judge]);
    down = false;
    await storedRun(runs, answering);
    const run = openRun(folder);
    expect(run.judgements("spy").get(run.keys[1]!)).toBeUndefined();
    expect(run.problems).toMatchObject([{ kind: "stale_judgement" }]);
    await pass(folder, [spy.judge]);
    expect(spy.judged.slice(6)).toEqual(["q2"]);
  });

  it("joins by key at any concurrency and with random delays", async () => {
    const folder = await storedRun(temporaryFolder());
    const late = spyJudge(async (id) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      return { ...correct, reply: id };
    });
    await pass(folder, [late.judge], { concurrency: 16 });
    const run = openRun(folder);
    const table = run.judgements("spy");
    expect(run.keys.map((key) => table.get(key)?.reply)).toEqual(
      run.keys.map((key) => key.questionId),
    );
  });

  it("takes a majority or unanimity of several judges", async () => {
    const folder = await storedRun(temporaryFolder());
    const yes = spyJudge(() => correct, "yes").judge;
    const odd = spyJudge((id) => (Number(id.slice(1)) % 2 ? correct : incorrect), "odd").judge;
    const silent = spyJudge(
      (id) => (id === "q1" ? correct : { value: { kind: "unscored", reason: "parse" } }),
      "silent",
    ).judge;
    const verdicts = (panel: string) => {
      const run = openRun(folder);
      const table = run.judgements(`panel:${panel}`);
      return run.keys.slice(0, 3).map((key) => {
        const value = table.get(key)?.value;
        return value?.kind === "verdict"
          ? value.correct
          : value?.kind === "unscored" && value.reason;
      });
    };
    await pass(folder, [yes, odd, silent], { panel: "majority" });
    // q1: 3 right. q2: 1 right, 1 wrong, 1 silent. q3: 2 right of 3.
    expect(verdicts("majority")).toEqual([true, "disagreement", true]);
    await pass(folder, [yes, odd, silent], { panel: "unanimity" });
    expect(verdicts("unanimity")).toEqual([true, false, "disagreement"]);
    expect(openRun(folder).manifest.judges.map(({ name }) => name)).toContain("panel:majority");
  });

  it("names the judge of the last pass first, and no scorer before it", async () => {
    const folder = await storedRun(temporaryFolder());
    const names = () => openRun(folder).manifest.judges.map(({ name }) => name);
    const scorer = spyJudge(() => ({ value: { kind: "score", score: 1 } }), "scorer").judge;
    const [first, second] = ["first", "second"].map((name) => spyJudge(() => correct, name).judge);
    await pass(folder, [scorer, first!]);
    expect(names()).toEqual(["first", "scorer"]);
    await pass(folder, [second!]);
    expect(names()).toEqual(["second", "first", "scorer"]);
    await pass(folder, [scorer]);
    expect(names()[0]).toBe("second");
    await pass(folder, [first!, second!], { panel: "majority" });
    expect(names().slice(0, 2)).toEqual(["panel:majority", "first"]);
    await pass(folder, [first!]);
    expect(names()[0]).toBe("first");
  });

  it("keeps the judge's money apart and stops at its cap", async () => {
    const folder = await storedRun(temporaryFolder());
    const records = readFileSync(join(folder, "records.jsonl"), "utf8");
    const paying = spyJudge((id) => {
      if (id === "q4") throw new ModelError("budget", "cap reached");
      return { ...correct, usage: oneCall };
    });
    const result = await pass(folder, [paying.judge], { concurrency: 1 });
    expect(result).toMatchObject({ status: "budget", budget: "cap reached" });
    expect(result.judges[0]).toMatchObject({ judged: 3 });
    expect(result.judges[0]!.costUsd).toBeCloseTo(0.03, 12);
    expect(readFileSync(join(folder, "records.jsonl"), "utf8")).toBe(records);
  });

  it("refuses an unequipped or doubled judge", async () => {
    const folder = await storedRun(temporaryFolder());
    const { judge } = spyJudge(() => correct);
    await expect(pass(folder, [judge, judge])).rejects.toMatchObject({ code: "E_JUDGE_TWICE" });
    await expect(pass(folder, [{ ...judge, needsModel: true }])).rejects.toMatchObject({
      code: "E_JUDGE_MODEL",
    });
    const model = toyModel().forRepeat(0);
    const seats = [
      { judge, model, name: "a" },
      { judge, model, name: "b" },
    ];
    expect((await pass(folder, [], { seats })).judges.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  it("goes on after a torn line of its own file", async () => {
    const folder = await storedRun(temporaryFolder());
    const { judge } = spyJudge(() => correct);
    await pass(folder, [judge]);
    appendFileSync(join(folder, "judgements", "spy.jsonl"), '{"schema":"ritbench.judgem');
    expect((await pass(folder, [judge])).judges[0]).toMatchObject({ judged: 0, kept: 6 });
    const run = openRun(folder);
    run.judgements("spy");
    expect(run.problems).toEqual([]);
  });

  it("does not judge questions without gold as wrong", async () => {
    const folder = await storedRun(temporaryFolder(), undefined, { goldAnswers: [] });
    expect(openRun(folder).problems.map(({ kind }) => kind)).toEqual(Array(6).fill("no_gold"));
  });
});
