import { describe, expect, it } from "vitest";
import { ModelError } from "../../core/model-error.ts";
import { judgeContext, question, record } from "../../tests/support/judge-case.ts";
import { type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { createGeJudge, GE_DIMENSIONS, type GeMode } from "./g-e.ts";
import { readScore } from "./score.ts";

// Gold "red fish", answer "red bird": token F1 is 0.5.
const asked = question("q1", { goldAnswers: ["red fish"] });

async function rated(
  mode: GeMode,
  script: Script,
  given = record("red bird", { reasoning: "seen" }),
) {
  const model = scriptedModel(script);
  return { result: await createGeJudge(mode).judge(asked, given, judgeContext({ model })), model };
}

const score =
  (value: number | string): Script =>
  () => ({ content: `{"score": ${value}}` });

describe("G-E", () => {
  it("gives 0.80 for a score of 8 in ritrag mode and 0.65 blended with F1 0.5", async () => {
    const plain = (await rated("ritrag", score(8))).result.value;
    expect(plain).toMatchObject({ scores: { correctness: 0.8, overall: expect.closeTo(0.8, 12) } });
    const blended = (await rated("hypergraphrag", score(8))).result.value;
    expect(blended).toMatchObject({ scores: { correctness: 0.65, overall: 0.65 } });
  });

  it("makes one call per dimension, with reasoning and answer", async () => {
    const { model } = await rated("ritrag", score(5));
    expect(model.requests).toHaveLength(7);
    const prompts = model.requests.map(({ messages }) => messages[0]!.content);
    for (const word of ["comprehensiveness", "diversity", "logical coherence"]) {
      expect(prompts.filter((prompt) => prompt.includes(`Rate ${word}`))).toHaveLength(1);
    }
    for (const prompt of prompts) expect(prompt).toContain("seen\n\nred bird");
  });

  const oneOff =
    (bad: string): Script =>
    (request) => ({
      content: request.messages[0]!.content.includes("Rate diversity") ? bad : '{"score": 10}',
    });

  it.each([
    ["11", "range"],
    ["-1", "range"],
    ["7.5", "range"],
    ['"high"', "parse"],
  ])("leaves a score of %s unscored in ritrag mode", async (bad, reason) => {
    const { result, model } = await rated("ritrag", oneOff(`{"score": ${bad}}`));
    expect(result.value).toMatchObject({ scores: { diversity: null, relevance: 1, overall: 1 } });
    expect(result.details).toMatchObject({ unreadable: { diversity: reason } });
    expect(model.requests).toHaveLength(8);
  });

  it("takes 5 for it, counted, in hypergraphrag mode", async () => {
    const { result } = await rated("hypergraphrag", oneOff("no idea"));
    // (0.5 + 0.5) / 2 once and (1 + 0.5) / 2 six times.
    expect(result.value).toMatchObject({ scores: { diversity: 0.5, overall: 0.7143 } });
    expect(result.details).toMatchObject({ unreadable: { diversity: "parse" } });
  });

  it("is unscored when nothing could be read or the judge failed", async () => {
    expect((await rated("ritrag", () => ({ content: "?" }))).result.value).toEqual({
      kind: "unscored",
      reason: "parse",
    });
    const down: Script = () => ({ error: new ModelError("server", "503") });
    expect((await rated("ritrag", down)).result.value).toEqual({
      kind: "unscored",
      reason: "judge_error",
    });
  });

  it("rates no text with 0 without a call, and errors not at all", async () => {
    const blank = await rated("ritrag", [], record(""));
    expect(blank.result.value).toMatchObject({ scores: { factuality: 0, overall: 0 } });
    const broken = await rated("ritrag", [], record("", { outcome: "error" }));
    expect(broken.result.value).toEqual({ kind: "unscored", reason: "no_answer" });
  });

  it("has seven dimensions and a fingerprint per mode", () => {
    expect(GE_DIMENSIONS).toHaveLength(7);
    expect(createGeJudge("ritrag").fingerprint).not.toBe(
      createGeJudge("hypergraphrag").fingerprint,
    );
  });
});

describe("readScore", () => {
  it.each([
    ['{"score": 8}', 8],
    ['```json\n{"score": 0}\n```', 0],
    ['The steps follow. {"score": 10}', 10],
    ["7", 7],
    ['{"score": "6"}', 6],
  ])("reads %j", (reply, value) => expect(readScore(reply)).toEqual({ ok: true, value }));

  it.each([[""], ["eight"], ['{"score": null}'], ['{"score": 3} or {"score": 4}'], ["8/10"]])(
    "does not read %j",
    (reply) => expect(readScore(reply)).toEqual({ ok: false, reason: "parse" }),
  );
});
