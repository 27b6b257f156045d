import { describe, expect, test } from "vitest";
import type { ChunkHandle, QuestionId } from "../../core/ids.ts";
import type { Json } from "../../core/json.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import {
  callsTools,
  finalMessage,
  type ScriptedReply,
  scriptedModel,
} from "../../tests/support/scripted-model.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { fuseLists, normalise, weightShares } from "./fuse.ts";
import { createInteractRag, type InteractRagConfig } from "./index.ts";
import { reasonerView } from "./workflow.ts";

const search = (args: Json) => callsTools(["interact_search", args]);
const warranty = { semantic_query: "warranty kettle two repair step" };

describeMethod("interact-rag", {
  make: createInteractRag,
  variants: [
    () => createInteractRag({ k: 6 }),
    () => createInteractRag({ B: 9 }),
    () => createInteractRag({ workflow: "single" }),
    () => createInteractRag({ includeMode: "pin" }),
  ],
  script: [
    { content: "One step: the warranty." },
    { content: "Proceed: search for it." },
    search(warranty),
    { content: "Conclude." },
    finalMessage("36 months", ["kettle-2_0004#0"]),
  ],
  agent: {
    withBudget: (B) => createInteractRag({ B }),
    tools: { interact_search: { semantic_query: "kettle", exact_keywords: ["step"] } },
  },
});

describe("fused scores", () => {
  const list = (...scores: [chunk: number, score: number][]) =>
    scores.map(([chunk, score], i) => ({ chunk: chunk as ChunkHandle, score, rank: i + 1 }));
  const chunks = { get: (chunk: ChunkHandle) => ({ id: `c${chunk}` }) } as unknown as Parameters<
    typeof fuseLists
  >[3];
  const dense = list([1, 1], [2, 0.75], [3, 0.5]);
  const sparse = list([3, 12], [4, 8], [1, 4]);
  const fused = (...args: [Parameters<typeof fuseLists>[2]?]) =>
    fuseLists(dense, sparse, args[0], chunks).map(({ chunk, score }) => [
      chunk,
      Number(score.toFixed(4)),
    ]);

  test("each list is brought to 0..1 and blended; missing counts 0; ties go by id", () => {
    // Normalised: dense 1, .5, 0; sparse 1, .5, 0. Halves: c1 .5, c2 .25, c3 .5, c4 .25.
    expect(fused()).toEqual([
      [1, 0.5],
      [3, 0.5],
      [2, 0.25],
      [4, 0.25],
    ]);
    // 3:1 gives c1 .75, c2 .375, c3 .25, c4 .125.
    expect(fused({ semantic: 3, exact: 1 })).toEqual([
      [1, 0.75],
      [2, 0.375],
      [3, 0.25],
      [4, 0.125],
    ]);
  });

  test("weights below 0 count as 0, and 0 and 0 as a half each", () => {
    expect(weightShares({ semantic: 0, exact: 0 })).toEqual({ semantic: 0.5, exact: 0.5 });
    expect(weightShares({ semantic: -4, exact: -1 })).toEqual({ semantic: 0.5, exact: 0.5 });
    expect(weightShares({ semantic: -4, exact: 2 })).toEqual({ semantic: 0, exact: 1 });
    expect(weightShares({ semantic: 1e308, exact: 1e308 })).toEqual({ semantic: 0.5, exact: 0.5 });
    expect(fused({ semantic: 0, exact: 0 })).toEqual(fused());
  });

  test("a list without a range gives everything 1, a single hit included", () => {
    expect([...normalise(list([7, -0.2], [8, -0.2])).values()]).toEqual([1, 1]);
    expect([...normalise(list([7, 0])).values()]).toEqual([1]);
    expect(normalise([]).size).toBe(0);
  });

  test("one query alone is that list, whatever the weights", () => {
    const alone = fuseLists(dense, undefined, { semantic: 0, exact: 1 }, chunks);
    expect(alone.map(({ chunk, score }) => [chunk, Number(score.toFixed(4))])).toEqual([
      [1, 1],
      [2, 0.5],
      [3, 0],
    ]);
  });
});

/** Plays the executor's turns; the two advisers say what they are named. */
async function ask(turns: readonly ScriptedReply[], config: InteractRagConfig = {}) {
  let turn = 0;
  const model = scriptedModel((request) =>
    request.task === "interact-rag.turn" ? turns[turn++]! : { content: `said ${request.task}` },
  );
  const tracer = createTracer(() => 0);
  const method = createInteractRag(config);
  const answer = await method.answer(
    { id: "q" as QuestionId, text: "How long is the warranty of Kettle Two?" },
    { ...(await toyCorpus()), model, tracer, signal: new AbortController().signal },
  );
  const calls = tracer.events.flatMap((event) => (event.type === "tool_call" ? [event] : []));
  const results = calls.map(({ result }) => JSON.parse(result));
  return { answer, calls, results, requests: model.requests };
}

const idsOf = (result: { passages: { id: string }[] }) => result.passages.map(({ id }) => id);
const docsOf = (result: { passages: { doc_id: string }[] }) => [
  ...new Set(result.passages.map(({ doc_id: doc }) => doc)),
];
const first = async (args: Json, config: InteractRagConfig = {}) =>
  (await ask([search(args), finalMessage("x"), finalMessage("x")], config)).results[0];

describe("interact_search", () => {
  test("returns id, doc_id, title, score and text, five where no n is given", async () => {
    const result = await first({ semantic_query: "warranty of the kettle two" });
    expect(result.passages).toHaveLength(5);
    expect(result.passages[0]).toEqual({
      id: "kettle-2_0004#0",
      doc_id: "kettle-2",
      title: "Kettle Two > Care > Warranty",
      score: 1,
      text: "The warranty of the Kettle Two lasts 36 months.",
    });
    expect((await first({ exact_keywords: ["kettle"], n: 7 })).passages).toHaveLength(7);
    expect((await first({ exact_keywords: ["kettle"] }, { k: 2 })).passages).toHaveLength(2);
  });

  test("a call without any query, or with n out of range, is refused", async () => {
    for (const args of [{}, { semantic_query: " ", entity: "" }, { entity: "kettle", n: 21 }]) {
      expect((await first(args)).error).toBe("bad_arguments");
    }
  });

  test("an entity stands as whole words in text or titles, in the query's order", async () => {
    const result = await first({ semantic_query: "kettle warranty", entity: "KETTLE  two", n: 20 });
    expect(docsOf(result)).toEqual(["kettle-2"]);
    expect(idsOf(result)[0]).toBe("kettle-2_0004#0");
    const part = await first({ semantic_query: "kettle", entity: "kettle t" });
    expect(part.anchor_missed).toBe(true);
  });

  test("an entity alone is ranked by mentions", async () => {
    const result = await first({ entity: "Kettle Two", n: 20 });
    expect(docsOf(result)).toEqual(["kettle-2"]);
    const scores = result.passages.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(scores[0]).toBe(1);
  });

  test("an entity that nothing names leaves the ranking as it is and says so", async () => {
    const plain = await first({ semantic_query: "warranty" });
    const missed = await first({ semantic_query: "warranty", entity: "Samovar (2.0)" });
    expect(missed).toEqual({
      notice: expect.stringContaining("Samovar (2.0)"),
      anchor_missed: true,
      passages: plain.passages,
    });
  });

  test("documents are kept or left out; of a document in both lists nothing is returned", async () => {
    const query = { semantic_query: "kettle warranty", n: 20 };
    const kept = await first({ ...query, include_docs: ["kettle-1", "nobody"] });
    expect(docsOf(kept)).toEqual(["kettle-1"]);
    expect(kept.notice).toContain("nobody");
    expect(docsOf(await first({ ...query, exclude_docs: ["kettle-1"] }))).not.toContain("kettle-1");
    const both = await first({
      ...query,
      include_docs: ["kettle-1", "kettle-2"],
      exclude_docs: ["kettle-1"],
    });
    expect(docsOf(both)).toEqual(["kettle-2"]);
    const nothing = { ...query, include_docs: ["kettle-1"], exclude_docs: ["kettle-1"] };
    expect(await first(nothing)).toMatchObject({ passages: [] });
    expect((await first({ ...query, include_docs: ["nobody"] })).error).toBe("unknown_documents");
  });

  test("pinned documents keep a place beside the others, unless they are left out", async () => {
    const query = { semantic_query: "warranty of the kettle two", n: 2 };
    const pin = { includeMode: "pin" } as const;
    const result = await first({ ...query, include_docs: ["report-2023"] }, pin);
    expect(docsOf(result)).toEqual(["kettle-2", "report-2023"]);
    const both = { ...query, include_docs: ["report-2023"], exclude_docs: ["report-2023"] };
    expect(docsOf(await first(both, pin))).not.toContain("report-2023");
  });

  test("an exact repeat is refused with a notice, in this question only", async () => {
    const turns = [search(warranty), search({ ...warranty, entity: " " }), finalMessage("x")];
    for (const { calls, results } of [await ask(turns), await ask(turns)]) {
      expect(calls.map(({ refused }) => refused)).toEqual([undefined, "duplicate_call"]);
      expect(results[1].next).toContain("answer from what you have read");
    }
  });

  test("of three searches in one turn the third is refused", async () => {
    const three = callsTools(
      ["interact_search", { entity: "Kettle One" }],
      ["interact_search", { entity: "Kettle Two" }],
      ["interact_search", { exact_keywords: ["revenue"] }],
    );
    const { calls, requests } = await ask([three, finalMessage("x")]);
    expect(calls.map(({ refused }) => refused)).toEqual([undefined, undefined, "too_many_calls"]);
    expect(requests.find(({ tools }) => tools)?.parallelToolCalls).toBe(true);
  });
});

describe("workflow", () => {
  test("the planner speaks once, the reasoner before each turn, and only the executor has tools", async () => {
    const { requests } = await ask([search(warranty), finalMessage("x")]);
    expect(requests.map(({ task }) => task)).toEqual([
      "interact-rag.plan",
      "interact-rag.reason",
      "interact-rag.turn",
      "interact-rag.reason",
      "interact-rag.turn",
    ]);
    for (const { task, tools } of requests) {
      expect(tools !== undefined, task).toBe(task === "interact-rag.turn");
    }
    const texts = requests.at(-1)!.messages.map(({ content }) => content);
    expect(texts).toContain("[PLAN]\nsaid interact-rag.plan");
    expect(texts.filter((text) => text.startsWith("[ANALYSIS]"))).toHaveLength(2);
  });

  test("the reasoner sees searches and results as text, its own words as its own", async () => {
    const { requests } = await ask([search(warranty), finalMessage("x")]);
    const view = requests[3]!.messages;
    expect(view.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "user",
      "assistant",
      "user",
      "user",
      "user",
    ]);
    expect(view[4]!.content).toBe(`[SEARCH]\n${JSON.stringify(warranty)}`);
    expect(view[5]!.content).toContain("36 months");
    expect(view[6]!.content).toContain("9 searches are left");
    expect(reasonerView([{ role: "user", content: "[CONTEXT USAGE] 1%" }])).toEqual([]);
  });

  test("a nearly full window spares the reasoner", async () => {
    const model = scriptedModel(
      ({ task }) =>
        task === "interact-rag.turn" ? finalMessage("x") : { content: "word ".repeat(1200) },
      { contextTokens: 3000 },
    );
    await createInteractRag().answer(
      { id: "q" as QuestionId, text: "How long?" },
      {
        ...(await toyCorpus()),
        model,
        tracer: createTracer(() => 0),
        signal: new AbortController().signal,
      },
    );
    const reasons = model.requests.filter(({ task }) => task === "interact-rag.reason");
    expect(reasons.length).toBeLessThan(2);
  });

  test("one agent for all roles makes one call a turn", async () => {
    const { requests, answer } = await ask([search(warranty), finalMessage("36 months")], {
      workflow: "single",
    });
    expect(requests.map(({ task }) => task)).toEqual(["interact-rag.turn", "interact-rag.turn"]);
    expect(answer.answer).toBe("36 months");
  });
});
