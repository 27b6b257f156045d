import { expect, test } from "vitest";
import { z } from "zod";
import { scriptedModel } from "../../../tests/support/scripted-model.ts";
import { askJson } from "./ask-json.ts";
import { readJson } from "./read-json.ts";

test("fences, prose, trailing commas, raw line breaks and Python words are put up with", () => {
  const reply =
    'Here it is:\n```json\n{"a": [1, 2,], "b": None, "c": True, "d": "x\ny",}\n```\nDone.';
  expect(readJson(reply)).toEqual({
    value: { a: [1, 2], b: null, c: true, d: "x\ny" },
    cut: false,
  });
});

test("words inside strings are never rewritten", () => {
  const titles = ["None of the Above, True", "{cut], False", 'He said "None,]"', "a ```json b"];
  const reply = JSON.stringify(titles.map((title) => ({ title })));
  expect(readJson(reply).value).toEqual(titles.map((title) => ({ title })));
});

test("a cut list gives its whole items where that is allowed, and an error where not", () => {
  const reply = '{"entries": [{"title": "A"}, {"title": "B, ]"}, {"title": "C';
  expect(readJson(reply, { allowCut: true })).toEqual({
    value: { entries: [{ title: "A" }, { title: "B, ]" }] },
    cut: true,
  });
  for (const broken of [reply, "", "no idea", '{"a" 1}']) {
    expect(() => readJson(broken)).toThrow(expect.objectContaining({ code: "E_REPLY_JSON" }));
  }
  expect(() => readJson('[{"a', { allowCut: true })).toThrow("does not parse");
});

test("an unreadable reply is shown back with its fault, three calls at most", async () => {
  const schema = z.object({ n: z.int() });
  const ask = { task: "t", messages: [{ role: "user" as const, content: "q" }] };
  const model = scriptedModel([
    { content: "{" },
    { content: '{"n": "x"}' },
    { content: '{"n": 3}' },
  ]);
  expect((await askJson(model, ask, schema)).value).toEqual({ n: 3 });
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 3]);
  expect(model.requests[2]!.messages[2]!.content).toContain("expected number");
  const hopeless = scriptedModel(() => ({ content: "" }));
  await expect(askJson(hopeless, ask, schema)).rejects.toMatchObject({ code: "E_REPLY_JSON" });
  expect(hopeless.requests.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
});
