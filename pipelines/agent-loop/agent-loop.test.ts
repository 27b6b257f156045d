import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { DocumentId, NodeId } from "../../core/ids.ts";
import { ModelError } from "../../core/model-error.ts";
import type { ReadItem, TraceEvent } from "../../core/trace.ts";
import {
  callsTools,
  finalMessage,
  type Script,
  type ScriptedReply,
  scriptedModel,
} from "../../tests/support/scripted-model.ts";
import { createTracer } from "../tracing/tracer.ts";
import { type AgentSpec, defineTool, runAgent } from "./index.ts";

const item = (id: string): ReadItem => ({
  kind: "node",
  id,
  documentId: "d" as DocumentId,
  spans: [{ nodeId: id as NodeId, start: 0, end: 4 }],
  tokens: 1,
});

/** A tool that shows (exclusive, twice at most), one that reads, one that breaks. */
function toyTools(ran: string[] = []) {
  const ids = z.object({ ids: z.array(z.string()).min(1) });
  return [
    defineTool({
      name: "look",
      description: "Shows what is there.",
      schema: z.object({ query: z.string() }),
      budget: 2,
      exclusive: true,
      afterBudget: "read what was shown",
      run: ({ query }) => {
        ran.push(`look ${query}`);
        return { content: "[]", shown: { query, nodes: ["a" as NodeId], selected: [] } };
      },
    }),
    defineTool({
      name: "read",
      description: "Reads.",
      schema: ids,
      run: (args) => {
        ran.push(`read ${args.ids.join(" ")}`);
        return { content: JSON.stringify(args.ids), reads: args.ids.map(item) };
      },
    }),
    defineTool({
      name: "broken",
      description: "Throws.",
      schema: z.object({}),
      run: () => {
        throw new TypeError("bug in a handler");
      },
    }),
  ];
}

async function agent(
  script: Script,
  spec: Partial<AgentSpec> = {},
  options: { contextTokens?: number; signal?: AbortSignal } = {},
) {
  const ran: string[] = [];
  const model = scriptedModel(script, options);
  const tracer = createTracer(() => 0);
  const answer = runAgent(
    {
      task: "toy.turn",
      system: "You answer.",
      question: "What?",
      tools: toyTools(ran),
      limits: { calls: 10 },
      ...spec,
    },
    { model, tracer, signal: options.signal ?? new AbortController().signal },
  );
  return { answer: await answer, ran, requests: model.requests, events: tracer.events };
}

const read = (...ids: string[]): ScriptedReply => callsTools(["read", { ids }]);
const look = (query = "q"): ScriptedReply => callsTools(["look", { query }]);
const ofType = <T extends TraceEvent["type"]>(events: readonly TraceEvent[], type: T) =>
  events.filter((event): event is Extract<TraceEvent, { type: T }> => event.type === type);
const refusals = (events: readonly TraceEvent[]) =>
  ofType(events, "tool_call").map(({ refused }) => refused ?? "ran");
const results = (requests: Awaited<ReturnType<typeof agent>>["requests"]) =>
  requests.at(-1)!.messages.filter(({ role }) => role === "tool");

describe("a plain run", () => {
  test("looks, reads, answers", async () => {
    const { answer, ran, events } = await agent([
      look(),
      read("a", "b"),
      finalMessage("42", ["a"]),
    ]);
    expect(answer).toEqual({
      outcome: "answered",
      answer: "42",
      reasoning: "It follows.",
      sources: ["a"],
    });
    expect(ran).toEqual(["look q", "read a b"]);
    expect(events.map(({ type }) => type)).toEqual([
      "model_call",
      "tool_call",
      "shown",
      "model_call",
      "tool_call",
      "read",
      "model_call",
    ]);
  });

  test("an item read twice is one read", async () => {
    const { events } = await agent([read("a"), read("a", "b"), read("b"), finalMessage("x")]);
    expect(ofType(events, "read").map(({ items }) => items.map(({ id }) => id))).toEqual([
      ["a"],
      ["b"],
    ]);
  });

  test("tools are offered as JSON Schema, one call a turn", async () => {
    const { requests } = await agent([read("a"), finalMessage("x")]);
    expect(requests[0]).toMatchObject({ toolChoice: "auto", parallelToolCalls: false });
    expect(requests[0]!.tools![0]).toEqual({
      name: "look",
      description: "Shows what is there.",
      parameters: {
        type: "object",
        properties: { query: { type: "string" } },
        required: ["query"],
      },
    });
  });
});

describe("budget", () => {
  test("a model that always calls a tool is stopped after exactly B calls and asked without tools", async () => {
    const { answer, ran, requests } = await agent(({ toolChoice }) =>
      toolChoice === "none" ? finalMessage("forced") : read("a"),
    );
    expect(ran).toHaveLength(10);
    expect(requests).toHaveLength(11);
    expect(requests.map(({ toolChoice }) => toolChoice).filter((c) => c === "none")).toHaveLength(
      1,
    );
    expect(answer).toMatchObject({
      outcome: "budget_exhausted",
      answer: "forced",
      flags: ["forced"],
    });
  });

  test("calls over the budget in one turn get a result that says so and are not run", async () => {
    const { ran, events, requests } = await agent(
      [
        callsTools(["read", { ids: ["a"] }], ["read", { ids: ["b"] }], ["read", { ids: ["c"] }]),
        finalMessage("x"),
      ],
      { limits: { calls: 2 } },
    );
    expect(ran).toEqual(["read a", "read b"]);
    expect(refusals(events)).toEqual(["ran", "ran", "budget_spent"]);
    expect(results(requests).map(({ content }) => content)).toEqual([
      '["a"]',
      '["b"]',
      expect.stringContaining("budget_spent"),
    ]);
  });

  test("a tool's own budget refuses the next call, which still counts", async () => {
    const { ran, events, answer } = await agent(
      [look("1"), look("2"), look("3"), finalMessage("x")],
      { limits: { calls: 3 } },
    );
    expect(ran).toEqual(["look 1", "look 2"]);
    expect(refusals(events)).toEqual(["ran", "ran", "tool_budget_spent"]);
    expect(ofType(events, "limit").map(({ limit }) => limit)).toEqual(["search_budget", "budget"]);
    expect(answer).toMatchObject({
      outcome: "budget_exhausted",
      flags: ["forced", "noRead"],
    });
  });

  test("the first three calls with bad arguments are free, the fourth is not", async () => {
    const bad = { toolCalls: [{ name: "read", arguments: { ids: "a" } }] };
    const { events, answer, requests } = await agent([bad, bad, bad, bad, finalMessage("x")], {
      limits: { calls: 1 },
    });
    expect(refusals(events)).toEqual(Array(4).fill("bad_arguments"));
    expect(answer.outcome).toBe("budget_exhausted");
    expect(requests).toHaveLength(5);
  });

  test("no budget and no behaviour of the model reaches the graph's step limit", async () => {
    const turn = fc.constantFrom<ScriptedReply>(
      read("a"),
      look(),
      callsTools(["nope", {}]),
      callsTools(["broken", {}]),
      { toolCalls: [{ name: "read", invalid: "{ids:" }] },
      callsTools(["look", { query: "q" }], ["read", { ids: ["a"] }]),
      finalMessage("x"),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 30 }),
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        async (calls, turns) => {
          const { answer, events } = await agent((_, i) => turns[i % turns.length]!, {
            limits: { calls },
          });
          expect(["answered", "budget_exhausted", "empty"]).toContain(answer.outcome);
          const paid = refusals(events).filter((r) => r !== "budget_spent");
          expect(paid.length).toBeLessThanOrEqual(calls + 3);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("the longest possible run still ends in an answer", async () => {
    const bad = { toolCalls: [{ name: "read", invalid: "{" }] };
    const script = (_: unknown, i: number) =>
      i === 0 ? finalMessage("early") : i <= 3 ? bad : callsTools(["nope", {}]);
    const { answer, requests } = await agent(
      (request, i) => (request.toolChoice === "none" ? finalMessage("late") : script(request, i)),
      { limits: { calls: 50 } },
    );
    expect(answer).toMatchObject({ outcome: "budget_exhausted", answer: "late" });
    expect(requests).toHaveLength(1 + 3 + 50 + 1);
  });
});

describe("mistakes of the model", () => {
  test("unknown tool, broken JSON and a failing handler are results with a next step", async () => {
    const { events, requests } = await agent([
      {
        toolCalls: [
          { name: "nope" },
          { name: "read", invalid: '{"ids": [' },
          { name: "broken" },
          { name: "read", arguments: { ids: ["a"] } },
        ],
      },
      finalMessage("x"),
    ]);
    expect(refusals(events)).toEqual(["unknown_tool", "bad_arguments", "tool_failed", "ran"]);
    for (const { content } of results(requests).slice(0, 3)) {
      expect(JSON.parse(content)).toHaveProperty("next");
    }
    expect(results(requests)[2]!.content).not.toContain("bug in a handler");
    expect(ofType(events, "error")).toMatchObject([{ message: "bug in a handler" }]);
    expect(ofType(events, "tool_call")[1]!.arguments).toBe('{"ids": [');
  });

  test("an exclusive tool runs alone, whatever the order; the other call counts and is noted", async () => {
    const { ran, events } = await agent(
      [callsTools(["read", { ids: ["a"] }], ["look", { query: "q" }]), finalMessage("x")],
      { limits: { calls: 2 }, requireRead: false },
    );
    expect(ran).toEqual(["look q"]);
    expect(refusals(events)).toEqual(["separate_turns", "ran"]);
    expect(ofType(events, "note").map(({ note }) => note)).toEqual(["exclusive_turn_violation"]);
    expect(ofType(events, "limit").map(({ limit }) => limit)).toEqual(["budget"]);
  });

  test("calls beyond the turn's limit are refused and counted", async () => {
    const reads = callsTools(
      ...["a", "b", "c"].map((id) => ["read", { ids: [id] }] as [string, { ids: string[] }]),
    );
    const { ran, events } = await agent([reads, finalMessage("x")], {
      limits: { calls: 10, callsPerTurn: 2 },
    });
    expect(ran).toEqual(["read a", "read b"]);
    expect(refusals(events)[2]).toBe("too_many_calls");
  });

  test("calls without an id or with a used one get their own", async () => {
    const twice = {
      toolCalls: [{ name: "read", arguments: { ids: ["a"] }, id: "same" }],
      provider: 1,
    };
    const blank = { toolCalls: [{ name: "read", arguments: { ids: ["a"] }, id: "" }] };
    const { requests } = await agent([twice, twice, blank, finalMessage("x")]);
    const assistants = requests[3]!.messages.filter((m) => m.role === "assistant");
    const ids = assistants.flatMap(({ toolCalls }) => toolCalls!.map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
    expect(assistants.map((m) => m.provider)).toEqual([1, undefined, undefined]);
  });

  test("tool calls in the forced last message are ignored", async () => {
    const { answer, ran } = await agent(() => ({ ...read("a"), content: "<answer>x</answer>" }), {
      limits: { calls: 1 },
    });
    expect(ran).toEqual(["read a"]);
    expect(answer).toMatchObject({ outcome: "budget_exhausted", answer: "x" });
  });
});

describe("answers without reading", () => {
  test("are sent back once and accepted the second time, marked", async () => {
    const { answer, requests } = await agent([finalMessage("guess"), finalMessage("guess again")]);
    expect(requests).toHaveLength(2);
    expect(requests[1]!.messages.at(-2)!.content).toContain("not read any text");
    expect(answer).toMatchObject({
      outcome: "answered",
      answer: "guess again",
      flags: ["noRead"],
    });
  });

  test("are fine after the reminder led to a read, and where no read is asked for", async () => {
    const reminded = await agent([finalMessage("guess"), read("a"), finalMessage("known")]);
    expect(reminded.answer).toEqual({
      outcome: "answered",
      answer: "known",
      reasoning: "It follows.",
      sources: [],
    });
    const free = await agent([finalMessage("x")], { requireRead: false });
    expect(free.answer).not.toHaveProperty("flags");
  });
});

describe("ends that are no answers", () => {
  test.each<[ScriptedReply, string]>([
    [{ content: "I will not.", stopReason: "refusal" }, "refused"],
    [{ content: "<answer>half", stopReason: "length" }, "truncated"],
    [{ content: "<answer></answer>" }, "empty"],
    [{ content: "" }, "empty"],
    [{ content: "", stopReason: "length" }, "truncated"],
  ])("%j is %s", async (reply, outcome) => {
    const { answer } = await agent([read("a"), reply]);
    expect(answer.outcome).toBe(outcome);
  });

  test("a prompt over the window is an outcome, other model errors are thrown", async () => {
    const overflow = await agent([
      read("a"),
      { error: new ModelError("context_overflow", "too long") },
    ]);
    expect(overflow.answer).toMatchObject({ outcome: "context_overflow", answer: "" });
    await expect(agent([{ error: new ModelError("auth", "no key") }])).rejects.toMatchObject({
      code: "E_MODEL_AUTH",
    });
  });

  test("an interrupted question stops before the next call", async () => {
    const controller = new AbortController();
    const script = () => {
      controller.abort();
      return read("a");
    };
    await expect(agent(script, {}, { signal: controller.signal })).rejects.toMatchObject({
      kind: "aborted",
    });
  });
});

describe("context notices", () => {
  const notice = (request: { messages: readonly { content: string }[] }) =>
    request.messages.at(-1)!.content;
  const atTokens = (tokens: number, window = 1000) =>
    agent(
      [
        {
          ...read("a"),
          usage: { uncachedInputTokens: tokens - 20, cacheReadTokens: 10, outputTokens: 7 },
        },
        finalMessage("x"),
      ],
      {},
      { contextTokens: window },
    );

  test("usage stands before each turn, as an estimate", async () => {
    const { requests } = await agent([read("a"), read("b"), finalMessage("x")]);
    expect(requests.map(notice)).toEqual(
      Array(3).fill(
        expect.stringMatching(/^\[CONTEXT USAGE\] about \d+ of 200000 tokens, 0% \(estimate\)$/),
      ),
    );
    expect(
      requests[2]!.messages.filter(({ content }) => content.startsWith("[CONTEXT")),
    ).toHaveLength(3);
  });

  test("the warning appears at exactly 80%: reported tokens plus the 3 of the new tool result", async () => {
    const below = await atTokens(799);
    expect(notice(below.requests[1]!)).toBe(
      "[CONTEXT USAGE] about 799 of 1000 tokens, 79% (estimate)",
    );
    const at = await atTokens(800);
    expect(notice(at.requests[1]!)).toMatch(
      /^\[CONTEXT USAGE\] about 800 of .*\n\[CONTEXT WARNING\]/,
    );
    expect(at.answer.outcome).toBe("answered");
    expect(ofType(at.events, "limit")).toMatchObject([{ limit: "context" }]);
  });

  test("from 95% only a final message is asked for", async () => {
    const below = await atTokens(949);
    expect(below.requests[1]!.toolChoice).toBe("auto");
    const at = await atTokens(950);
    expect(at.requests[1]!.toolChoice).toBe("none");
    expect(at.answer).toMatchObject({
      outcome: "context_overflow",
      answer: "x",
      flags: ["forced"],
    });
  });

  test("a result that does not fit is withheld, counted as not read, and said so", async () => {
    const hoard = defineTool({
      name: "read",
      description: "Returns far too much.",
      schema: z.object({}),
      run: () => ({ content: "word ".repeat(1000), reads: [item("a")] }),
    });
    const { requests, events, answer } = await agent(
      [callsTools(["read", {}]), finalMessage("x"), finalMessage("y")],
      { tools: [hoard] },
      { contextTokens: 1000 },
    );
    expect(results(requests)[0]!.content).toContain("no_room");
    expect(ofType(events, "read")).toEqual([]);
    expect(ofType(events, "limit")[0]!.detail).toMatch(/^100[01] tokens of the result of read/);
    expect(answer.flags).toEqual(["noRead"]);
  });
});

describe("hook", () => {
  test("runs before every turn but the forced one, and its messages go before the usage notice", async () => {
    const seen: number[] = [];
    const { requests } = await agent(
      ({ toolChoice }) => (toolChoice === "none" ? finalMessage("x") : read("a")),
      {
        limits: { calls: 2 },
        beforeTurn: async ({ index, callsLeft }) => {
          seen.push(callsLeft);
          return [{ role: "user", content: `advice ${index}` }];
        },
      },
    );
    expect(seen).toEqual([2, 1]);
    expect(requests[1]!.messages.slice(-2).map(({ content }) => content)).toEqual([
      "advice 1",
      expect.stringContaining("[CONTEXT USAGE]"),
    ]);
    expect(requests).toHaveLength(3);
  });
});
