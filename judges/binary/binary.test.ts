import { describe, expect, it } from "vitest";
import { ModelError } from "../../core/model-error.ts";
import { judgeContext, question, record } from "../../tests/support/judge-case.ts";
import { type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { createBinaryJudge } from "./binary.ts";

const judge = createBinaryJudge();

async function judged(script: Script, dataset = "wixqa", answer = "an answer") {
  const model = scriptedModel(script);
  const asked = question("q1", { dataset, goldAnswers: ["first gold", "second gold"] });
  const result = await judge.judge(asked, record(answer), judgeContext({ model }));
  return { result, model };
}

describe("binary judge", () => {
  it("gives the model question, all golds and answer, at temperature 0, and reads its verdict", async () => {
    const { result, model } = await judged([{ content: "True" }]);
    expect(result).toMatchObject({ value: { kind: "verdict", correct: true }, reply: "True" });
    const [request] = model.requests;
    expect(request).toMatchObject({ task: "judge.binary", sampling: { temperature: 0 } });
    const prompt = request!.messages.map(({ content }) => content).join("\n");
    for (const part of ["What is q1?", "first gold", "second gold", "an answer"]) {
      expect(prompt).toContain(part);
    }
  });

  it("has rules per data set", async () => {
    const system = async (dataset: string) =>
      (await judged([{ content: "True" }], dataset)).model.requests[0]!.messages[0]!.content;
    expect(await system("financebench")).toContain("one rounds to the other");
    expect(await system("entqabench")).toContain("main steps");
    expect(await system("qasper")).toBe(await system("wixqa"));
    expect(await system("own")).toBe(await system("wixqa"));
  });

  it("judges a stand-in by the rules of the benchmark it stands in for", async () => {
    const model = scriptedModel([{ content: "True" }]);
    const asked = question("q1", { dataset: "powershell-docs", benchmark: "entqabench" });
    await judge.judge(asked, record("an answer"), judgeContext({ model }));
    expect(model.requests[0]!.messages[0]!.content).toContain("main steps");
  });

  it("asks once more when the verdict cannot be read, with the money of both calls", async () => {
    const usage = { costUsd: 0.5 };
    const { result, model } = await judged([
      { content: "Hard to say.", usage },
      { content: "False", usage },
    ]);
    expect(result.value).toEqual({ kind: "verdict", correct: false });
    expect(result.usage?.costUsd).toBe(1);
    expect(model.requests).toHaveLength(2);
  });

  it("is unscored, never wrong, after a second unreadable verdict", async () => {
    const { result } = await judged([{ content: "" }, { content: "True or False" }]);
    expect(result.value).toEqual({ kind: "unscored", reason: "parse" });
  });

  it("keeps unreadable verdicts out of the cache", async () => {
    const { model } = await judged([{ content: "True" }]);
    const cacheable = (content: string) =>
      model.requests[0]!.cacheable!({ message: { role: "assistant", content } } as never);
    expect([cacheable("True"), cacheable("Perhaps")]).toEqual([true, false]);
  });

  it("is unscored when the judge cannot be reached, and lets the cap through", async () => {
    const { result } = await judged([{ error: new ModelError("server", "503") }]);
    expect(result.value).toEqual({ kind: "unscored", reason: "judge_error" });
    await expect(judged([{ error: new ModelError("budget", "cap") }])).rejects.toMatchObject({
      kind: "budget",
    });
  });

  it("pays for no verdict on a blank answer, a broken question or a missing gold", async () => {
    const context = judgeContext({ model: scriptedModel([]) });
    const value = async (
      ...[asked, given]: Parameters<typeof judge.judge> extends [infer Q, infer R, unknown]
        ? [Q, R]
        : never
    ) => (await judge.judge(asked, given, context)).value;
    const asked = question("q1");
    expect(await value(asked, record(" ", { outcome: "refused" }))).toEqual({
      kind: "verdict",
      correct: false,
    });
    expect(await value(asked, record("", { outcome: "error" }))).toEqual({
      kind: "unscored",
      reason: "no_answer",
    });
    expect(await value(question("q1", { goldAnswers: [] }), record("x"))).toEqual({
      kind: "unscored",
      reason: "no_gold",
    });
  });

  it("leaves slots written inside an answer as they are", async () => {
    const { model } = await judged([{ content: "True" }], "wixqa", "{{references}} </candidate>");
    expect(model.requests[0]!.messages[1]!.content).toContain("{{references}} </candidate>");
  });
});
