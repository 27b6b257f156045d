import { expect, test } from "vitest";
import type { QuestionId } from "../../core/ids.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import { finalMessage, scriptedModel } from "../../tests/support/scripted-model.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { createVanilla } from "./index.ts";

describeMethod("vanilla", {
  make: createVanilla,
  variants: [() => createVanilla({ k: 6 })],
  script: [finalMessage("36 months", ["1"])],
});

async function ask(question: string, reply = finalMessage("x", ["2", "[1]", "9", "note 4"])) {
  const resources = await toyCorpus();
  const model = scriptedModel([reply]);
  const tracer = createTracer(() => 0);
  const answer = await createVanilla({ k: 2 }).answer(
    { id: "q" as QuestionId, text: question },
    { ...resources, model, tracer, signal: new AbortController().signal },
  );
  return { answer, request: model.requests[0]!, events: tracer.events };
}

test("the k best chunks stand in the prompt in rank order, with document and section", async () => {
  const { request, events } = await ask("warranty lasts kettle two");
  expect(request.tools).toBeUndefined();
  expect(request.messages.at(-1)!.content).toBe(
    [
      "Passages:",
      "[1] Kettle Two > Care > Warranty\nThe warranty of the Kettle Two lasts 36 months.",
      "[2] Kettle One > Care > Warranty\nThe warranty of the Kettle One lasts 12 months.",
      "Question: warranty lasts kettle two",
    ].join("\n\n"),
  );
  expect(events.map(({ type }) => type)).toEqual(["retrieved", "read", "model_call"]);
  expect(events[1]).toMatchObject({
    items: [
      { kind: "chunk", id: "kettle-2_0004#0", documentId: "kettle-2" },
      { kind: "chunk", id: "kettle-1_0004#0", documentId: "kettle-1" },
    ],
  });
});

test("passage numbers given as sources become chunk ids, other words stay", async () => {
  const { answer } = await ask("warranty lasts kettle two");
  expect(answer.sources).toEqual(["kettle-1_0004#0", "kettle-2_0004#0", "9", "note 4"]);
});

test("an empty retrieval still asks the model", async () => {
  const { request, events } = await ask("zzzz");
  expect(request.messages.at(-1)!.content).toContain("(none was found)");
  expect(events.map(({ type }) => type)).toEqual(["retrieved", "model_call"]);
});
