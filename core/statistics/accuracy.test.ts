import { describe, expect, it } from "vitest";
import type { JudgementValue } from "../record.ts";
import { accuracy } from "./accuracy.ts";

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
