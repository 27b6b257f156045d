import { describe, expect, test } from "vitest";
import { createAgenticSearch } from "../baselines/agentic-search/index.ts";
import { createCogRag } from "../baselines/cog-rag/index.ts";
import { createHypergraphRag } from "../baselines/hypergraph-rag/index.ts";
import { createInteractRag } from "../baselines/interact-rag/index.ts";
import { createPageIndex } from "../baselines/page-index/index.ts";
import { createVanilla } from "../baselines/vanilla/index.ts";
import { type Fingerprint, fingerprint } from "../core/fingerprint.ts";
import type { QuestionId } from "../core/ids.ts";
import type { ChatModel } from "../core/model.ts";
import { noUsage } from "../core/usage.ts";
import { createRitRag } from "../methods/rit-rag/index.ts";
import { respond } from "../models/offline/index.ts";
import { createTracer } from "../pipelines/tracing/tracer.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { toyCorpus } from "./support/toy-corpus.ts";
import { historyFault } from "./support/valid-history.ts";

const own: Fingerprint = fingerprint("offline");
const model: ChatModel = {
  id: "offline:extractive",
  fingerprint: own,
  contextTokens: 200_000,
  offline: true,
  async call(request) {
    expect(historyFault(request.messages)).toBeUndefined();
    const reply = respond({ ...request, role: "answer", repeat: 0 });
    return { ...reply, usage: { ...noUsage, ...reply.usage } };
  },
};

async function ask(method: ReturnType<typeof createRitRag>, text: string) {
  const tracer = createTracer(() => 0);
  const { signal } = new AbortController();
  const resources = await toyCorpus();
  const folder = temporaryFolder();
  await method.build?.({ ...resources, model, folder, signal, progress: () => {} });
  const question = { id: "q" as QuestionId, text };
  const answer = await method.answer(question, { ...resources, model, tracer, signal });
  const tools = tracer.events.flatMap((event) => (event.type === "tool_call" ? [event.name] : []));
  return { answer, tools };
}

describe.each([
  ["rit-rag", createRitRag(), "kettle-2_0004"],
  ["vanilla", createVanilla(), "kettle-2_0004#0"],
  ["agentic-search", createAgenticSearch(), "kettle-2_0004#0"],
  ["interact-rag", createInteractRag(), "kettle-2_0004#0"],
  ["page-index", createPageIndex(), "8"],
  ["hypergraph-rag", createHypergraphRag(), "kettle-2~0000"],
  ["cog-rag", createCogRag(), "kettle-2~0000"],
])("%s with the offline model", (_, method, source) => {
  test("finds the sentence of the right version and names its source", async () => {
    const { answer } = await ask(method, "How long does the warranty of the Kettle Two last?");
    expect(answer).toMatchObject({ outcome: "answered" });
    expect(answer.answer).toContain("36 months");
    expect(answer.sources[0]).toBe(source);
  });

  test("says so when nothing answers", async () => {
    const { answer } = await ask(method, "Who is the mayor of Reykjavik in Iceland?");
    expect(answer.answer).toMatch(/do not answer/);
    expect(answer.sources).toEqual([]);
  });
});

test("the agents look before they read and refine what found too little", async () => {
  const question = "How long does the warranty of the Kettle Two last?";
  const rit = await ask(createRitRag(), question);
  expect(rit.tools.slice(0, 2)).toEqual(["get_toc_structure", "get_content"]);
  const agentic = await ask(
    createAgenticSearch(),
    "How does Consumer Watch in Norway rate the noise of the Kettle Two?",
  );
  expect(agentic.tools.length).toBeGreaterThan(1);
  expect(new Set(agentic.tools)).toEqual(new Set(["search_corpus"]));
});
