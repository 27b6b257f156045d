import { describe, expect, it } from "vitest";
import type { JudgementValue } from "../record.ts";
import { accuracy, questionAccuracy } from "./accuracy.ts";

const right: JudgementValue = { kind: "verdict", correct: true };
const wrong: JudgementValue = { kind: "verdict", correct: false };
const unreadable: JudgementValue = { kind: "unscored", reason: "parse" };

describe("accuracy", () => {
  it("leaves unscored questions out of the share and prints them beside it", () => {
    const result = accuracy([right, right, right, wrong, unreadable]);
    expect(result).toMatchObject({ successes: 3, n: 4, total: 5, estimate: 0.75 });
    expect(result.unscored).toEqual({ parse: 1 });
    expect(result.sentence).toContain("3 of 4");
    expect(result.sentence).toContain("1 of 5 not scored (parse 1)");
  });

  it("counts unreadable verdicts as wrong when told to, and nothing else", () => {
    const noGold: JudgementValue = { kind: "unscored", reason: "no_gold" };
    const result = accuracy([right, unreadable, noGold], { unscoredAs: "wrong" });
    expect(result).toMatchObject({ successes: 1, n: 2, total: 3 });
    expect(result.sentence).toContain("1 of 3 not scored (no_gold 1)");
  });

  it("has no estimate when nothing could be scored", () => {
    expect(accuracy([unreadable, undefined]).estimate).toBeNull();
  });
});

describe("questionAccuracy", () => {
  const row = (questionId: string, value: JudgementValue) => ({ questionId, value });

  it("equals accuracy with one repeat", () => {
    const values = [right, wrong, unreadable];
    expect(questionAccuracy(values.map((value, i) => row(`q${i}`, value)))).toEqual(
      accuracy(values),
    );
  });

  it("counts questions, not repeats", () => {
    // a: 1/2, b: 1, c: only unreadable.
    const result = questionAccuracy([
      row("a", right),
      row("a", wrong),
      row("b", right),
      row("b", unreadable),
      row("c", unreadable),
    ]);
    expect(result).toMatchObject({
      n: 2,
      total: 3,
      successes: 1.5,
      estimate: 0.75,
      unscored: { parse: 2 },
    });
    // z^2 / n = 1.9207: (0.75 + 0.9604) / 2.9207 - 1.96 sqrt((0.1875 + 0.4802) / 2) / 2.9207 = 0.5856 - 0.3877.
    expect(result.low).toBeCloseTo(0.1979, 3);
  });

  it("has no estimate when no question was scored", () => {
    expect(questionAccuracy([row("a", unreadable), row("a", unreadable)])).toMatchObject({
      n: 0,
      estimate: null,
    });
  });
});
