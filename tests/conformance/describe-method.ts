import { describe, expect, test } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle, QuestionId } from "../../core/ids.ts";
import type { AskedQuestion, Method, MethodAnswer, Outcome } from "../../core/method.ts";
import type { ModelRequest } from "../../core/model.ts";
import { ModelError } from "../../core/model-error.ts";
import type { ReadItem, TraceEvent } from "../../core/trace.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { finalMessage, type Script, scriptedModel } from "../support/scripted-model.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { toyCorpus, toyForest } from "../support/toy-corpus.ts";

/** What the suite has to know of a method. */
export interface MethodConformance {
  make(): Method;
  /** The method with one parameter changed each; every one has to have a fingerprint of its own. */
  variants: readonly (() => Method)[];
  /** Replies that lead the method to an answer over the toy corpus, having read something. */
  script: Script;
  /** Replies of the preparation model, for methods with a build of their own. */
  buildScript?: Script;
  /** For methods whose model calls tools. */
  agent?: {
    withBudget(calls: number): Method;
    /** Valid arguments by tool name. */
    tools: { readonly [name: string]: { [argument: string]: string | string[] } };
  };
}

/** The question of the suite; the toy corpus holds its answer, and hostile titles near it. */
const QUESTION = "How long is the warranty of Kettle Two, and what is repair step 1 for a kettle?";

interface Asked {
  answer: MethodAnswer;
  requests: readonly ModelRequest[];
  events: readonly TraceEvent[];
  corpus: Corpus;
}

interface AskOptions {
  question?: string;
  signal?: AbortSignal;
  forest?: Parameters<typeof toyCorpus>[0];
}

type Ask = (method: Method, script: Script, options?: AskOptions) => Promise<Asked>;

/** Asks over a fresh toy corpus, the method's own artefacts built first. */
const askAfter =
  (buildScript: Script): Ask =>
  async (method, script, options = {}) => {
    const resources = await toyCorpus(options.forest);
    const { signal } = new AbortController();
    await method.build?.({
      ...resources,
      model: scriptedModel(buildScript),
      folder: temporaryFolder(),
      signal,
      progress: () => {},
    });
    const model = scriptedModel(script);
    const tracer = createTracer(() => 0);
    const answer = await method.answer(withoutGold(options.question ?? QUESTION), {
      ...resources,
      model,
      tracer,
      signal: options.signal ?? signal,
    });
    return { answer, requests: model.requests, events: tracer.events, corpus: resources.corpus };
  };

/** A question that fails the test when anything but its id and text is looked at. */
function withoutGold(text: string): AskedQuestion {
  return new Proxy<AskedQuestion>(
    { id: "q1" as QuestionId, text },
    {
      get(question, field) {
        if (field === "id" || field === "text") return question[field];
        throw new Error(`a method looked at question.${String(field)}`);
      },
    },
  );
}

/** What every method has to do, whatever its idea: run this in the method's own test file. */
export function describeMethod(name: string, conformance: MethodConformance): void {
  const { make, variants, script, agent } = conformance;
  const ask = askAfter(conformance.buildScript ?? []);

  describe(`${name}: method conformance`, () => {
    test("has a name, a title, and a fingerprint that changes with every parameter", () => {
      const method = make();
      expect(method.name).toBe(name);
      expect(method.title).not.toBe("");
      expect(make().fingerprint).toBe(method.fingerprint);
      const all = [method, ...variants.map((variant) => variant())].map((m) => m.fingerprint);
      expect(new Set(all).size).toBe(variants.length + 1);
    });

    test("answers, and its trace holds every model call and every tool result", async () => {
      const { answer, requests, events } = await ask(make(), script);
      expect(answer.outcome).toBe("answered");
      expect(answer.answer).not.toBe("");
      expect(events.filter(({ type }) => type === "model_call")).toHaveLength(requests.length);
      const results = requests
        .at(-1)!
        .messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
      const traced = events.flatMap((event) => (event.type === "tool_call" ? [event.result] : []));
      expect(traced).toEqual(expect.arrayContaining(results));
    });

    test("lists as read what the model was given to read, with its place, and nothing else", async () => {
      const { requests, events, corpus } = await ask(make(), script);
      const items = readsOf(events);
      if (make().scoredReads) expect(items.length).toBeGreaterThan(0);
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      const given = textOf(requests);
      for (const item of items) expectValid(item, corpus, given);
      if (!make().scoredReads) return;
      const readNodes = new Set(items.flatMap(({ spans }) => spans.map(({ nodeId }) => nodeId)));
      for (let node = 0 as NodeHandle; node < corpus.nodeCount; node++) {
        const text = corpus.text(node);
        if (text === "" || readNodes.has(corpus.nodeId(node))) continue;
        expect(given, `text of ${corpus.nodeId(node)} was given but not listed`).not.toContain(
          text,
        );
      }
    });

    test("does the same again on the same replies, alone or beside other questions", async () => {
      const method = make();
      const alone = await ask(method, script);
      const beside = await Promise.all([ask(method, script), ask(method, script)]);
      for (const again of beside) {
        expect(again.answer).toEqual(alone.answer);
        expect(again.requests.map(comparable)).toEqual(alone.requests.map(comparable));
        expect(again.events.map(timeless)).toEqual(alone.events.map(timeless));
      }
    });

    test("answers also when nothing is found", async () => {
      const { answer } = await ask(make(), () => finalMessage("not there"), {
        question: "zzzz qqqq",
      });
      expect(answer).toMatchObject({ outcome: "answered", answer: "not there" });
    });

    test.each<[string, Parameters<typeof scriptedModel>[0], Outcome]>([
      ["refuses", () => ({ content: "No.", stopReason: "refusal" }), "refused"],
      ["is cut off", () => ({ content: "<answer>So", stopReason: "length" }), "truncated"],
      ["says nothing", () => ({ content: "" }), "empty"],
      ["says an empty answer", () => ({ content: "<answer> </answer>" }), "empty"],
      [
        "cannot take the prompt",
        () => ({ error: new ModelError("context_overflow", "too long") }),
        "context_overflow",
      ],
    ])("when the model %s, the outcome says so", async (_, reply, outcome) => {
      const { answer } = await ask(make(), reply);
      expect(answer.outcome).toBe(outcome);
    });

    test("throws a model's failure as it is", async () => {
      const failure = new ModelError("auth", "no key");
      await expect(ask(make(), () => ({ error: failure }))).rejects.toBe(failure);
    });

    test("stops when it is interrupted: before the first call and between calls", async () => {
      const aborted = AbortSignal.abort();
      const never: Script = () => {
        throw new Error("a model was called after the interruption");
      };
      await expect(ask(make(), never, { signal: aborted })).rejects.not.toThrow(/was called/);
      const controller = new AbortController();
      const interrupted: Script = () => {
        controller.abort();
        return { error: new ModelError("aborted", "interrupted") };
      };
      await expect(ask(make(), interrupted, { signal: controller.signal })).rejects.toMatchObject({
        kind: "aborted",
      });
    });

    test("hostile titles stay data: instructions are the same as over a harmless corpus", async () => {
      const hostile = await ask(make(), script);
      const harmless = await ask(make(), script, { forest: toyForest.slice(0, 2) });
      const system = ({ requests }: Asked) => requests[0]!.messages[0];
      expect(system(hostile)).toEqual(system(harmless));
      for (const { name: tool, content } of toolMessages(hostile.requests)) {
        expect(() => JSON.parse(content), `result of ${tool}`).not.toThrow();
      }
      const ids = JSON.stringify(
        toolMessages(hostile.requests).map(({ content }) => idsIn(content)),
      );
      expect(ids).not.toContain("fake_0000");
    });

    if (agent !== undefined) describeAgent(make, agent, ask);
  });
}

function describeAgent(
  make: () => Method,
  agent: NonNullable<MethodConformance["agent"]>,
  ask: Ask,
): void {
  const tools = Object.entries(agent.tools);
  const call = ([name, args]: (typeof tools)[number]) => ({ name, arguments: args });

  test.each([1, 2, 5, 17])("with a budget of %i, exactly that many calls count", async (budget) => {
    const { answer, events, requests } = await ask(
      agent.withBudget(budget),
      ({ toolChoice, tools: offered }, turn) =>
        toolChoice === "none" || !offered?.length
          ? finalMessage("forced")
          : { toolCalls: [call(tools[turn % tools.length]!)] },
    );
    expect(toolCalls(events)).toHaveLength(budget);
    expect(answer).toMatchObject({ outcome: "budget_exhausted", answer: "forced" });
    expect(answer.flags).toContain("forced");
    expect(requests.filter(({ toolChoice }) => toolChoice === "none")).toHaveLength(1);
  });

  test("many calls in one turn: none over the budget is run, each has its result", async () => {
    const everything = Array.from({ length: 6 }, (_, i) => call(tools[i % tools.length]!));
    const { answer, events } = await ask(agent.withBudget(4), ({ toolChoice, tools: offered }) =>
      toolChoice === "none" || !offered?.length
        ? finalMessage("forced")
        : { toolCalls: everything },
    );
    const refused = toolCalls(events).map((event) => event.refused === "budget_spent");
    expect(refused).toEqual([false, false, false, false, true, true]);
    expect(answer.outcome).toBe("budget_exhausted");
  });

  test("no mistake in a call is thrown; each gets a result that says what to do next", async () => {
    const hostile = [
      "../../etc/passwd",
      "__proto__",
      "\u0000",
      "x".repeat(5000),
      "a_9999",
      "_0000",
    ];
    const wrong = tools.flatMap(([name, args]) => [
      { name, invalid: '{"a": ' },
      { name, arguments: null },
      { name, arguments: [] },
      { name, arguments: {} },
      ...Object.entries(args).flatMap(([field, value]) =>
        hostile.map((text) => ({
          name,
          arguments: { ...args, [field]: Array.isArray(value) ? [text] : text },
        })),
      ),
    ]);
    const mistakes = [{ name: "no_such_tool" }, { name: "toString" }, ...wrong];
    const { answer, events } = await ask(agent.withBudget(200), ({ tools: offered }, turn) => {
      const mistake = offered?.length ? mistakes[turn] : undefined;
      return mistake === undefined ? finalMessage("done") : { toolCalls: [mistake] };
    });
    expect(answer.answer).toBe("done");
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
    for (const { refused, result } of toolCalls(events)) {
      if (refused !== undefined) expect(result).toContain('"next":');
    }
  });

  test("an answer before anything was read is sent back once", async () => {
    const { answer, requests } = await ask(make(), () => finalMessage("guess"));
    const turns = requests.filter(({ tools: offered }) => offered?.length);
    expect(turns).toHaveLength(2);
    expect(answer).toMatchObject({ outcome: "answered", flags: ["noRead"] });
  });
}

function readsOf(events: readonly TraceEvent[]): ReadItem[] {
  return events.flatMap((event) => (event.type === "read" ? event.items : []));
}

function toolCalls(events: readonly TraceEvent[]) {
  return events.filter((event) => event.type === "tool_call");
}

function toolMessages(requests: readonly ModelRequest[]) {
  return requests.at(-1)!.messages.filter((message) => message.role === "tool");
}

function expectValid(item: ReadItem, corpus: Corpus, given: string): void {
  expect(corpus.findDocument(item.documentId), item.documentId).toBeDefined();
  expect(item.tokens).toBeGreaterThan(0);
  expect(item.spans.length).toBeGreaterThan(0);
  for (const { nodeId, start, end } of item.spans) {
    const node = corpus.findNode(nodeId);
    expect(node, nodeId).toBeDefined();
    expect(start).toBeGreaterThanOrEqual(0);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(corpus.textLength(node!));
    expect(given).toContain(corpus.text(node!).slice(start, end));
  }
}

/** Everything the model was given, JSON results unwrapped to their strings. */
function textOf(requests: readonly ModelRequest[]): string {
  return requests
    .flatMap(({ messages }) => messages.map(({ content }) => stringsIn(content).join("\n")))
    .join("\n");
}

function stringsIn(content: string): string[] {
  const found: string[] = [content];
  try {
    JSON.parse(content, (_, value: unknown) => {
      if (typeof value === "string") found.push(value);
      return value;
    });
  } catch {
    // Prose is taken as it stands.
  }
  return found;
}

/** Values of `id` fields anywhere in a JSON result. */
function idsIn(content: string): string[] {
  const ids: string[] = [];
  JSON.parse(content, (key, value: unknown) => {
    if (key === "id" && typeof value === "string") ids.push(value);
    return value;
  });
  return ids;
}

function comparable({ signal: _, ...request }: ModelRequest): unknown {
  return request;
}

/** An event without what differs from run to run. */
function timeless(event: TraceEvent): unknown {
  return { ...event, atMs: 0, ...("durationMs" in event ? { durationMs: 0 } : {}) };
}
