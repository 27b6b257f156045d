import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { realDocuments } from "../../core/corpus/store.ts";
import { packageFile } from "../../core/package-file.ts";
import { datasetContext, loadCorpus, outlineOf } from "../../tests/support/load-dataset.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { own } from "./own.ts";

function folderOf(files: { [path: string]: string | Uint8Array }): string {
  const folder = temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

it("reads every format below the folder in the order of their paths, and passes hidden ones over", async () => {
  const folder = folderOf({
    "b.md": "# Bee\nhum\n## Wing\nflap",
    "a/page.HTML": "<title>Page</title><h1>Head</h1>x",
    "a/note.txt": "plain words",
    ".hidden/x.md": "# no",
    ".git.md": "# no",
    "image.png": "png",
    "front.md": "---\ntitle: Named\n---\nbody",
  });
  symlinkSync(folder, join(folder, "loop"));
  symlinkSync(join(folder, "gone"), join(folder, "broken.md"));
  symlinkSync(join(folder, "b.md"), join(folder, "linked.md"));
  const corpus = await loadCorpus(own, datasetContext(folder));
  expect(outlineOf(corpus)).toEqual([
    "note *",
    "Head *",
    "Bee *",
    ".Wing *",
    "Named *",
    "Bee *",
    ".Wing *",
  ]);
  expect([...realDocuments(corpus)].map(({ id, treeKind }) => `${id} ${treeKind}`)).toEqual([
    "a/note.txt text",
    "a/page.HTML html",
    "b.md markdown",
    "front.md markdown",
    "linked.md markdown",
  ]);
  expect(corpus.summary.notes).toEqual(["1 files of other formats were passed over."]);
});

it("notes other encodings, and leaves out what is no text", async () => {
  const folder = folderOf({
    "latin.txt": Buffer.from("caf\xe9 \x80", "latin1"),
    "wide.txt": Buffer.from("\uFEFFwide ö", "utf16le"),
    "page.html": Buffer.from('<meta charset="iso-8859-2"><p>\xb1</p>', "latin1"),
    "binary.txt": new Uint8Array([65, 0, 66]),
    "good.txt": "good ö",
  });
  const context = datasetContext(folder);
  const corpus = await loadCorpus(own, context);
  const texts = [...realDocuments(corpus)].map(({ id, root }) => [id, corpus.text(root)]);
  expect(texts).toEqual([
    ["good.txt", "good ö"],
    ["latin.txt", "café €"],
    ["page.html", "ą"],
    ["wide.txt", "wide ö"],
  ]);
  const findings = await own.findings!(context);
  expect(findings.map(({ subject, detail }) => `${subject} ${detail}`)).toEqual([
    "binary.txt is no text and was left out",
    "latin.txt is not UTF-8; read as windows-1252",
    "page.html is not UTF-8; read as iso-8859-2",
    "wide.txt is not UTF-8; read as utf-16le",
  ]);
  expect(findings).toEqual(await own.findings!(datasetContext(folder)));
});

it("keeps ids of hostile file names on one line, apart, and usable as evidence", async () => {
  const folder = folderOf({
    "a\nb.md": "# one",
    "a%0Ab.md": "# two",
    "=SUM(A1)|<b>.md": "# three",
    "‮gnp.md": "# four",
    "x_0001.md": "# five\n## six\ntext",
    "questions.jsonl": `${JSON.stringify({
      id: 1,
      question: "Q?",
      answer: "A",
      evidence: [{ document: "a\nb.md" }, { node: "x_0001.md_0001" }],
    })}\n`,
  });
  const context = datasetContext(folder);
  const corpus = await loadCorpus(own, context);
  const ids = [...realDocuments(corpus)].map(({ id }) => id);
  expect(ids).toEqual([
    "=SUM(A1)|<b>.md",
    "a%0Ab.md",
    "a%250Ab.md",
    "x_0001.md",
    "%E2%80%AEgnp.md",
  ]);
  expect(corpus.text(corpus.findNode("x_0001.md_0001")!)).toBe("text");
  const [question] = await own.questions(context);
  expect(question).toMatchObject({
    id: "1",
    goldAnswers: ["A"],
    evidence: [
      {
        units: [
          { kind: "document", documentId: "a%0Ab.md" },
          { kind: "node", nodeId: "x_0001.md_0001" },
        ],
      },
    ],
  });
});

it("cuts a long text into parts that hold it whole", async () => {
  const paragraph = `${"some words of a long report, ".repeat(20)}end.\n\n`;
  const text = paragraph.repeat(60).trim();
  const folder = folderOf({ "long.txt": text, "line.txt": "x".repeat(20_000) });
  const corpus = await loadCorpus(own, datasetContext(folder));
  const [line, long] = [...realDocuments(corpus)];
  const texts = (index: number) => corpus.documentNodes(index).map((node) => corpus.text(node));
  expect(texts(line!.index).join("")).toBe("x".repeat(20_000));
  expect(texts(long!.index).slice(1).join("\n\n")).toBe(text);
  expect(Math.max(...texts(long!.index).map((part) => part.length))).toBeLessThanOrEqual(8_000);
  expect(corpus.title(corpus.documentNodes(long!.index)[1]!)).toMatch(/^part 1: some words of/);
});

it("uses a PageIndex tree beside a PDF, with its summaries, and reports PDFs it cannot read", async () => {
  const folder = folderOf({
    "bad.pdf": "%PDF no",
    "manual.pageindex.json": JSON.stringify({
      doc_description: "How to mend umbrellas",
      structure: [{ title: "Everything", start_index: 1, end_index: 99, summary: "all of it" }],
    }),
    "lonely.pageindex.json": "{}",
  });
  cpSync(packageFile("datasets/samples/own/repair-manual.pdf"), join(folder, "manual.pdf"));
  const context = datasetContext(folder);
  const corpus = await loadCorpus(own, context);
  expect(outlineOf(corpus)).toEqual(["manual", ".Everything *"]);
  const [document] = [...realDocuments(corpus)];
  expect(document).toMatchObject({ treeKind: "pageindex", pageCount: 5 });
  expect(corpus.metadata(document!.root)).toEqual({ summary: "How to mend umbrellas" });
  expect(corpus.metadata(corpus.findNode("manual.pdf_0001")!)).toEqual({ summary: "all of it" });
  const findings = await own.findings!(context);
  expect(findings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "other bad.pdf",
    "tree_repaired manual.pdf",
  ]);
});

it("needs documents, not questions; a bad question names file, line and the fields a line has", async () => {
  const folder = folderOf({ "a.txt": "words" });
  expect(await own.questions(datasetContext(folder))).toEqual([]);
  for (const [line, field] of [
    ['{"id": "q", "question": "Q?", "anwser": "A"}', "anwser"],
    ['{"id": "q", "question": "Q?", "evidence": [{"page": 1}]}', "neither"],
    ['{"id": "q", "question": "Q?", "evidence": [{"document": "a", "page": -1}]}', ">=0"],
    ["not json", "JSON"],
  ] as const) {
    writeFileSync(join(folder, "questions.jsonl"), `{"id": "1", "question": "Q?"}\n\n${line}\n`);
    const error = await own.questions(datasetContext(folder)).catch((thrown) => thrown);
    expect(error.code).toBe("E_DATA_FORMAT");
    expect(error.details.where).toContain(`${join(folder, "questions.jsonl")}:3`);
    expect(error.details.expected).toContain('"answers"');
    expect(`${error.message} ${error.details.expected} ${error.details.got}`).toContain(field);
  }
  const empty = datasetContext(folderOf({ "questions.jsonl": "" }));
  await expect(own.sources(empty)).rejects.toMatchObject({ code: "E_DATA_MISSING" });
});

describeRealData("own documents", "own-corpus", (folder) => {
  it("reads the book by its headings and each PDF by its best tree", async () => {
    const corpus = await loadCorpus(own, datasetContext(folder));
    const kinds = [...realDocuments(corpus)].map(({ id, treeKind }) => [id, treeKind]);
    expect(kinds).toEqual([
      ["powershell-101-book.md", "markdown"],
      ["sec-regulation-best-interest-proposed-rule.pdf", "pageindex"],
      ["sec-solely-incidental-interpretation-no-outline.pdf", "pages"],
      ["sec-solely-incidental-interpretation.pdf", "pageindex"],
    ]);
    const book = corpus.documentNodes(0).map((node) => corpus.depth(node));
    const atDepth = (depth: number) => book.filter((found) => found === depth).length;
    expect([1, 2, 3].map(atDepth)).toEqual([12, 101, 14]);
  });
});
