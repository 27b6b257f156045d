import { describe, expect, it } from "vitest";
import type { Outcome } from "../method.ts";
import type { JudgementValue } from "../record.ts";
import { behaviourTable } from "./behaviour.ts";
import { complementarity } from "./complementarity.ts";
import { classifyFailure, failureTable } from "./failure.ts";

const right: JudgementValue = { kind: "verdict", correct: true };
const wrong: JudgementValue = { kind: "verdict", correct: false };

describe("classifyFailure", () => {
  const unit = (read: boolean, shown: boolean, retrieved: boolean | null) => ({
    read,
    shown,
    retrieved,
  });
  const kind = (
    outcome: Outcome,
    verdict: JudgementValue | undefined,
    units?: readonly ReturnType<typeof unit>[],
  ) =>
    classifyFailure({
      record: { outcome },
      verdict,
      evidence: units === undefined ? undefined : { details: { units } },
    });

  it.each<[Outcome, string]>([
    ["error", "error"],
    ["refused", "refused"],
    ["truncated", "truncated"],
    ["context_overflow", "context"],
    ["budget_exhausted", "budget"],
    ["empty", "empty"],
  ])("takes a wrong %s for %s", (outcome, expected) => {
    expect(kind(outcome, wrong, [unit(false, false, false)])).toBe(expected);
  });

  it("lets a correct answer be correct however it ended", () => {
    expect(kind("budget_exhausted", right)).toBe("correct");
  });

  it("finds the stage at which gold was lost", () => {
    expect(kind("answered", wrong, [unit(true, true, true)])).toBe("read_but_wrong");
    expect(kind("answered", wrong, [unit(true, true, true), unit(false, true, true)])).toBe(
      "shown_not_read",
    );
    expect(kind("answered", wrong, [unit(false, true, true), unit(false, false, true)])).toBe(
      "retrieved_not_shown",
    );
    expect(kind("answered", wrong, [unit(false, true, true), unit(false, false, false)])).toBe(
      "not_retrieved",
    );
    expect(kind("answered", wrong, [unit(false, false, null)])).toBe("not_retrieved");
  });

  it("does not blame anyone without evidence, verdict or gold", () => {
    expect(kind("answered", wrong)).toBe("wrong_no_evidence");
    expect(kind("answered", { kind: "unscored", reason: "parse" })).toBe("judge_unsure");
    expect(kind("answered", { kind: "unscored", reason: "no_gold" })).toBe("not_judged");
    expect(kind("answered", undefined)).toBe("not_judged");
  });

  it("counts by method", () => {
    const rows = [
      { method: "a", kind: "correct" as const },
      { method: "b", kind: "error" as const },
      { method: "a", kind: "correct" as const },
    ];
    expect(failureTable(rows)).toEqual([
      { method: "a", total: 2, counts: { correct: 2 } },
      { method: "b", total: 1, counts: { error: 1 } },
    ]);
  });
});

describe("behaviourTable", () => {
  const record = (
    questionId: string,
    toc: number,
    content: number,
    reads: number,
    outcome: Outcome = "answered",
  ) => ({
    dataset: "d",
    method: "rit-rag",
    model: "m",
    questionId,
    outcome,
    toolCalls: { get_toc_structure: toc, get_content: content },
    reads: new Array(reads),
    modelCalls: toc + content + 1,
  });

  it("gives means per question, repeats first, errors left out", () => {
    // q1: content (1 + 3) / 2 = 2, reads (4 + 8) / 2 = 6; q2: content 1, reads 3.
    const [row] = behaviourTable([
      record("q1", 1, 1, 4),
      record("q1", 1, 3, 8),
      record("q2", 2, 1, 3),
      record("q3", 9, 9, 9, "error"),
    ]);
    expect(row).toEqual({
      dataset: "d",
      method: "rit-rag",
      model: "m",
      questions: 2,
      errors: 1,
      callsTotal: 3,
      callsByTool: { get_content: 1.5, get_toc_structure: 1.5 },
      itemsRead: 4.5,
      itemsPerReadCall: 3,
      modelCalls: 4,
    });
  });

  it("has no mean where everything broke", () => {
    expect(behaviourTable([record("q1", 1, 1, 1, "error")])[0]).toMatchObject({
      questions: 0,
      callsTotal: null,
      itemsPerReadCall: null,
    });
  });
});

describe("complementarity", () => {
  const verdicts = (correct: string, all = "abcdefgh") =>
    new Map([...all].map((id) => [id, correct.includes(id)]));

  it("counts Appendix H's cases and all eight Venn regions", () => {
    const result = complementarity({ name: "rit", verdicts: verdicts("abce") }, [
      { name: "page", verdicts: verdicts("abd") },
      { name: "agent", verdicts: verdicts("acf", "abcdefg") },
    ]);
    expect(result).toMatchObject({ n: 7, leftOut: 1 });
    // Only page right: b, d (rit right on b). Only agent right: c, f (rit right on c). Both wrong: e, g (rit: e).
    expect(result.cases).toEqual([
      { right: ["page"], wrong: ["agent"], questions: 2, targetCorrect: 1 },
      { right: ["agent"], wrong: ["page"], questions: 2, targetCorrect: 1 },
      { right: [], wrong: ["page", "agent"], questions: 2, targetCorrect: 1 },
    ]);
    const regions = result.regions.map(
      ({ methods, questions }) => `${methods.join("+")}:${questions.join("")}`,
    );
    expect(regions).toEqual([
      "rit+page+agent:a",
      "rit+page:b",
      "rit+agent:c",
      "page+agent:",
      "rit:e",
      "page:d",
      "agent:f",
      ":g",
    ]);
  });
});
