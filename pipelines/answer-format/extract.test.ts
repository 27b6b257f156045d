import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractAnswer, readFinalMessage } from "./index.ts";

describe("final message", () => {
  test("three blocks are read apart", () => {
    const message =
      "<reasoning>Note 4 says so.</reasoning>\n<answer> 12.5 million </answer>\n<sources>acme_0004, acme_0007</sources>";
    expect(extractAnswer(message)).toEqual({
      answer: "12.5 million",
      reasoning: "Note 4 says so.",
      sources: ["acme_0004", "acme_0007"],
      parsed: true,
    });
  });

  test("the last well-formed answer block wins over earlier and unclosed ones", () => {
    const extract = (message: string) => extractAnswer(message).answer;
    expect(extract("<answer>draft</answer> then <ANSWER>final</ANSWER>")).toBe("final");
    expect(extract("<answer>outer <answer>inner</answer>")).toBe("inner");
    expect(extract("<answer>kept</answer> and <answer>cut off")).toBe("kept");
    expect(extract("<answer>kept</answer> and a stray </answer>")).toBe("kept");
    expect(extract("</answer> text")).toBe("text");
  });

  test("without an answer block the text after the reasoning stands in", () => {
    expect(extractAnswer("<reasoning>a</reasoning> It is 7. <sources>x_0001</sources>")).toEqual({
      answer: "It is 7.",
      reasoning: "a",
      sources: ["x_0001"],
      parsed: false,
    });
    expect(extractAnswer("<reasoning>a</reasoning><answer>It is 7").answer).toBe("It is 7");
  });

  test("without any block the whole message stands in", () => {
    expect(extractAnswer("  It is 7. ")).toMatchObject({ answer: "It is 7.", parsed: false });
  });

  test("reasoning inside or after the answer is not the reasoning", () => {
    const message = "<reasoning>a</reasoning><answer>b</answer><reasoning>late</reasoning>";
    expect(extractAnswer(message).reasoning).toBe("a");
  });

  test("letters that change length in lower case do not shift the blocks", () => {
    expect(extractAnswer("İİİ<answer>İzmir</answer>").answer).toBe("İzmir");
  });

  test("sources lose brackets, quotes, bullets and repeats", () => {
    const sources = (text: string) => extractAnswer(`<sources>${text}</sources>`).sources;
    expect(sources('[`a_0001`, "b_0002"]\n- a_0001')).toEqual(["a_0001", "b_0002"]);
    expect(sources("none")).toEqual([]);
    expect(sources("")).toEqual([]);
  });

  test("any text is read without a throw, and a well-formed answer comes back whole", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, answer) => {
        fc.pre(!answer.includes("<"));
        const extracted = extractAnswer(`${before}<answer>${answer}</answer>`);
        expect(extracted.answer).toBe(answer.trim());
        extractAnswer(before);
      }),
    );
  });
});

describe("outcome of a final message", () => {
  test("an empty answer is an outcome of its own", () => {
    expect(readFinalMessage("<answer> </answer>", "stop").outcome).toBe("empty");
    expect(readFinalMessage("", "stop", "budget_exhausted").outcome).toBe("empty");
  });

  test("refusal and truncation win over the text", () => {
    expect(readFinalMessage("<answer>x</answer>", "refusal").outcome).toBe("refused");
    expect(readFinalMessage("<answer>half", "length")).toMatchObject({
      outcome: "truncated",
      answer: "half",
    });
  });

  test("a forced answer keeps why it was forced, an unparsed one is marked", () => {
    expect(readFinalMessage("<answer>x</answer>", "stop", "budget_exhausted", ["forced"])).toEqual({
      outcome: "budget_exhausted",
      answer: "x",
      reasoning: "",
      sources: [],
      flags: ["forced"],
    });
    expect(readFinalMessage("x", "stop").flags).toEqual(["unparsedAnswer"]);
  });
});
