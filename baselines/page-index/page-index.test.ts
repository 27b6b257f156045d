import { describe, expect, onTestFinished, test } from "vitest";
import type { CorpusSink, DocumentTree } from "../../core/corpus/corpus.ts";
import { buildCorpus } from "../../core/corpus/writer.ts";
import type { ChunkHandle, QuestionId } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import { callsTools, finalMessage, scriptedModel } from "../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { viewDocument } from "./document-view.ts";
import { createPageIndex, docScore } from "./index.ts";
import { countPages, formatPageSpec, parsePageSpec } from "./page-spec.ts";
import { selectDocument } from "./select-document.ts";
import { structureParts } from "./structure.ts";
import { pageIndexTools } from "./tools.ts";

const pages = (spec: string) => callsTools(["get_page_content", { pages: spec }]);

describeMethod("page-index", {
  make: createPageIndex,
  variants: [
    () => createPageIndex({ k: 6 }),
    () => createPageIndex({ B: 9 }),
    () => createPageIndex({ docScore: "linear" }),
    () => createPageIndex({ selection: "hybrid" }),
  ],
  script: [
    callsTools(["get_document", {}]),
    callsTools(["get_document_structure", {}]),
    pages("3-9"),
    finalMessage("36 months", ["8"]),
  ],
  agent: {
    withBudget: (B) => createPageIndex({ B }),
    tools: { get_document: {}, get_document_structure: {}, get_page_content: { pages: "3" } },
  },
});

describe("choice of the document", () => {
  test("DocScore: the root by default, linear on request", () => {
    expect(docScore([0.8, 0.6], "sqrt")).toBeCloseTo(0.808, 3);
    expect(docScore([0.8, 0.6], "linear")).toBeCloseTo(0.467, 3);
    expect(docScore([0.9], "sqrt")).toBeCloseTo(0.636, 3);
    expect(docScore([0.9], "linear")).toBeCloseTo(0.45, 3);
  });

  test("the forms differ in what they choose; scores are those of the list asked for", async () => {
    const shared = await toyCorpus();
    const handles = (id: string, count: number) =>
      Array.from({ length: count }, (_, i) => shared.chunks.find(`${id}_000${i}#0`)!);
    const [one] = handles("kettle-1", 1);
    const [two, other] = [
      shared.chunks.find("kettle-2_0000#0")!,
      shared.chunks.find("kettle-2_0001#0")!,
    ];
    const modes: (string | undefined)[] = [];
    const hit = (chunk: ChunkHandle, score: number, i: number) => ({ chunk, score, rank: i + 1 });
    const context = {
      ...shared,
      tracer: createTracer(() => 0),
      signal: new AbortController().signal,
      retriever: {
        ...shared.retriever,
        search: async (_: string, k: number, options: { mode?: string } = {}) => {
          modes.push(options.mode);
          return [hit(one!, 0.9, 0), hit(two, 0.8, 1), hit(other, 0.6, 2)].slice(0, k);
        },
      },
    } as unknown as MethodContext;
    const choose = async (docScoreForm: "sqrt" | "linear", k = 50) => {
      const parameters = { k, B: 10, docScore: docScoreForm, selection: "dense" as const };
      const chosen = await selectDocument(context, "q", parameters);
      return shared.corpus.document(chosen!.index).id;
    };
    expect(await choose("sqrt")).toBe("kettle-2");
    expect(await choose("linear")).toBe("kettle-2");
    expect(await choose("sqrt", 2)).toBe("kettle-1");
    expect(modes).toEqual(["dense", "dense", "dense"]);
  });

  test("a corpus that is one tree does not fit", async () => {
    const method = createPageIndex();
    const { corpus } = await toyCorpus();
    expect(method.fits!(corpus)).toEqual({ fits: true });
    const portal = { ...corpus, summary: { ...corpus.summary, singleTree: true } };
    expect(method.fits!(portal)).toMatchObject({ fits: false, reason: expect.any(String) });
  });

  test("every call stays in the chosen document, whatever it asks for", async () => {
    const model = scriptedModel([
      callsTools(["get_document", { doc_id: "kettle-1" }]),
      callsTools(["get_document_structure", { doc_id: "kettle-1" }]),
      pages("1-1000"),
      finalMessage("x"),
    ]);
    const tracer = createTracer(() => 0);
    await createPageIndex().answer(
      { id: "q" as QuestionId, text: "warranty of the Kettle Two lasts" },
      { ...(await toyCorpus()), model, tracer, signal: new AbortController().signal },
    );
    const documents = tracer.events.flatMap((event) =>
      event.type === "read" ? event.items.map(({ documentId }) => documentId) : [],
    );
    expect(documents).toHaveLength(4);
    expect(new Set(documents)).toEqual(new Set(["kettle-2"]));
    expect(tracer.events.find(({ type }) => type === "note")).toMatchObject({
      note: "document_selected",
      detail: [{ documentId: "kettle-2" }, {}, {}],
    });
  });
});

describe("page specifications", () => {
  test.each([
    ["5", [[5, 5]]],
    [
      "3,8",
      [
        [3, 3],
        [8, 8],
      ],
    ],
    ["5-7", [[5, 7]]],
    [
      "1-3,7",
      [
        [1, 3],
        [7, 7],
      ],
    ],
    [
      " 1 - 3 , 7 ",
      [
        [1, 3],
        [7, 7],
      ],
    ],
  ])("%s is read", (spec, ranges) => {
    expect(parsePageSpec(spec)).toEqual(ranges);
  });

  test.each(["", " ", ",", "3,", "7-5", "-3", "1-2-3", "all", "5;6", "1.5", "9".repeat(30)])(
    "%j is refused",
    (spec) => {
      expect(parsePageSpec(spec)).toBeUndefined();
    },
  );

  test("are counted without repeats and written short", () => {
    expect(
      countPages([
        [5, 7],
        [1, 3],
        [6, 9],
        [2, 2],
      ]),
    ).toBe(8);
    expect(formatPageSpec([1, 2, 3, 7, 9, 10])).toBe("1-3,7,9-10");
  });
});

async function withCorpus(write: (sink: CorpusSink) => void) {
  const corpus = await buildCorpus(
    { corporaFolder: temporaryFolder(), dataset: "toy", singleTree: false },
    write,
  );
  onTestFinished(() => corpus.close());
  const context = { ...(await toyCorpus()), corpus } as unknown as MethodContext;
  const view = viewDocument(corpus, corpus.findDocument("d")!.index);
  const call = (name: string, args: unknown, roomTokens = 100_000) => {
    const tool = pageIndexTools(context, view).find((one) => one.name === name)!;
    return tool.run(args, { roomTokens, percentUsed: 0, signal: new AbortController().signal });
  };
  const read = async (spec: string, roomTokens?: number) => {
    const result = await call("get_page_content", { pages: spec }, roomTokens);
    return { ...result, json: JSON.parse(result.content) };
  };
  return { corpus, context, view, call, read };
}

/** Page 1: the first section and the beginning of the second; page 2: its rest; page 3: an image. */
const filing = (sink: CorpusSink, pageCount = 3) => {
  sink.document({ id: "d", title: "Filing", pageCount });
  sink.tree({
    title: "Filing",
    documentId: "d",
    children: [
      {
        title: "Sales",
        text: "Sales rose.",
        attributes: { pages: [0, 0] },
        pageSpans: [{ page: 0, start: 0, end: 11 }],
      },
      {
        title: "Costs",
        text: "Costs fell.And stayed low.",
        pageSpans: [
          { page: 0, start: 0, end: 11 },
          { page: 1, start: 11, end: 26 },
        ],
      },
    ],
  });
};

describe("documents in pages", () => {
  test("a page is the pieces of all nodes on it, numbered from 1", async () => {
    const { read, call } = await withCorpus(filing);
    const { json, reads } = await read("1-3");
    expect(json).toEqual({
      pages: [
        { page: 1, content: "Sales rose.\nCosts fell." },
        { page: 2, content: "And stayed low." },
        { page: 3, content: "" },
      ],
    });
    expect(reads).toEqual([
      {
        kind: "page",
        id: "d p.1",
        documentId: "d",
        page: 0,
        spans: [
          { nodeId: "d_0001", start: 0, end: 11 },
          { nodeId: "d_0002", start: 0, end: 11 },
        ],
        tokens: 4,
      },
      expect.objectContaining({ id: "d p.2", page: 1 }),
    ]);
    expect(JSON.parse((await call("get_document", {})).content)).toEqual({
      doc_id: "d",
      name: "Filing",
      type: "pages",
      status: "completed",
      page_count: 3,
    });
    expect(JSON.parse((await call("get_document_structure", {})).content)).toEqual({
      structure: [
        {
          title: "Filing",
          node_id: "d_0000",
          nodes: [
            { title: "Sales", node_id: "d_0001", start_index: 1, end_index: 1 },
            { title: "Costs", node_id: "d_0002", start_index: 1, end_index: 2 },
          ],
        },
      ],
    });
  });

  test("numbers outside are skipped; all outside, no numbers, and too many are errors", async () => {
    const { read } = await withCorpus(filing);
    expect((await read("0,2,9")).json.pages.map(({ page }: { page: number }) => page)).toEqual([2]);
    for (const [spec, error] of [
      ["0,9-12", "pages_out_of_range"],
      ["two", "invalid_pages"],
      ["1-1001", "too_many_pages"],
    ] as const) {
      const { json, refused, reads } = await read(spec);
      expect(json).toMatchObject({ error, next: expect.any(String) });
      expect([refused, reads]).toEqual([error, undefined]);
    }
    expect((await read("1-1000")).json.pages).toHaveLength(3);
  });

  test("text stops after 95,000 characters and names what is left", async () => {
    const { read } = await withCorpus((sink) => {
      sink.document({ id: "d", title: "Filing", pageCount: 4 });
      const pageSpans = [0, 1, 2, 3].map((page) => ({
        page,
        start: page * 40_000,
        end: (page + 1) * 40_000,
      }));
      sink.tree({ title: "Filing", documentId: "d", text: "word ".repeat(32_000), pageSpans });
    });
    const { json, reads } = await read("1-4");
    expect(json.pages).toHaveLength(2);
    expect(json.remaining_pages).toBe("3-4");
    expect(reads).toHaveLength(2);
  });

  test("a page that the window has no room for is cut, and only that much counts as read", async () => {
    const { read } = await withCorpus((sink) => {
      sink.document({ id: "d", title: "Filing", pageCount: 1 });
      const text = "word ".repeat(400);
      const pageSpans = [{ page: 0, start: 0, end: text.length }];
      sink.tree({ title: "Filing", documentId: "d", text, pageSpans });
    });
    const { json, reads, droppedTokens } = await read("1", 200);
    const [{ content, notice }] = json.pages;
    expect(notice).toContain("context window");
    expect(reads![0]!.spans).toEqual([{ nodeId: "d_0000", start: 0, end: content.length }]);
    expect(droppedTokens).toBeGreaterThan(100);
  });

  test("a one-page document and repeated titles are told apart by their numbers", async () => {
    const { call, read } = await withCorpus((sink) => {
      sink.document({ id: "d", title: "Note", pageCount: 1 });
      const section = (start: number): DocumentTree => ({
        title: "Terms",
        text: "Same.",
        pageSpans: [{ page: 0, start, end: start + 5 }],
      });
      sink.tree({ title: "Note", documentId: "d", children: [section(0), section(0)] });
    });
    const { structure } = JSON.parse((await call("get_document_structure", {})).content);
    expect(structure[0].nodes.map((node: { node_id: string }) => node.node_id)).toEqual([
      "d_0001",
      "d_0002",
    ]);
    expect((await read("1")).json.pages).toEqual([{ page: 1, content: "Same.\nSame." }]);
  });
});

describe("documents in lines", () => {
  const manual = (lines: readonly (number | undefined)[]) => (sink: CorpusSink) => {
    sink.document({ id: "d", title: "Manual" });
    const at = (i: number) => (lines[i] === undefined ? {} : { attributes: { line: lines[i] } });
    sink.tree({
      title: "Manual",
      documentId: "d",
      text: "Before.\nMore.",
      children: [
        { title: "Setup", ...at(0), children: [{ title: "Water", text: "Fill it.", ...at(1) }] },
        { title: "Care", text: "Clean it.", ...at(2) },
      ],
    });
  };
  const numbers = async (lines: readonly (number | undefined)[]) =>
    (await withCorpus(manual(lines))).view.units.map(({ number }) => number);

  test("are numbered by their source lines; what precedes the first heading is line 0", async () => {
    expect(await numbers([4, 6, 9])).toEqual([0, 4, 6, 9]);
  });

  test("get the lines of the document written out where one line is missing or they do not rise", async () => {
    expect(await numbers([4, undefined, 9])).toEqual([1, 4, 5, 7]);
    expect(await numbers([4, 4, 9])).toEqual([1, 4, 5, 7]);
  });

  test("a heading is read with its own text; one without text is not a read", async () => {
    const { read } = await withCorpus(manual([4, 6, 9]));
    const { json, reads } = await read("4-6");
    expect(json.pages).toEqual([
      { page: 4, title: "Setup", content: "" },
      { page: 6, title: "Water", content: "Fill it." },
    ]);
    expect(reads).toEqual([
      {
        kind: "node",
        id: "d_0002",
        documentId: "d",
        spans: [{ nodeId: "d_0002", start: 0, end: 8 }],
        tokens: 2,
      },
    ]);
    expect((await read("5")).json.error).toBe("pages_out_of_range");
    expect((await read("1-999999")).json.pages).toHaveLength(3);
  });

  test("a long structure comes in parts that repeat the titles above and show every node once", async () => {
    const { context, view } = await withCorpus(manual([4, 6, 9]));
    const parts = structureParts(context, view, 150);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.flatMap(({ nodes }) => nodes)).toEqual(view.nodes);
    for (const { json } of parts.slice(1)) {
      expect(json).toContain('"continued":true');
    }
    const { call } = await withCorpus(manual([4, 6, 9]));
    expect(JSON.parse((await call("get_document_structure", { part: 2 })).content).error).toBe(
      "no_such_part",
    );
  });

  test("summaries are shown where the metadata has them", async () => {
    const { context, view } = await withCorpus(manual([4, 6, 9]));
    const metadata = { kind: "build", get: () => ({ summary: "About it.", keywords: ["it"] }) };
    const [part] = structureParts({ ...context, metadata }, view);
    expect(part!.json.match(/About it\./g)).toHaveLength(4);
  });
});

test("a question that no chunk matches is put to the model once, without tools", async () => {
  const model = scriptedModel([finalMessage("nothing on it")]);
  const answer = await createPageIndex().answer(
    { id: "q" as QuestionId, text: "zzzz" },
    {
      ...(await toyCorpus()),
      model,
      tracer: createTracer(() => 0),
      signal: new AbortController().signal,
    },
  );
  expect(model.requests[0]!.tools).toBeUndefined();
  expect(answer).toMatchObject({ outcome: "answered", flags: ["noRead"] });
});
