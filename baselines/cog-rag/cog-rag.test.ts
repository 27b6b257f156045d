import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { QuestionId } from "../../core/ids.ts";
import { ModelError } from "../../core/model-error.ts";
import { buildGraph } from "../../pipelines/graph-build/index.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { describeMethod } from "../../tests/conformance/describe-method.ts";
import { finalMessage, type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { vocabularyEmbedder } from "../../tests/support/vocabulary-embedder.ts";
import { type CogRagConfig, cogRagConfig } from "./config.ts";
import { createCogRag } from "./index.ts";
import { cogRecipe, type Relation, type Theme, type Vertex } from "./recipe.ts";

const record = (...fields: (string | number)[]) =>
  `("${fields[0]}" | ${fields.slice(1).join(" | ")})`;
const key = (name: string) => record("key_entity", name, "kind", `key ${name}`, 50);
const thing = (name: string, said: string, ...more: string[]) =>
  record("Entity", name, "thing", said, ...more);

/** What the scripted model takes out of each document: theme records, then entity records. */
const documents: { [text: string]: [string[], string[]] } = {
  "First text.": [
    [
      record("theme", "alpha beats beta"),
      key("alpha"),
      key("beta"),
      record("theme", "gamma looks on"),
    ],
    [
      thing("alpha", "alpha wins", "strong"),
      thing("beta", "beta loses"),
      record("Low-order Hyperedge", "alpha", "beta", "alpha beats beta", "contest", 0.9),
    ],
  ],
  "Second text.": [
    [record("theme", "alpha rests"), key("alpha")],
    [
      thing("alpha", "alpha sleeps", "tired"),
      record(
        "High-order Hyperedge",
        "alpha",
        "gamma",
        "delta",
        "three of them",
        "general",
        "sleep",
        0.4,
      ),
    ],
  ],
  "Third text.": [
    [record("theme", "beta beats alpha"), key("beta"), key("alpha")],
    [
      thing("beta", "beta wins"),
      record("Low-order Hyperedge", "beta", "alpha", "beta beats alpha", "contest", 0.2),
    ],
  ],
  "Fourth text.": [["(nothing but alpha)"], [thing("delta", "delta is far")]],
  "Fifth text.": [["(nothing but alpha)"], [thing("delta", "delta is far")]],
};
const extraction: Script = ({ task, messages }) => {
  const prompt = messages[0]!.content;
  const text = Object.keys(documents).find((one) => prompt.includes(one))!;
  const [theme, details] = documents[text]!;
  const records = task === "cog-rag.theme" ? theme : details;
  return { content: `${records.join("\n")}\n<|COMPLETE|>` };
};

async function sharedOf() {
  const resources = await toyCorpus(
    Object.keys(documents).map((text, i) => ({ title: `T${i}`, documentId: `d${i}`, text })),
  );
  return { ...resources, embedder: vocabularyEmbedder(["alpha", "beta", "gamma", "delta"]) };
}

/** One graph for all tests: parameters of the questions do not change it. */
const built = mkdtempSync(join(tmpdir(), "ritbench-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));
const { signal } = new AbortController();
const progress = () => {};

async function graphOf(config: CogRagConfig = {}, folder = built) {
  const shared = await sharedOf();
  const model = scriptedModel(extraction);
  const recipe = cogRecipe(cogRagConfig.parse(config));
  const graph = await buildGraph(recipe, { ...shared, model, folder, signal, progress });
  const all = <T>(table: string) => [...graph.tables.all<T>(table)].map(({ record: one }) => one);
  return { graph, all, model };
}

async function ask(script: Script, config: CogRagConfig = {}) {
  const shared = await sharedOf();
  const method = createCogRag(config);
  await method.build!({
    ...shared,
    model: scriptedModel(extraction),
    folder: built,
    signal,
    progress,
  });
  const model = scriptedModel(script);
  const tracer = createTracer(() => 0);
  const question = { id: "q" as QuestionId, text: "What does delta do?" };
  const answer = await method.answer(question, { ...shared, model, tracer, signal });
  return { answer, model, events: tracer.events };
}

const rowsOf = (tables: string, title: string) =>
  tables.split(`### ${title}\n\`\`\`csv\n`)[1]!.split("\n```")[0]!.split("\n").slice(1);
const keywords = (name: string, ...words: string[]) => ({
  content: `Here: ${JSON.stringify({ [name]: words })}`,
});
const script = [
  keywords("theme_keywords", "alpha", "rests"),
  { content: "A draft." },
  keywords("entity_keywords", "gamma", "alpha"),
  finalMessage("it wins", ["2", "9"]),
];

describeMethod("cog-rag", {
  make: createCogRag,
  variants: [
    () => createCogRag({ graphChunks: "shared512" }),
    () => createCogRag({ summariseFrom: { entity: 400 } }),
    () => createCogRag({ themeChunkIds: false }),
    () => createCogRag({ topK: 10 }),
    () => createCogRag({ sourceTokens: 2000 }),
    () => createCogRag({ relationTokens: 2000 }),
    () => createCogRag({ entityTokens: 2000 }),
  ],
  buildScript: ({ task }) => ({
    content: [
      ...(task === "cog-rag.theme"
        ? [record("theme", "The Kettle Two and its warranty"), key("Kettle Two")]
        : [thing("Kettle Two", "a kettle with a warranty of 36 months")]),
      "<|COMPLETE|>",
    ].join("\n"),
  }),
  script: [
    keywords("theme_keywords", "warranty"),
    { content: "It has a warranty." },
    keywords("entity_keywords", "Kettle Two"),
    finalMessage("36 months", ["1"]),
  ],
});

test("theme hypergraph: equal key sets share a theme, chunks without keys keep their own", async () => {
  const { graph, all, model } = await graphOf({}, temporaryFolder());
  expect(model.requests).toHaveLength(2 * 5);
  const themes = all<Theme>("theme").sort((a, b) => a.sources[0]! - b.sources[0]!);
  expect(themes).toEqual([
    {
      text: "ALPHA BEATS BETA GAMMA LOOKS ON<SEP>BETA BEATS ALPHA",
      names: ["ALPHA", "BETA"],
      sources: [0, 2],
    },
    { text: "ALPHA RESTS", names: ["ALPHA"], sources: [1] },
    { text: "NOTHING BUT ALPHA", names: [], sources: [3] },
    { text: "NOTHING BUT ALPHA", names: [], sources: [4] },
  ]);
  const keys = all<Vertex>("key").map(({ name, hyperedges, sources }) => [
    name,
    hyperedges.length,
    sources,
  ]);
  expect(keys.sort()).toEqual([
    ["ALPHA", 2, [0, 1, 2]],
    ["BETA", 1, [0, 2]],
  ]);
  await graph.close();
});

test("entity hypergraph: names without a record become unknown vertices that are not embedded", async () => {
  const { graph, all } = await graphOf();
  const relations = all<Relation>("relation").sort((a, b) => a.names.length - b.names.length);
  expect(relations[0]!.weight).toBeCloseTo(1.1, 12);
  expect(relations).toMatchObject([
    {
      names: ["ALPHA", "BETA"],
      description: "alpha beats beta<SEP>beta beats alpha",
      keywords: "contest",
      sources: [0, 2],
    },
    { names: ["ALPHA", "DELTA", "GAMMA"], description: "three of them", weight: 0.4, sources: [1] },
  ]);
  const vertex = (name: string) => all<Vertex>("entity").find((one) => one.name === name)!;
  expect(vertex("GAMMA")).toMatchObject({ type: "UNKNOWN", description: "UNKNOWN", sources: [1] });
  expect(vertex("ALPHA")).toMatchObject({
    description: "alpha sleeps<SEP>alpha wins",
    properties: "strong<SEP>tired",
    sources: [0, 1],
  });
  expect(graph.tables.count("entity-rows")).toBe(3);
  const found = await graph.near("entity", "gamma", 60, signal);
  expect(found).toEqual([]);
  await graph.close();
});

test("hashes of the chunks stand before an embedded theme, unless they are left out", () => {
  const embedded = (config: CogRagConfig) =>
    cogRecipe(cogRagConfig.parse(config)).tables.theme!.embeddedText!(
      { names: ["A", "B"], text: "T", sources: [0] },
      ["d0~0000"],
    );
  expect(embedded({ themeChunkIds: false })).toBe("A B T");
  expect(embedded({})).toMatch(/^chunk-[0-9a-f]{32} A B T$/);
});

test("four calls; themes by degree whatever their nearness; details replace them in the last", async () => {
  const { answer, model, events } = await ask(script);
  expect(model.requests.map(({ task }) => task)).toEqual([
    "cog-rag.theme-keywords",
    "cog-rag.draft",
    "cog-rag.entity-keywords",
    "cog-rag.answer",
  ]);
  const [, draft, entity, final] = model.requests.map(({ messages }) => messages);
  const overview = draft![0]!.content;
  // Nearness to "alpha, rests": 1 for all but the theme of two keys (3 / sqrt(19)), which comes first all the same.
  expect(rowsOf(overview, "Relationships")).toEqual([
    "1,ALPHA|BETA,ALPHA BEATS BETA GAMMA LOOKS ON<SEP>BETA BEATS ALPHA,d0~0000<SEP>d2~0000,2",
    "2,ALPHA,ALPHA RESTS,d1~0000,1",
    "3,,NOTHING BUT ALPHA,d3~0000,0",
    "4,,NOTHING BUT ALPHA,d4~0000,0",
  ]);
  expect(rowsOf(overview, "Entities")).toEqual([
    "1,ALPHA,KIND,key alpha,2",
    "2,BETA,KIND,key beta,1",
  ]);
  expect(rowsOf(overview, "Sources").filter((row) => row.includes("text"))).toEqual([
    'First text."',
    'Third text."',
    'Second text."',
    'Fourth text."',
    'Fifth text."',
  ]);
  expect(draft![1]!.content).toBe(
    "Question: What does delta do?\n\nThemes to look at: alpha, rests",
  );
  expect(entity![0]!.content).toContain("Draft: A draft.");
  const details = final![0]!.content;
  // Near "gamma, alpha": ALPHA alone. Its hyperedges by degree: three names before two.
  expect(rowsOf(details, "Entities")).toEqual([
    "1,ALPHA,THING,alpha sleeps<SEP>alpha wins,strong<SEP>tired,2",
  ]);
  expect(rowsOf(details, "Relationships").map((row) => row.split(",").slice(0, 3))).toEqual([
    ["1", "ALPHA|DELTA|GAMMA", "three of them"],
    ["2", "ALPHA|BETA", "alpha beats beta<SEP>beta beats alpha"],
  ]);
  // ALPHA stands in the first and second text; fellow members in the first: BETA; in the second: GAMMA.
  expect(rowsOf(details, "Sources").filter((row) => row.includes("text"))).toEqual([
    'First text."',
    'Second text."',
  ]);
  expect(details).not.toContain("RESTS");
  expect(final![1]!.content).toBe(
    "Question: What does delta do?\n\nDraft: A draft.\n\nEntities to look at: gamma, alpha",
  );
  expect(answer).toMatchObject({
    outcome: "answered",
    answer: "it wins",
    sources: ["d1~0000", "9"],
  });
  expect(answer.flags).toBeUndefined();
  expect(events.filter(({ type }) => type === "shown")).toHaveLength(2);
});

test("budgets cut leading items; all entities found are listed whatever the budgets", async () => {
  const { model } = await ask(script, { relationTokens: 1, sourceTokens: 1, entityTokens: 1 });
  const [overview, details] = [1, 3].map((call) => model.requests[call]!.messages[0]!.content);
  for (const title of ["Entities", "Relationships", "Sources"]) {
    expect(rowsOf(overview!, title), title).toEqual([]);
  }
  expect(rowsOf(details!, "Entities")).toHaveLength(1);
  expect(rowsOf(details!, "Relationships")).toEqual([]);
  expect(rowsOf(details!, "Sources")).toEqual([]);
});

test("empty keywords: the question is searched for in both stages, and the answer is marked", async () => {
  const { answer, model, events } = await ask([
    { content: "no json" },
    { content: "A draft." },
    { content: '{"entity_keywords": []}' },
    finalMessage("far"),
  ]);
  expect(model.requests).toHaveLength(4);
  expect(answer).toMatchObject({ outcome: "answered", flags: ["fallbackUsed"] });
  expect(model.requests[3]!.messages[1]!.content).toContain(
    "Entities to look at: What does delta do?",
  );
  const notes = events.flatMap((event) => (event.type === "note" ? [event.note] : []));
  expect(notes).toContain("no theme keyword: the question itself is searched for");
  expect(notes).toContain("no entity keyword: the question itself is searched for");
});

test("nothing near: both answering calls are still made, over empty tables", async () => {
  const nothing = (name: string) => keywords(name, "zzz");
  const { answer, events } = await ask([
    nothing("theme_keywords"),
    { content: "" },
    nothing("entity_keywords"),
    finalMessage("unknown"),
  ]);
  expect(answer).toMatchObject({ outcome: "answered", answer: "unknown", flags: ["fallbackUsed"] });
  const notes = events.flatMap((event) => (event.type === "note" ? [event.note] : []));
  expect(notes.filter((note) => note === "nothing was found in the graph")).toHaveLength(2);
});

test("a draft too long for the model is an outcome, not a crash", async () => {
  const { answer } = await ask([
    { content: "no json" },
    { error: new ModelError("context_overflow", "too long") },
  ]);
  expect(answer).toMatchObject({ outcome: "context_overflow", flags: ["fallbackUsed"] });
});
