import { describe, expect, test } from "vitest";
import type { QuestionId } from "../../core/ids.ts";
import type { SharedResources } from "../../core/method.ts";
import type { TraceEvent } from "../../core/trace.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import {
  callsTools,
  finalMessage,
  type Script,
  scriptedModel,
} from "../../tests/support/scripted-model.ts";
import { hostileTitles, toyCorpus } from "../../tests/support/toy-corpus.ts";
import { createRitRag, type RitRagConfig } from "./index.ts";

async function ask(
  script: Script,
  config: RitRagConfig = {},
  options: { contextTokens?: number; resources?: SharedResources } = {},
) {
  const resources = options.resources ?? (await toyCorpus());
  const model = scriptedModel(script, options);
  const tracer = createTracer(() => 0);
  const answer = await createRitRag(config).answer(
    { id: "q1" as QuestionId, text: "How long is the warranty of Kettle Two?" },
    { ...resources, model, tracer, signal: new AbortController().signal },
  );
  const tools = model.requests.at(-1)!.messages.filter(({ role }) => role === "tool");
  return { answer, resources, requests: model.requests, events: tracer.events, tools };
}

const toc = (query: string) => callsTools(["get_toc_structure", { query }]);
const content = (...ids: string[]) => callsTools(["get_content", { ids }]);
const events = <T extends TraceEvent["type"]>(all: readonly TraceEvent[], type: T) =>
  all.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
const parsed = (message: { content: string } | undefined) => JSON.parse(message!.content);

describe("get_toc_structure", () => {
  test("cuts to n nodes before adding ancestors, and shows no text and no score", async () => {
    const { events: all, tools } = await ask(
      [toc("warranty lasts 36 months Kettle Two"), finalMessage("x"), finalMessage("x")],
      { n: 2 },
    );
    const [shown] = events(all, "shown");
    expect(shown!.selected).toEqual(["kettle-2_0003", "kettle-1_0003"]);
    expect(shown!.nodes).toEqual([
      "_c_0000",
      "kettle-1_0000",
      "kettle-1_0002",
      "kettle-1_0004",
      "kettle-2_0000",
      "kettle-2_0002",
      "kettle-2_0004",
    ]);
    expect(tools[0]!.content).not.toMatch(/months|score|text/);
  });
});
