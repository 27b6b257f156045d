import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { QuestionId } from "../../core/ids.ts";
import { ModelError } from "../../core/model-error.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import { finalMessage, type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { vocabularyEmbedder } from "../../tests/support/vocabulary-embedder.ts";
import { createHypergraphRag, type HypergraphRagConfig } from "./index.ts";

const relation = (text: string, score: number) => `("hyper-relation"<|>${text}<|>${score})`;
const entity = (name: string, description: string, score: number) =>
  `("entity"<|>${name}<|>thing<|>${description}<|>${score})`;

/** What the scripted model takes out of each document. */
type Documents = { [text: string]: string[] };
const documents: Documents = {
  "First text.": [
    relation("alpha beats beta", 8),
    entity("alpha", "alpha wins", 90),
    entity("beta", "beta loses", 40),
  ],
  "Second text.": [
    relation("alpha meets gamma and delta", 6),
    entity("alpha", "alpha meets", 50),
    entity("gamma", "gamma meets", 50),
    entity("delta", "delta meets", 50),
  ],
  "Third text.": [relation("beta rests", 10), entity("beta", "beta sleeps", 60)],
  "Fourth text.": [relation("alpha beats beta", 5), entity("alpha", "alpha wins", 10)],
};
const extraction =
  (from: Documents): Script =>
  ({ task, messages }) => {
    if (task !== "hypergraph-rag.extract") {
      return { content: task.endsWith("more") ? "NO" : "none" };
    }
    const prompt = messages[0]!.content;
    const text = Object.keys(from).find((one) => prompt.includes(one))!;
    return { content: `${from[text]!.join("##\n")}\n<|COMPLETE|>` };
  };

const question = "What does alpha do?";
const queried = (...records: string[]) => ({ content: `${records.join("##")}<|COMPLETE|>` });
const searchBoth = queried(relation("beta rests", 5), entity("alpha", "asked for", 90));

/** One graph for all tests: parameters of the questions do not change it. */
const built = mkdtempSync(join(tmpdir(), "ritbench-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));

async function ask(
  script: Script,
  config: HypergraphRagConfig = {},
  asked = question,
  folder = built,
  from = documents,
) {
  const resources = await toyCorpus(
    Object.keys(from).map((text, i) => ({ title: `T${i}`, documentId: `d${i}`, text })),
  );
  const shared = {
    ...resources,
    embedder: vocabularyEmbedder(["alpha", "beta", "gamma", "delta"]),
  };
  const method = createHypergraphRag(config);
  const { signal } = new AbortController();
  const builder = scriptedModel(extraction(from));
  await method.build!({ ...shared, model: builder, folder, signal, progress: () => {} });
  const model = scriptedModel(script);
  const tracer = createTracer(() => 0);
  const answer = await method.answer(
    { id: "q" as QuestionId, text: asked },
    { ...shared, model, tracer, signal },
  );
  const tables = model.requests.at(-1)!.messages.at(-1)!.content;
  return { answer, model, builder, events: tracer.events, tables };
}

const rowsOf = (tables: string, title: string) =>
  tables.split(`### ${title}\n\`\`\`csv\n`)[1]!.split("\n```")[0]!.split("\n").slice(1);

describeMethod("hypergraph-rag", {
  make: createHypergraphRag,
  variants: [
    () => createHypergraphRag({ graphChunks: "shared512" }),
    () => createHypergraphRag({ gleanings: 1 }),
    () => createHypergraphRag({ summaryTokens: 400 }),
    () => createHypergraphRag({ topK: 10 }),
    () => createHypergraphRag({ sourceTokens: 2000 }),
    () => createHypergraphRag({ hyperedgeTokens: 2000 }),
    () => createHypergraphRag({ entityTokens: 2000 }),
  ],
  buildScript: ({ task }) => ({
    content: task.endsWith("more")
      ? "NO"
      : `${relation("The Kettle Two has a warranty of 36 months", 9)}##${entity("Kettle Two", "a kettle", 90)}`,
  }),
  script: [queried(entity("Kettle Two", "a kettle", 90)), finalMessage("36 months", ["1"])],
});

test("three calls a chunk for the build, two a question", async () => {
  const { builder, model } = await ask(
    [searchBoth, finalMessage("it wins")],
    {},
    question,
    temporaryFolder(),
  );
  expect(builder.requests).toHaveLength(4 * 3);
  expect(model.requests.map(({ task }) => task)).toEqual([
    "hypergraph-rag.query",
    "hypergraph-rag.answer",
  ]);
});

test("rows of the hyperedge side come first; each side has its own order; repeats go", async () => {
  const { tables, answer, events } = await ask([
    searchBoth,
    finalMessage("it wins", ["1", "2", "x"]),
  ]);
  // Hyperedge side, query "<hyperedge>beta rests": cosine 1 for "beta rests", 0.707 for "alpha beats beta".
  // Entity side, query "ALPHA": only ALPHA (cosine 1); its pairs by degree: 3 + 3 for the meeting, 3 + 2 for the win.
  expect(rowsOf(tables, "Relationships")).toEqual([
    "1,beta rests,BETA",
    "2,alpha beats beta,ALPHA|BETA",
    "3,alpha meets gamma and delta,ALPHA|GAMMA|DELTA",
  ]);
  expect(rowsOf(tables, "Entities")).toEqual([
    "1,BETA,THING,beta loses<SEP>beta sleeps",
    "2,ALPHA,THING,alpha meets<SEP>alpha wins",
  ]);
  // Hyperedge order: the third text, then both texts of the win; the entity side adds the second text, which shares
  // one of ALPHA's hyperedges as the first and fourth do.
  expect(rowsOf(tables, "Sources")).toEqual([
    '1,"T2',
    'Third text."',
    '2,"T0',
    'First text."',
    '3,"T3',
    'Fourth text."',
    '4,"T1',
    'Second text."',
  ]);
  expect(answer).toMatchObject({ outcome: "answered", sources: ["d2~0000", "d0~0000", "x"] });
  expect(answer.flags).toBeUndefined();
  expect(events.map(({ type }) => type)).toEqual(["model_call", "shown", "note", "model_call"]);
  expect(events[1]).toMatchObject({
    nodes: ["d2_0000", "d0_0000", "d3_0000", "d1_0000"],
    query: "ALPHA, beta rests",
  });
  expect(events[2]).toMatchObject({ detail: { entities: 2, relationships: 3, sources: 4 } });
});

test("equal nearness and equal degrees are settled by weights, which are sums over all mentions", async () => {
  const twice = [
    relation("beta hails alpha", 4),
    entity("alpha", "d", 20),
    entity("beta", "d", 20),
  ];
  const tied = {
    "Text A.": [relation("alpha beats beta", 7), entity("alpha", "d", 30), entity("beta", "d", 30)],
    "Text B.": twice,
    "Text C.": twice,
  };
  const both = queried(relation("alpha beta", 5), entity("alpha", "d", 1));
  const script = [both, finalMessage("x")];
  const ordered = async (config: HypergraphRagConfig) => {
    const { tables } = await ask(script, config, question, folder, tied);
    return rowsOf(tables, "Relationships").map((row) => row.split(",")[1]);
  };
  const folder = temporaryFolder();
  // Both lie at 1 from the query. The hail weighs 4 + 4, its edge to ALPHA 20 + 20; the win 7 and 30.
  expect(await ordered({})).toEqual(["beta hails alpha", "alpha beats beta"]);
  // The entity side alone has room for one statement: the same one.
  const { tables } = await ask(
    [queried(relation("gamma", 5), entity("alpha", "d", 1)), finalMessage("x")],
    { hyperedgeTokens: 5 },
    question,
    folder,
    tied,
  );
  expect(rowsOf(tables, "Relationships")).toEqual(["1,beta hails alpha,ALPHA|BETA"]);
});

test("budgets keep leading items; a first item over the limit leaves none", async () => {
  // "beta rests" has 2 tokens, "alpha beats beta" 3, "alpha meets gamma and delta" 5.
  const rows = async (config: HypergraphRagConfig) => {
    const { tables } = await ask([searchBoth, finalMessage("x")], config);
    return ["Entities", "Relationships", "Sources"].map((title) => rowsOf(tables, title).length);
  };
  const relationships = async (hyperedgeTokens: number) => {
    const { tables } = await ask([searchBoth, finalMessage("x")], { hyperedgeTokens });
    return rowsOf(tables, "Relationships").map((row) => row.split(",")[1]);
  };
  expect(await relationships(1)).toEqual([]);
  expect(await relationships(2)).toEqual(["beta rests"]);
  expect(await relationships(4)).toEqual(["beta rests"]);
  expect(await relationships(5)).toEqual([
    "beta rests",
    "alpha beats beta",
    "alpha meets gamma and delta",
  ]);
  expect(await rows({ sourceTokens: 1 })).toEqual([2, 3, 0]);
  // The hyperedge side's entities are cut, those of the entity side never.
  expect(await rows({ entityTokens: 1 })).toEqual([1, 3, 8]);
});

test("where the question's records hold nothing, the question itself is searched for, and that is marked", async () => {
  const { answer, events, tables } = await ask([{ content: "none" }, finalMessage("x")]);
  expect(answer.flags).toEqual(["fallbackUsed"]);
  expect(
    events.flatMap((event) => (event.type === "note" ? [event.note] : [])).slice(0, 2),
  ).toEqual([
    "no statement: the question itself is searched for",
    "no entity: the question itself is searched for",
  ]);
  expect(rowsOf(tables, "Entities").length).toBeGreaterThan(0);
});

test("one empty side leaves the other, also for the questions after it", async () => {
  const onlyEdges = queried(relation("beta rests", 5), entity("nobody known", "d", 1));
  const first = await ask([onlyEdges, finalMessage("x")]);
  expect(rowsOf(first.tables, "Relationships")).toHaveLength(2);
  expect(first.answer.flags).toBeUndefined();
  const second = await ask([searchBoth, finalMessage("x")]);
  expect(rowsOf(second.tables, "Relationships")).toHaveLength(3);
});

test("nothing found at all: the model is still asked, over empty tables, and it is marked", async () => {
  const { answer, tables } = await ask([{ content: "" }, finalMessage("unknown")], {}, "zzz?");
  expect(answer).toMatchObject({ outcome: "answered", answer: "unknown", flags: ["fallbackUsed"] });
  expect(rowsOf(tables, "Sources")).toEqual([]);
});

test("a question too long for the model is an outcome, not a crash", async () => {
  const { answer } = await ask([{ error: new ModelError("context_overflow", "too long") }]);
  expect(answer.outcome).toBe("context_overflow");
});

test("it does not fit a portal of one tree", async () => {
  const { corpus } = await toyCorpus();
  const method = createHypergraphRag();
  expect(method.fits!(corpus)).toEqual({ fits: true });
  const portal = { ...corpus, summary: { ...corpus.summary, singleTree: true } };
  expect(method.fits!(portal)).toMatchObject({ fits: false });
});
