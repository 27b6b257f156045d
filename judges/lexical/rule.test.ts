import { describe, expect, it } from "vitest";
import { judgeByWords } from "./rule.ts";

const judge = (gold: string, answer: string, answerable = true): boolean =>
  judgeByWords({ gold, answer, answerable }).correct;

describe("judgeByWords", () => {
  it.each([
    ["$1577.00", "Capital expenditure was $1,577 million in FY2018."],
    ["-0.02", "The effective rate was negative 2%."],
    ["Yes", "Yes, it pays one every quarter."],
    [
      "No, margins declined from 36.8% to 34.6%.",
      "No. Margins fell from 36.8% to 34.6% in the year.",
    ],
    [
      "Open Settings, choose Members and press Invite.",
      "Go to Settings > Members, then press the Invite button.",
    ],
    ["There are none", "None: there are no such securities."],
  ])("takes a right answer to %j", (gold, answer) => {
    expect(judge(gold, answer)).toBe(true);
  });

  it.each([
    ["$1577.00", "Capital expenditure was $1,373 million."],
    ["-3.7", "It was 3.7 in the year."],
    ["Yes", "No, it does not."],
    ["Yes", "It depends on the quarter."],
    ["No, margins declined from 36.8% to 34.6%.", "Yes, margins declined from 36.8% to 34.6%."],
    ["Open Settings, choose Members and press Invite.", "Ask the vendor by phone."],
    ["$12 per seat", "The documents do not state the price."],
  ])("refuses a wrong answer to %j", (gold, answer) => {
    expect(judge(gold, answer)).toBe(false);
  });

  it("wants an unanswerable question to be called so", () => {
    expect(judge("Not stated.", "The filings do not disclose this.", false)).toBe(true);
    expect(judge("Not stated.", "It is 12 million.", false)).toBe(false);
  });

  it("says what decided", () => {
    const ruling = judgeByWords({ gold: "24.5%", answer: "About 30%.", answerable: true });
    expect(ruling.because).toBe("0 of 1 figures");
  });
});
