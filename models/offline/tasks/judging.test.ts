import { describe, expect, it } from "vitest";
import type { Json } from "../../../core/json.ts";
import { respond } from "../index.ts";

function reply(task: string, hints: { [key: string]: Json }): string {
  return respond({
    task,
    role: "judge",
    repeat: 0,
    messages: [{ role: "user", content: "?" }],
    hints,
  }).message.content;
}

const goldAnswers = ["Payouts are sent weekly", "Every Monday"];

describe("judging by the offline model", () => {
  it("takes an answer with half of one gold's words for right", () => {
    expect(reply("judge.binary", { goldAnswers, answer: "They are sent weekly." })).toBe("True");
    expect(reply("judge.binary", { goldAnswers, answer: "every monday" })).toBe("True");
    expect(reply("judge.binary", { goldAnswers, answer: "By post." })).toBe("False");
    expect(reply("judge.binary", { goldAnswers, answer: "" })).toBe("False");
  });

  it("finds nuggets and scores in tenths by the same words", () => {
    expect(reply("judge.nugget", { nugget: "the limit is 500", answer: "a limit of 500" })).toBe(
      "True",
    );
    expect(reply("judge.nugget", { nugget: "the limit is 500", answer: "no" })).toBe("False");
    expect(
      reply("judge.g-e", { goldAnswers: ["red green blue teal"], answer: "red and green" }),
    ).toBe('{"score":5}');
  });
});
