import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseVerdict } from "./verdict.ts";

const right = { readable: true, correct: true };
const wrong = { readable: true, correct: false };
const unreadable = { readable: false, reason: "parse" };

describe("parseVerdict", () => {
  it.each([
    ["True", right],
    ["true.", right],
    [" FALSE ", wrong],
    ["**False**", wrong],
    ['"True"', right],
    ["`false`", wrong],
    ["\u201cTrue\u201d", right],
    ['```json\n{"verdict": true}\n```', right],
    ["```\nFalse\n```", wrong],
    ['{"correct": "False", "why": "other year"}', wrong],
    ["True, both give 1,577 million.", right],
    ["False - the sign differs.", wrong],
    ["The figures agree after rounding. True", right],
    ["The years differ.\n\n**False**", wrong],
    ["Both name the same menu, so the verdict is True.", right],
    ["Verdict: false", wrong],
    ["<think>It may be false, or true.</think>\nTrue", right],
  ])("reads %j", (reply, verdict) => {
    expect(parseVerdict(reply)).toEqual(verdict);
  });

  it.each([
    [""],
    ["   "],
    ["True or False"],
    ["True. On second thought, False."],
    ["The candidate agrees with the reference."],
    ["It is true that both name the menu, but the option is another one."],
    ["The claim is not true"],
    ["That the answer holds is hardly true"],
    ["Correct"],
    ["1"],
    ["untrue"],
    ["trueish"],
    ['{"correct": true, "verdict": false}'],
    ['{"score": 1}'],
    ['{"correct": tr'],
  ])("leaves %j unscored", (reply) => {
    expect(parseVerdict(reply)).toEqual(unreadable);
  });

  it("never reads a text without either word", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!/true|false/i.test(text));
        expect(parseVerdict(text)).toEqual(unreadable);
      }),
    );
  });

  it("never reads a text with both words as words", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (a, b, c) => {
        const text = `${a} True ${b} False ${c}`;
        fc.pre(!/[`{]|<think/.test(text));
        expect(parseVerdict(text)).toEqual(unreadable);
      }),
    );
  });
});
