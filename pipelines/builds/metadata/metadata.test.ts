import { expect, test } from "vitest";
import { buildCorpus } from "../../../core/corpus/writer.ts";
import type { NodeHandle } from "../../../core/ids.ts";
import { type Script, scriptedModel } from "../../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { buildMetadata, openMetadata } from "./build.ts";
import { metadataUnits } from "./units.ts";

const long = "A long section about kettles. ".repeat(30);

async function toyCorpus(folder: string) {
  return buildCorpus({ corporaFolder: folder, dataset: "toy", singleTree: false }, (sink) => {
    sink.tree({
      title: "Manual",
      documentId: "m",
      children: [
        { title: "Setup", text: "Fill the kettle." },
        { title: "Care", text: "Wipe the kettle." },
        { title: "Guide", text: long },
        { title: "Parts", text: "A lid and a base." },
      ],
    });
  });
}

const run = { concurrency: 2, signal: new AbortController().signal };
const about = (summary: string) =>
  JSON.stringify({ summary, keywords: ["kettle", " Kettle ", "x"] });

async function build(script: Script, batchShortNodes: boolean) {
  const home = temporaryFolder();
  const corpus = await toyCorpus(`${home}/corpora`);
  const model = scriptedModel(script);
  const options = { corpus, model, batchShortNodes };
  const metadata = await buildMetadata(home, options, { ...run, concurrency: 1 });
  return { home, corpus, model, options, metadata };
}

const node = (handle: number) => handle as NodeHandle;

test("one call for every node with text, none for containers; the result is read by node", async () => {
  const { home, corpus, model, options, metadata } = await build(
    (request) => ({ content: about(/Heading: (.*)/.exec(request.messages[0]!.content)![1]!) }),
    false,
  );
  expect(model.requests).toHaveLength(4);
  expect(model.requests.every(({ maxTokens }) => maxTokens === 512)).toBe(true);
  expect(metadata.get(node(0))).toBeUndefined();
  expect(metadata.get(node(3))).toEqual({ summary: "Guide", keywords: ["kettle", "x"] });
  expect(metadata.kind).toBe(metadata.manifest.fingerprint);
  await metadata.close();
  const again = openMetadata(home, options);
  expect(again.get(node(1))?.summary).toBe("Setup");
  await again.close();
  corpus.close();
});

test("short nodes share a call; ids that are missing, doubled or unknown are asked for by themselves", async () => {
  const item = (id: string, summary: string) => ({ id, summary, keywords: ["k"] });
  const script: Script = ({ task, messages }) => {
    const prompt = messages[0]!.content;
    if (task === "node-metadata")
      return { content: about(`alone: ${/Heading: (.*)/.exec(prompt)![1]}`) };
    return {
      content: JSON.stringify({
        sections: [
          item("s1", "one"),
          item("s2", "two"),
          item("s2", "four?"),
          item("s9", "unknown"),
        ],
      }),
    };
  };
  const { model, metadata, corpus } = await build(script, true);
  expect(model.requests.map(({ task }) => task)).toEqual([
    "node-metadata-batch",
    "node-metadata",
    "node-metadata",
    "node-metadata",
  ]);
  expect([1, 2, 3, 4].map((handle) => metadata.get(node(handle))?.summary)).toEqual([
    "one",
    "alone: Care",
    "alone: Guide",
    "alone: Parts",
  ]);
  expect(metadata.manifest.counts.total).toBe(3);
  await metadata.close();
  corpus.close();
});

test("an unreadable reply is asked for three times, then the node fails and the artefact is marked", async () => {
  const { model, metadata, corpus } = await build(
    ({ messages }) => ({
      content: messages[0]!.content.includes("Heading: Guide") ? '{"summary": "cut' : about("fine"),
    }),
    false,
  );
  expect(model.requests).toHaveLength(6);
  expect(metadata.get(node(3))).toBeUndefined();
  expect(metadata.kind).toContain("unsound: 1 of 4 nodes failed");
  expect(metadata.manifest.problems).toMatchObject([{ unit: "3", code: "E_REPLY_JSON" }]);
  await metadata.close();
  corpus.close();
});

test("a text beyond the model's window is cut, and the tokens left out are counted", async () => {
  const home = temporaryFolder();
  const corpus = await buildCorpus(
    { corporaFolder: home, dataset: "toy", singleTree: false },
    (sink) => sink.tree({ title: "Long", documentId: "d", text: "word ".repeat(600).trim() }),
  );
  const model = scriptedModel(() => ({ content: about("s") }), { contextTokens: 2_012 });
  const options = { corpus, model, batchShortNodes: false };
  const metadata = await buildMetadata(home, options, run);
  const prompt = model.requests[0]!.messages[0]!.content;
  expect(prompt.match(/\bword\b/g)).toHaveLength(500);
  await metadata.close();
  corpus.close();
});

test("batches hold neighbouring short nodes, at most eight", async () => {
  const home = temporaryFolder();
  const corpus = await buildCorpus(
    { corporaFolder: home, dataset: "toy", singleTree: false },
    (sink) => {
      for (let i = 0; i < 10; i++)
        sink.tree({ title: `n${i}`, documentId: `d${i}`, text: "short" });
    },
  );
  const { all, keyOf, total } = metadataUnits(corpus, true);
  expect([...all()].map(({ nodes }) => nodes.length)).toEqual([8, 2]);
  expect(total).toBe(2);
  expect([0, 7, 8, 9].map((handle) => keyOf(node(handle)))).toEqual(["0", "0", "8", "8"]);
  corpus.close();
});
