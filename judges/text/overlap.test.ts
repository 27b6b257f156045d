import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeAnswer } from "./normalize.ts";
import { bestOverlap, exactMatch, tokenF1, tokenRecall } from "./overlap.ts";

describe("normalizeAnswer", () => {
  it("lowers, strips punctuation and articles, collapses blanks", () => {
    expect(normalizeAnswer("  The quick-ratio, was\n $1,577.00 (an increase)! ")).toBe(
      "quickratio was 157700 increase",
    );
    expect(normalizeAnswer("a theory of the Anthem")).toBe("theory of anthem");
  });
});

describe("token overlap, worked on paper", () => {
  // gold: red red fish -> {red 2, fish 1}; answer: red fish swims fast
  const gold = "Red, red fish";
  const answer = "The red fish swims fast.";

  it("counts recall as a multiset", () => {
    expect(tokenRecall(answer, gold)).toBeCloseTo(2 / 3, 12);
  });

  it("has F1 from shared, gold and answer words", () => {
    // precision 2/4, recall 2/3: 2 x 0.5 x 0.6667 / 1.1667
    expect(tokenF1(answer, gold)).toBeCloseTo(4 / 7, 12);
  });

  it("matches exactly after normalisation only", () => {
    expect(exactMatch("The red, red fish.", gold)).toBe(1);
    expect(exactMatch(answer, gold)).toBe(0);
  });

  it("takes the best gold, and has no value without one", () => {
    expect(bestOverlap(tokenRecall, answer, ["nothing here", gold])).toBeCloseTo(2 / 3, 12);
    expect(bestOverlap(tokenRecall, answer, [])).toBeUndefined();
  });

  it("is 0 for an empty answer to a gold with words", () => {
    expect(tokenRecall("", gold)).toBe(0);
    expect(tokenF1("", gold)).toBe(0);
  });
});

describe("token overlap", () => {
  const text = fc
    .array(fc.constantFrom("red", "fish", "the", "swims", "1,577", "!"))
    .map((w) => w.join(" "));

  it("stays between 0 and 1, ignores word order, and is 1 on itself", () => {
    fc.assert(
      fc.property(text, text, (answer, gold) => {
        for (const overlap of [tokenRecall, tokenF1, exactMatch]) {
          const value = overlap(answer, gold);
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          expect(overlap(gold, gold)).toBe(1);
        }
        const reversed = answer.split(" ").reverse().join(" ");
        expect(tokenRecall(reversed, gold)).toBe(tokenRecall(answer, gold));
        expect(tokenF1(answer, gold)).toBeCloseTo(tokenF1(gold, answer), 12);
      }),
    );
  });
});
