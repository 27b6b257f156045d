import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRun } from "../../core/run-folder/open-run.ts";
import { createLexicalJudge } from "../../judges/lexical/lexical.ts";
import { createTokenRecallJudge } from "../../judges/text/answer-overlap.ts";
import { judgeRun } from "../../pipelines/judging/judge-run.ts";
import { executeRun } from "../../pipelines/run/execute.ts";
import {
  type Answering,
  bareResources,
  openToyStore,
  question,
  toyMethod,
  toyPlan,
} from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { terminalTable } from "../table/terminal.ts";
import { compareRuns } from "./compare-runs.ts";
import { comparisonTable } from "./compare-table.ts";

const never = new AbortController().signal;
const right = (id: string): string => `It is $${id.slice(1)}7.00`;
/** Right on the questions up to a number. */
const upTo =
  (limit: number): Answering =>
  (id) =>
    Number(id.slice(1)) <= limit ? right(id) : "no idea";

interface Made {
  name?: string;
  answering?: Answering;
  method?: string;
  judges?: readonly ReturnType<typeof createLexicalJudge>[];
  repeats?: number;
  corpus?: string;
}

/** A stored and judged run of 20 questions whose gold for `q3` is `$37.00`. */
async function made({
  name = "run",
  answering = upTo(20),
  method = "m",
  judges,
  repeats,
  corpus,
}: Made) {
  const all = Array.from({ length: 20 }, (_, i) =>
    question(`q${i + 1}`, { goldAnswers: [`$${i + 1}7.00`] }),
  );
  const dataset = {
    name: "toy",
    shared: bareResources(corpus),
    questions: all,
    methods: [toyMethod(answering, method)],
  };
  const plan = toyPlan({
    name,
    datasets: [dataset],
    ...(repeats === undefined ? {} : { repeats }),
  });
  const store = await openToyStore(temporaryFolder(), plan);
  await executeRun({ plan, store, concurrency: 1, signal: never, now: () => 0 });
  store.close();
  const seats = (judges ?? [createLexicalJudge(), createTokenRecallJudge()]).map((judge) => ({
    judge,
  }));
  await judgeRun({ folder: store.folder, seats, corpora: {}, concurrency: 1, signal: never });
  return openRun(store.folder);
}

describe("compareRuns", () => {
  it("finds no difference between identical runs", async () => {
    const run = await made({ answering: upTo(12) });
    const { pairs, sentences } = compareRuns(run, run);
    expect(pairs[0]).toMatchObject({ p: 1, adjustedP: 1, mcnemar: { onlyBase: 0, onlyNew: 0 } });
    for (const { difference } of pairs[0]!.measures)
      expect(difference).toMatchObject({ mean: 0, p: 1 });
    expect(sentences).toEqual([
      "toy: no difference: m (new) 60.0% against m (base) 60.0% on 20 questions, the same ones right",
    ]);
  });

  it("pairs the one method of each run, with exact McNemar and the other measures", async () => {
    const [base, next] = [
      await made({ answering: upTo(6) }),
      await made({ answering: upTo(16), method: "n" }),
    ];
    const comparison = compareRuns(base, next);
    const [pair] = comparison.pairs;
    // 10 discordant, all for the new one: 2 / 1024.
    expect(pair!.p).toBeCloseTo(2 / 1024, 12);
    expect(comparison.sentences[0]).toBe(
      "toy: better: n 80.0% against m 30.0% on 20 questions (+50.0 points; 10 only with n, 0 only with m; exact McNemar p = 0.002)",
    );
    expect(pair!.measures.map(({ name }) => name)).toEqual([
      "tokenRecall",
      "toolCalls",
      "inputTokens",
      "outputTokens",
      "costUsd",
      "llmMs",
    ]);
    const table = terminalTable(comparisonTable(comparison), 400);
    expect(table).toContain("+50.0 points");
    expect(table).toContain("would be shown 80% of the time");
  });

  it("refuses runs with different judge fingerprints and says how to mend it", async () => {
    const other = { ...createLexicalJudge(), fingerprint: "another" as never };
    const [base, next] = [await made({}), await made({ judges: [other] })];
    expect(() => compareRuns(base, next)).toThrow(
      expect.objectContaining({
        code: "E_COMPARE_JUDGES",
        details: expect.objectContaining({ next: expect.stringContaining("ritbench judge run") }),
      }),
    );
    await judgeRun({
      folder: next.folder,
      seats: [{ judge: createLexicalJudge() }],
      corpora: {},
      concurrency: 1,
      signal: never,
    });
    expect(compareRuns(base, openRun(next.folder)).pairs[0]!.p).toBe(1);
  });

  it("refuses runs without a judge in common", async () => {
    const [base, next] = [await made({}), await made({ judges: [] })];
    expect(() => compareRuns(base, next)).toThrow(
      expect.objectContaining({ code: "E_COMPARE_UNJUDGED" }),
    );
    expect(() => compareRuns(base, base, { judge: "nobody" })).toThrow(
      expect.objectContaining({ code: "E_COMPARE_UNJUDGED" }),
    );
  });

  it("averages repeats within a question before it compares", async () => {
    const flaky = (period: number): Answering => {
      let asked = 0;
      return (id) => (asked++ % period === 0 ? "no idea" : right(id));
    };
    const base = await made({ answering: flaky(2), repeats: 2 });
    const next = await made({ answering: upTo(20), repeats: 2 });
    const [pair] = compareRuns(base, next).pairs;
    expect(pair).toMatchObject({
      accuracy: { base: 0.5, next: 1 },
      bootstrap: { n: 20, mean: 0.5 },
    });
    expect(pair!.mcnemar).toBeUndefined();
  });

  it("counts errors that are new and leaves them out of the test", async () => {
    const broken: Answering = (id) => {
      if (id === "q1" || id === "q2") throw new Error("down");
      return right(id);
    };
    const [pair] = compareRuns(await made({}), await made({ answering: broken })).pairs;
    expect(pair).toMatchObject({
      errors: { base: 0, next: 2, added: 2 },
      unscored: { base: 0, next: 2 },
      mcnemar: { n: 18 },
    });
  });

  it("names what the runs do not share and what was unreadable", async () => {
    const [base, next] = [await made({}), await made({ corpus: "corpus-2" })];
    appendFileSync(join(next.folder, "records.jsonl"), "{");
    rmSync(join(next.folder, "traces"), { recursive: true });
    const comparison = compareRuns(base, openRun(next.folder));
    expect(comparison.caveats).toEqual(["toy: the runs do not share corpus"]);
    expect(comparison.problems.next.map(({ kind, count }) => [kind, count])).toEqual([
      ["torn_line", 1],
      ["missing_trace", 20],
    ]);
  });

  it("does not guess pairs", async () => {
    const [base, next] = [await made({}), await made({ method: "n" })];
    expect(() => compareRuns(base, next, { baseMethod: "zzz" })).toThrow(
      expect.objectContaining({ code: "E_COMPARE_NOTHING" }),
    );
    expect(compareRuns(base, next, { baseMethod: "m", nextMethod: "n" }).pairs).toHaveLength(1);
  });

  it("gives the same numbers every time", async () => {
    const [base, next] = [await made({ answering: upTo(6) }), await made({ answering: upTo(16) })];
    expect(compareRuns(base, next)).toEqual(compareRuns(base, next));
  });
});
