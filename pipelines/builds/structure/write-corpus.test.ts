import { expect, test } from "vitest";
import type { Corpus, DocumentTree } from "../../../core/corpus/corpus.ts";
import { buildCorpus } from "../../../core/corpus/writer.ts";
import { pageNodes } from "../../../core/forest/page-ownership.ts";
import type { NodeHandle } from "../../../core/ids.ts";
import { ModelError } from "../../../core/model-error.ts";
import { type ScriptedReply, scriptedModel } from "../../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { runBuild } from "../stage/run-build.ts";
import { structureRequest } from "./build.ts";
import { documentPages, pagedDocuments } from "./document-pages.ts";
import { markdownStructure } from "./markdown.ts";
import { writeInducedCorpus } from "./write-corpus.ts";

const pages = [
  "Cover of the report",
  "First part\nIt begins here.\nIt goes on.",
  "More of it.\nSecond part\nNow this.",
  "",
  "The end.",
];

async function sourceCorpus(folder: string): Promise<Corpus> {
  return buildCorpus({ corporaFolder: folder, dataset: "toy", singleTree: false }, (sink) => {
    sink.note("One file was left out.");
    sink.open({ title: "Reports", attributes: { line: 3 } });
    for (const id of ["good", "bad"]) {
      sink.document({ id, title: `The ${id} report`, pageCount: pages.length, treeKind: "pages" });
      sink.tree({ title: `The ${id} report`, documentId: id, children: pageNodes(pages) });
    }
    sink.document({ id: "outlined", title: "Outlined", pageCount: 1, treeKind: "outline" });
    sink.tree({ title: "Outlined", documentId: "outlined", children: pageNodes(["Alone"]) });
    sink.close();
    sink.document({ id: "notes", title: "Notes" });
    sink.tree({
      title: "Notes",
      documentId: "notes",
      text: "Intro\n# A\ntext of A\n## B\ntext of B",
    });
  });
}

const reply = (value: unknown): ScriptedReply => ({ content: JSON.stringify(value) });
const script = (task: string, prompt: string): ScriptedReply => {
  if (task === "structure.toc-detect" || task === "structure.title-first") {
    return reply({ answer: "no" });
  }
  if (task !== "structure.outline-first") return reply({ answer: "yes" });
  // The second document's outline fails.
  if (prompt.includes("bad")) return { error: new ModelError("server", "down") };
  return reply([
    { structure: "1", title: "First part", physical_index: 2 },
    { structure: "1.1", title: "Second part", physical_index: 3 },
  ]);
};

function outline(corpus: Corpus, node = 0): unknown {
  return corpus
    .children(node as NodeHandle)
    .map((child) => [
      corpus.title(child),
      corpus.text(child).replaceAll("\n", "/"),
      ...(outline(corpus, child) as unknown[]),
    ]);
}

test("induced trees replace page nodes, every page's text in one node; the rest is taken over", async () => {
  const home = temporaryFolder();
  const source = await sourceCorpus(home);
  let outlines = 0;
  const model = scriptedModel(({ task, messages }) =>
    script(
      task,
      task === "structure.outline-first" && ++outlines > 1 ? "bad" : messages[0]!.content,
    ),
  );
  const options = { corpus: source, model, keepOutlines: true };
  const run = { concurrency: 1, signal: new AbortController().signal };
  const build = await runBuild(structureRequest(home, options, run));
  expect(build.manifest.counts).toMatchObject({ total: 2, extracted: 1, failed: 1 });
  expect(build.get("bad")?.error?.code).toBe("E_STRUCTURE");
  const made = await writeInducedCorpus(source, build, {
    corporaFolder: home,
    splitMarkdown: true,
  });
  await build.close();
  expect(outline(made)).toEqual([
    [
      "The good report",
      "",
      ["Preface", "Cover of the report"],
      [
        "First part",
        "First part/It begins here./It goes on.//More of it.",
        ["Second part", "Second part/Now this.//The end."],
      ],
    ],
    [
      "The bad report",
      "",
      ["p. 1: Cover of the report", "Cover of the report"],
      ["p. 2: It begins here.", "First part/It begins here./It goes on."],
      ["p. 3: More of it.", "More of it./Second part/Now this."],
      ["p. 5", "The end."],
    ],
    ["Outlined", "", ["p. 1", "Alone"]],
  ]);
  expect(made.attributes(0 as NodeHandle)).toEqual({ line: 3 });
  const kinds = Object.fromEntries(
    ["good", "bad", "outlined", "notes"].map((id) => [id, made.findDocument(id)?.treeKind]),
  );
  expect(kinds).toEqual({ good: "induced", bad: "pages", outlined: "outline", notes: "markdown" });
  const squashed = (corpus: Corpus) =>
    [...pagedDocuments(corpus)].map((document) =>
      documentPages(corpus, document).map((page) => page.replace(/\s+/g, " ").trim()),
    );
  expect(squashed(made)).toEqual(squashed(source));
  expect(made.summary.notes.join("\n")).toContain(
    "1 trees were induced by scripted:test; 1 documents",
  );
  source.close();
  made.close();
});

test("Markdown: ATX headings outside fences, line numbers, preamble, levels that jump", () => {
  const source = [
    "Before.",
    "# One #",
    "text",
    "```sh",
    "# a comment",
    "~~~",
    "```",
    "### Deep",
    "#hashtag is no heading",
    "## Two",
    "~~~",
    "# fenced too",
  ].join("\n");
  const tree = markdownStructure(source, { title: "File" });
  const shape = ({ title, text, attributes, children }: DocumentTree): unknown => [
    title,
    text,
    attributes?.line,
    ...(children ?? []).map(shape),
  ];
  expect(shape(tree)).toEqual([
    "File",
    "Before.",
    undefined,
    [
      "One",
      "text\n```sh\n# a comment\n~~~\n```",
      2,
      ["Deep", "#hashtag is no heading", 8],
      ["Two", "~~~\n# fenced too", 10],
    ],
  ]);
});

test("Markdown: thin sub-trees become one node and keep their text", () => {
  const source = `# A\nshort\n## B\nsmall\n# C\n## D\n${"long text ".repeat(40)}`;
  const { children } = markdownStructure(source, { title: "File", thinBelowTokens: 20 });
  expect(children?.map(({ title, text, children }) => [title, text, children?.length])).toEqual([
    ["A", "short\n\nB\n\nsmall", 0],
    ["C", undefined, 1],
  ]);
});
