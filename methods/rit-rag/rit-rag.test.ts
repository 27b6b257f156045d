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
    expect(shown!.selected).toEqual(["kettle-2_0004", "kettle-1_0004"]);
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

  test("orders trees by their best node and keeps children in document order", async () => {
    const { tools } = await ask([
      toc("revenue outlook 2024 board expects kettle setup water"),
      finalMessage("x"),
      finalMessage("x"),
    ]);
    const trees = parsed(tools[0]);
    expect(trees.map(({ title }: { title: string }) => title)).toEqual([
      "Annual report 2023",
      "Kettles",
      "Service notes",
    ]);
    const kettleOne = trees[1].nodes[0];
    expect(kettleOne.nodes.map(({ title }: { title: string }) => title)).toEqual(["Setup", "Care"]);
    expect(kettleOne.nodes[1]).toMatchObject({ is_readable: false, id: "kettle-1_0002" });
    expect(kettleOne.is_readable).toBe(true);
  });

  test("carries summaries where the corpus has them, and the prompt explains them only then", async () => {
    const toy = await toyCorpus();
    const warranty = toy.corpus.findNode("kettle-2_0004")!;
    const resources: SharedResources = {
      ...toy,
      metadata: {
        kind: "abc",
        get: (node) => (node === warranty ? { summary: "How long it lasts." } : undefined),
      },
    };
    const script = [toc("warranty months two"), finalMessage("x"), finalMessage("x")];
    const rich = await ask(script, { n: 1 }, { resources });
    expect(rich.tools[0]!.content).toContain('"metadata":{"summary":"How long it lasts."}');
    expect(rich.requests[0]!.messages[0]!.content).toContain("`keywords`");
    const plain = await ask(script, { n: 1 });
    expect(plain.requests[0]!.messages[0]!.content).not.toMatch(/keywords|summar/);
  });

  test("the fourth request is refused and not run", async () => {
    const { events: all, answer } = await ask([
      toc("a"),
      toc("kettle"),
      toc("setup"),
      toc("warranty"),
      content("kettle-2_0001"),
      finalMessage("x"),
    ]);
    expect(events(all, "retrieved").map(({ query }) => query)).toEqual(["a", "kettle", "setup"]);
    expect(events(all, "tool_call").map(({ refused }) => refused)).toEqual([
      undefined,
      undefined,
      undefined,
      "tool_budget_spent",
      undefined,
    ]);
    expect(answer.outcome).toBe("answered");
  });

  test("nothing found is a result with a hint, and the question is still answered", async () => {
    const { tools, answer } = await ask([toc("zzz"), finalMessage("none"), finalMessage("none")]);
    expect(parsed(tools[0])).toMatchObject({ trees: [], notice: expect.stringContaining("words") });
    expect(answer).toMatchObject({ outcome: "answered", flags: ["noRead"] });
  });

  test("shows fewer sections when the window is small, and says how much was left out", async () => {
    const sections = Array.from({ length: 40 }, (_, i) => ({
      title: `Kettle section number ${i}`,
      text: "kettle",
    }));
    const resources = await toyCorpus([{ title: "Book", documentId: "book", children: sections }]);
    const { tools, events: all } = await ask(
      [toc("kettle"), finalMessage("x"), finalMessage("x")],
      {},
      { contextTokens: 1900, resources },
    );
    expect(parsed(tools[0]).notice).toMatch(/best (20|10) of 40 matching/);
    expect(events(all, "limit")[0]!.detail).toMatch(/^\d{3,} tokens of the result of get_toc/);
    const [shown] = events(all, "shown");
    expect(shown!.selected[0]).toBe("book_0001");
    expect(parsed(tools[0]).trees[0].nodes).toHaveLength(shown!.selected.length);
  });

  test("can be refused from the context warning on", async () => {
    const full = { ...toc("setup"), usage: { uncachedInputTokens: 170_000 } };
    const script = [full, finalMessage("x"), finalMessage("x")];
    const refusing = await ask(script, { refuseTocAbove80: true });
    expect(events(refusing.events, "tool_call")[0]!.refused).toBe("context_warning");
    const advising = await ask(script);
    expect(events(advising.events, "tool_call")[0]!.refused).toBeUndefined();
  });
});

describe("get_content", () => {
  test("returns own text; containers, unknown and unshown ids fail one by one", async () => {
    const { tools, events: all } = await ask([
      toc("warranty months two"),
      content(
        "kettle-2_0004",
        "kettle-2_0002",
        "kettle-9_0000",
        "report-2023_0003",
        "kettle-2_0004",
      ),
      finalMessage("36 months", ["kettle-2_0004"]),
    ]);
    expect(parsed(tools[1])).toEqual([
      {
        id: "kettle-2_0004",
        title: "Warranty",
        content: "The warranty of the Kettle Two lasts 36 months.",
      },
      expect.objectContaining({ id: "kettle-2_0002", error: "not_readable" }),
      expect.objectContaining({ id: "kettle-9_0000", error: "unknown_id" }),
      expect.objectContaining({ id: "report-2023_0003", error: "not_shown" }),
    ]);
    expect(events(all, "read")).toMatchObject([
      {
        items: [
          {
            kind: "node",
            id: "kettle-2_0004",
            documentId: "kettle-2",
            spans: [{ nodeId: "kettle-2_0004", start: 0, end: 47 }],
          },
        ],
      },
    ]);
  });

  test("nodes of an earlier table of contents may be read, unless only the latest counts", async () => {
    const script = [
      toc("warranty months two"),
      toc("revenue crowns"),
      content("kettle-2_0004"),
      finalMessage("x"),
      finalMessage("x"),
    ];
    const loose = await ask(script, { n: 2 });
    expect(parsed(loose.tools[2])[0]).toHaveProperty("content");
    const strict = await ask(script, { n: 2, strictCurrentToc: true });
    expect(parsed(strict.tools[2])[0]).toMatchObject({ error: "not_shown" });
    expect(events(strict.events, "tool_call")[2]!.refused).toBe("nothing_readable");
  });

  test("a node that would burst the window is cut with a notice, and the span says how far", async () => {
    const sentence = "The long section goes on about kettles and water. ";
    const resources = await toyCorpus([
      { title: "Long", documentId: "long", text: sentence.repeat(400) },
      { title: "Longer", documentId: "longer", text: sentence.repeat(500) },
    ]);
    const { tools, events: all } = await ask(
      [toc("kettles"), content("long_0000", "longer_0000"), finalMessage("x")],
      {},
      { contextTokens: 3000, resources },
    );
    const [entry, second] = parsed(tools[1]);
    expect(entry.notice).toMatch(/^only the beginning of 44\d\d tokens/);
    expect(second).toMatchObject({ id: "longer_0000", error: "no_room" });
    const [span] = events(all, "read")[0]!.items[0]!.spans;
    expect(span!.end).toBe(entry.content.length);
    expect(span!.end).toBeGreaterThan(2000);
    expect(events(all, "limit")[0]!.detail).toMatch(/^\d{4} tokens of the result of get_content/);
  });

  test("both tools in one turn: the table of contents is made, the read refused", async () => {
    const { events: all } = await ask([
      callsTools(["get_content", { ids: ["a_0000"] }], ["get_toc_structure", { query: "kettle" }]),
      content("kettle-1_0000"),
      finalMessage("x"),
    ]);
    expect(events(all, "tool_call").map(({ name, refused }) => [name, refused])).toEqual([
      ["get_content", "separate_turns"],
      ["get_toc_structure", undefined],
      ["get_content", undefined],
    ]);
  });

  test("hostile titles come through as data", async () => {
    const { tools } = await ask([
      toc("repair step unplug"),
      content("notes_0001", "notes_0002", "notes_0003"),
      finalMessage("x"),
    ]);
    const [tree] = parsed(tools[0]).filter(({ id }: { id: string }) => id === "notes_0000");
    expect(tree.nodes.map(({ title }: { title: string }) => title)).toEqual([...hostileTitles]);
    expect(parsed(tools[1]).map(({ title }: { title: string }) => title)).toEqual([
      ...hostileTitles,
    ]);
  });
});

describe("parameters", () => {
  test("k' follows n unless it is given", async () => {
    const fingerprintOf = (config: RitRagConfig) => createRitRag(config).fingerprint;
    expect(fingerprintOf({ n: 25 })).toBe(fingerprintOf({ n: 25, kPrime: 100 }));
    expect(fingerprintOf({ n: 25 })).not.toBe(fingerprintOf({ n: 25, kPrime: 200 }));
    expect(fingerprintOf({})).toBe(fingerprintOf({ n: 50, kPrime: 200, B: 10, Bs: 3 }));
  });

  test("the prompt states the budgets", async () => {
    const { requests } = await ask([finalMessage("x"), finalMessage("x")], { B: 7, Bs: 2 });
    expect(requests[0]!.messages[0]!.content).toMatch(/7 tool calls .* at most 2 of them/);
  });
});
