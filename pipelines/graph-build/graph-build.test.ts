import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ModelError } from "../../core/model-error.ts";
import { type Script, scriptedModel } from "../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { joinDistinct, unionOfSources } from "../graph-records/merge.ts";
import type { Graph } from "../graph-store/graph.ts";
import { idOf } from "../graph-store/tables.ts";
import { buildGraph, createGraphShelf, type GraphRecipe, type SourcedMention } from "./index.ts";

/** Every line of a reply is a word of the graph, with what is said of it. */
const recipe: GraphRecipe<string[]> = {
  kind: "toy",
  version: 1,
  chunking: "shared512",
  prompts: [],
  parameters: {},
  embedding: {},
  async extract({ text }, model) {
    const ask = (content: string) =>
      model.call({ task: "toy", messages: [{ role: "user", content }] });
    const { message } = await ask(text);
    const more = await ask(`more of: ${text}`);
    const value = [message.content, more.message.content].filter((line) => line !== "");
    return { value, records: value.length };
  },
  *mentions(lines) {
    for (const line of lines) {
      const name = line.split(":")[0]!;
      yield { table: "word", id: idOf(name), data: { name, said: line } };
    }
  },
  tables: {
    word: {
      merge: (mentions: readonly SourcedMention<{ name: string; said: string }>[]) => ({
        name: mentions[0]!.data.name,
        said: joinDistinct(mentions.map(({ data }) => data.said)),
        sources: unionOfSources(mentions),
      }),
      nameOf: ({ name }) => String(name),
      summarise: { said: 30 },
      embeddedText: ({ name, said }) => (name === "hidden" ? undefined : `${name} ${said}`),
    },
  },
};

const texts = ["red: apple", "blue: sky and sea", "red: brick", "hidden: gem", "red: rose"];
const forest = texts.map((text, i) => ({ title: `t${i}`, documentId: `d${i}`, text }));
/** Says the text itself, and of everything that "red" is long. */
const echo: Script = ({ task, messages }) => {
  const prompt = messages[0]!.content;
  if (task === "graph.summarise") return { content: "Red is said of much." };
  if (prompt.startsWith("more of: ")) {
    return { content: prompt.includes("red") ? `red: ${prompt} ${"so it is ".repeat(8)}` : "" };
  }
  return { content: prompt };
};

async function contextOf(script: Script, folder = temporaryFolder(), concurrency = 1) {
  const resources = await toyCorpus(forest);
  const model = scriptedModel(script);
  const progress: string[] = [];
  const context = {
    ...resources,
    model,
    folder,
    concurrency,
    signal: new AbortController().signal,
    progress: (done: number, total: number, unit: string) =>
      progress.push(`${unit} ${done}/${total}`),
  };
  return { context, model, progress };
}

function contentOf({ tables }: Graph) {
  return ["word", "chunk", "word-rows"].map((table) => [...tables.all(table)]);
}

test("chunks become merged, summarised and embedded records; a second start asks nothing", async () => {
  const { context, model, progress } = await contextOf(echo);
  const graph = await buildGraph(recipe, context);
  expect(model.requests).toHaveLength(11);
  expect(model.requests.at(-1)!.messages[0]!.content).toMatch(/red: apple<SEP>red: brick<SEP>/);
  expect(graph.tables.get("word", idOf("red"))).toEqual({
    name: "red",
    said: "Red is said of much.",
    sources: [0, 2, 4],
  });
  expect(graph.tables.get("word", idOf("blue"))).toMatchObject({ said: texts[1], sources: [1] });
  expect(graph.tables.count("word")).toBe(3);
  expect(graph.tables.count("word-rows")).toBe(2);
  expect((await graph.near("word", "red", 9, context.signal)).map(({ id }) => id)).not.toContain(
    idOf("hidden"),
  );
  expect(progress).toContain("chunks 5/5");
  expect(progress.at(-1)).toBe("vectors of word 2/2");
  expect(graph.mark).toBeUndefined();
  await graph.close();
  const again = await contextOf([], context.folder);
  await (await buildGraph(recipe, again.context)).close();
  expect(again.model.requests).toEqual([]);
});

test("the same graph whatever the concurrency and the order of replies", async () => {
  const graphs = await Promise.all(
    [1, 5].map(async (concurrency) => {
      const { context, model } = await contextOf(echo, undefined, concurrency);
      let turn = 0;
      const slow = {
        ...model,
        async call(request: Parameters<typeof model.call>[0]) {
          const waits = concurrency === 1 ? 0 : 7 - (turn++ % 8);
          for (let i = 0; i < waits; i++) await new Promise(setImmediate);
          return model.call(request);
        },
      };
      return buildGraph(recipe, { ...context, model: slow });
    }),
  );
  const [one, five] = graphs.map(contentOf);
  expect(five).toEqual(one);
  await Promise.all(graphs.map((graph) => graph.close()));
});

test("interrupted at every single call, it ends with the same graph and asks no call twice", async () => {
  const whole = await contextOf(echo);
  const expected = await buildGraph(recipe, whole.context);
  const folder = temporaryFolder();
  const answered: string[] = [];
  let graph: Graph | undefined;
  for (let start = 0; graph === undefined && start < 20; start++) {
    const { context } = await contextOf((request, turn) => {
      if (turn > 0) return { error: new ModelError("quota", "used up") };
      answered.push(request.messages[0]!.content);
      return echo(request, turn);
    }, folder);
    graph = await buildGraph(recipe, context).catch((error: unknown) => {
      expect(error).toMatchObject({ kind: "quota" });
      return undefined;
    });
  }
  expect(answered).toHaveLength(11);
  expect(new Set(answered).size).toBe(11);
  expect(contentOf(graph!)).toEqual(contentOf(expected));
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await Promise.all([graph!.close(), expected.close()]);
});

test("an unfinished graph of a killed process is thrown away and made anew", async () => {
  const { context } = await contextOf(echo);
  const first = await buildGraph(recipe, context);
  const [name] = readdirSync(context.folder).filter((entry) => entry.startsWith("graph-"));
  await first.close();
  const again = await contextOf([], temporaryFolder());
  for (const entry of readdirSync(context.folder)) {
    if (entry !== name)
      cpSync(join(context.folder, entry), join(again.context.folder, entry), { recursive: true });
  }
  mkdirSync(join(again.context.folder, `${name}.tmp`));
  const graph = await buildGraph(recipe, again.context);
  expect(existsSync(join(again.context.folder, name!))).toBe(true);
  expect(graph.tables.count("word")).toBe(3);
  await graph.close();
});

test("more than 2% failed chunks are refused, by force used and marked, and tried again from then on", async () => {
  const failing: Script = (request, turn) =>
    request.messages[0]!.content === texts[1]
      ? { error: new ModelError("server", "down") }
      : echo(request, turn);
  const { context } = await contextOf(failing);
  await expect(buildGraph(recipe, context)).rejects.toMatchObject({ code: "E_BUILD_UNSOUND" });
  const graph = await buildGraph(recipe, { ...context, force: true });
  expect(graph.mark).toContain("1 of 5 chunks failed");
  expect(graph.tables.count("word")).toBe(2);
  await graph.close();
});

test("another threshold or another embedded text gives another artefact over the same extraction", async () => {
  const { context } = await contextOf(echo);
  const near = async (made: typeof recipe) => {
    const again = await contextOf([], context.folder);
    const graph = await buildGraph(made, again.context);
    const found = await graph.near("word", "zzzz", 9, context.signal);
    const red = graph.tables.get<{ said: string }>("word", idOf("red"))!.said;
    await graph.close();
    return { found: found.length, red };
  };
  await (await buildGraph(recipe, context)).close();
  const word = recipe.tables.word!;
  const patient = { ...recipe, tables: { word: { ...word, summarise: { said: 5000 } } } };
  const sleepy = {
    ...recipe,
    embedding: { sleepy: true },
    tables: { word: { ...word, embeddedText: () => "zzzz" } },
  };
  const known = await near(recipe);
  expect(known).toEqual({ found: 0, red: "Red is said of much." });
  expect((await near(patient)).red).toContain("<SEP>");
  expect(await near(sleepy)).toMatchObject({ red: known.red });
  expect((await near(sleepy)).found).toBeGreaterThan(0);
});

test("a question before the build is refused with what to do", async () => {
  const { context } = await contextOf(echo);
  const shelf = createGraphShelf(recipe);
  expect(() => shelf.graphOf(context)).toThrow(
    expect.objectContaining({ code: "E_GRAPH_MISSING" }),
  );
  await shelf.build(context);
  expect(shelf.graphOf(context).tables.count("chunk")).toBe(5);
  await shelf.graphOf(context).close();
});

test("the artefact's fingerprint knows the shared chunks only where they are used", async () => {
  const { context } = await contextOf(echo);
  const other = { ...context, chunks: { ...context.chunks, fingerprint: "other" as never } };
  const shared = createGraphShelf(recipe);
  expect(shared.fingerprint(context)).not.toBe(shared.fingerprint(other));
  const native = createGraphShelf({ ...recipe, chunking: "native1200" });
  expect(native.fingerprint(context)).toBe(native.fingerprint(other));
  expect(native.fingerprint(context)).not.toBe(shared.fingerprint(context));
});
