import { expect, test } from "vitest";
import type { QuestionId } from "../../core/ids.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import {
  callsTools,
  finalMessage,
  type Script,
  scriptedModel,
} from "../../tests/support/scripted-model.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { type AgenticSearchConfig, createAgenticSearch } from "./index.ts";

describeMethod("agentic-search", {
  make: createAgenticSearch,
  variants: [() => createAgenticSearch({ k: 6 }), () => createAgenticSearch({ B: 9 })],
  script: [
    callsTools(["search_corpus", { query: "warranty kettle two repair step" }]),
    finalMessage("36 months", ["kettle-2_0004#0"]),
  ],
  agent: {
    withBudget: (B) => createAgenticSearch({ B }),
    tools: { search_corpus: { query: "kettle" } },
  },
});

async function ask(script: Script, config: AgenticSearchConfig = {}, contextTokens = 200_000) {
  const model = scriptedModel(script, { contextTokens });
  const tracer = createTracer(() => 0);
  await createAgenticSearch(config).answer(
    { id: "q" as QuestionId, text: "How long is the warranty of Kettle Two?" },
    { ...(await toyCorpus()), model, tracer, signal: new AbortController().signal },
  );
  const results = model.requests
    .at(-1)!
    .messages.flatMap((message) => (message.role === "tool" ? [JSON.parse(message.content)] : []));
  return { results, events: tracer.events };
}

const search = (query: string) => callsTools(["search_corpus", { query }]);

test("a search returns k chunks with id, title and text; a repeated chunk is shown but read once", async () => {
  const { results, events } = await ask(
    [search("warranty lasts kettle two"), search("warranty lasts kettle one"), finalMessage("x")],
    { k: 2 },
  );
  expect(results[0]).toEqual([
    {
      id: "kettle-2_0004#0",
      title: "Kettle Two > Care > Warranty",
      text: "The warranty of the Kettle Two lasts 36 months.",
    },
    {
      id: "kettle-1_0004#0",
      title: "Kettle One > Care > Warranty",
      text: "The warranty of the Kettle One lasts 12 months.",
    },
  ]);
  expect(results[1]).toHaveLength(2);
  const reads = events.flatMap((event) => (event.type === "read" ? [event.items] : []));
  expect(reads.map((items) => items.map(({ id }) => id))).toEqual([
    ["kettle-2_0004#0", "kettle-1_0004#0"],
  ]);
});

test("nothing found is a result with a hint", async () => {
  const { results } = await ask([search("zzzz"), finalMessage("x"), finalMessage("x")]);
  expect(results[0]).toEqual({ notice: expect.stringContaining("other words"), passages: [] });
});

test("a nearly full window takes fewer passages and says so", async () => {
  const { results, events } = await ask([search("kettle"), finalMessage("x")], { k: 14 }, 1200);
  expect(results[0].notice).toMatch(/best \d+ of 13/);
  const [read] = events.flatMap((event) => (event.type === "read" ? [event.items] : []));
  expect(read!.map(({ id }) => id)).toEqual(
    results[0].passages.map(({ id }: { id: string }) => id),
  );
  expect(events.find(({ type }) => type === "limit")).toMatchObject({ limit: "context" });
});
