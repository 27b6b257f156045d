import { describe, expect, test } from "vitest";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { createTracer } from "../tracing/tracer.ts";
import { headingOf, passagesThatFit, searchPassages } from "./index.ts";

describe("passages", () => {
  test("carry heading, exact slice and read item in rank order, and the ranking is traced", async () => {
    const resources = await toyCorpus();
    const tracer = createTracer(() => 0);
    const { signal } = new AbortController();
    const passages = await searchPassages(
      { ...resources, tracer, signal },
      "kettle segment units firm",
      2,
      { mode: "bm25" },
    );
    expect(passages[0]).toMatchObject({
      heading: "Annual report 2023 > Results > Kettle segment",
      item: { kind: "chunk", id: "report-2023_0002#0", documentId: "report-2023" },
    });
    const [span] = passages[0]!.item.spans;
    const node = resources.corpus.findNode(span!.nodeId)!;
    expect(passages[0]!.text).toBe(resources.corpus.text(node).slice(span!.start, span!.end));
    expect(tracer.events).toMatchObject([
      {
        type: "retrieved",
        query: "kettle segment units firm",
        mode: "bm25",
        chunks: passages.map(({ item }) => item.id),
      },
    ]);
  });

  test("a heading leaves containers above the document and the document's own root out", async () => {
    const { corpus } = await toyCorpus();
    const heading = (id: string) => headingOf(corpus, corpus.findNode(id)!);
    expect(heading("kettle-1_0004")).toBe("Kettle One > Care > Warranty");
    expect(heading("kettle-1_0000")).toBe("Kettle One");
    expect(heading("_c_0000")).not.toContain("undefined");
  });
});

describe("room for passages", () => {
  const texts = ["one two three", "four five six", "seven"];
  const within = (room: number) => passagesThatFit(texts, (text) => text, room);

  test("the longest beginning of the list is kept, the rest is counted", () => {
    expect(within(100)).toEqual({ kept: texts, droppedTokens: 0 });
    expect(within(5)).toEqual({ kept: ["one two three"], droppedTokens: 6 });
    expect(within(0)).toEqual({ kept: [], droppedTokens: 10 });
  });

  test("a later short passage does not overtake a longer one that was dropped", () => {
    expect(passagesThatFit(["a ".repeat(50), "b"], (text) => text, 10).kept).toEqual([]);
  });
});
