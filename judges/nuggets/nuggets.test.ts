import { describe, expect, it } from "vitest";
import { judgeContext, question, record } from "../../tests/support/judge-case.ts";
import { type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { createLexicalNuggetJudge, createNuggetJudge } from "./nuggets.ts";

const asked = question("q1", {
  nuggets: ["The limit is 500 requests", "Raise it in the console", "Billing is monthly"],
});
const answer = "The limit is 500 requests; you can raise it in the console.";

async function judged(script: Script, given = record(answer), of = asked) {
  const model = scriptedModel(script);
  return createNuggetJudge().judge(of, given, judgeContext({ model }));
}

describe("nuggets", () => {
  const holds: Script = ({ messages }) => ({
    content: messages[0]!.content.includes("Billing is monthly") ? "False" : "True",
  });

  it("is the share of nuggets that the answer holds", async () => {
    const { value, details } = await judged(holds);
    expect(value).toEqual({ kind: "score", score: 2 / 3 });
    expect(details).toMatchObject({
      nuggets: [{ covered: true }, { covered: true }, { covered: false }],
    });
  });

  it("leaves out nuggets whose verdict cannot be read", async () => {
    const mumbling: Script = (request, turn) =>
      request.messages[0]!.content.includes("Raise it")
        ? { content: "perhaps" }
        : holds(request, turn);
    expect((await judged(mumbling)).value).toEqual({ kind: "score", score: 1 / 2 });
    expect((await judged(() => ({ content: "?" }))).value).toEqual({
      kind: "unscored",
      reason: "parse",
    });
  });

  it("is a dash for questions without nuggets and 0 for blank answers, without a call", async () => {
    expect((await judged([], record(answer), question("q2"))).value).toEqual({
      kind: "unscored",
      reason: "not_applicable",
    });
    expect((await judged([], record(""))).value).toEqual({ kind: "score", score: 0 });
  });

  it("works by rule without a model", async () => {
    const result = await createLexicalNuggetJudge().judge(asked, record(answer), judgeContext());
    expect(result.value).toEqual({ kind: "score", score: 2 / 3 });
  });
});
