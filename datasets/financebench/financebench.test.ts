import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { realDocuments } from "../../core/corpus/store.ts";
import { createEvidenceMatcher } from "../../core/evidence/matcher.ts";
import type { NodeHandle } from "../../core/ids.ts";
import { packageFile } from "../../core/package-file.ts";
import { datasetContext, loadCorpus, outlineOf } from "../../tests/support/load-dataset.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { financebench } from "./financebench.ts";
import { reasoningOf } from "./questions.ts";

const sampleFolder = packageFile("datasets/samples/financebench");

interface Files {
  questions?: object[];
  information?: object[];
  pages?: { [name: string]: string[] };
  trees?: { [name: string]: object | string };
  pdfs?: { [name: string]: string };
}

/** A folder in the staged layout: JSON Lines at the top. */
function staged({ questions = [], information, pages = {}, trees = {}, pdfs = {} }: Files): string {
  const folder = temporaryFolder();
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, "financebench_open_source.jsonl"), lines(questions));
  if (information !== undefined) {
    writeFileSync(join(folder, "financebench_document_information.jsonl"), lines(information));
  }
  for (const part of ["pages", "pdfs", "pageindex-trees"]) mkdirSync(join(folder, part));
  for (const [name, texts] of Object.entries(pages)) {
    const rows = texts.map((text, page) => ({ page, text })).reverse();
    writeFileSync(join(folder, "pages", `${name}.jsonl.gz`), gzipSync(lines(rows)));
  }
  for (const [name, tree] of Object.entries(trees)) {
    const json = typeof tree === "string" ? tree : JSON.stringify(tree);
    writeFileSync(join(folder, "pageindex-trees", `${name}_structure.json`), json);
  }
  for (const [name, source] of Object.entries(pdfs)) {
    if (source === "") writeFileSync(join(folder, "pdfs", `${name}.pdf`), "%PDF damaged");
    else cpSync(join(sampleFolder, "pdfs", `${source}.pdf`), join(folder, "pdfs", `${name}.pdf`));
  }
  return folder;
}

const row = (id: string, document: string, page: number, more: object = {}) => ({
  financebench_id: id,
  doc_name: document,
  question: "How much?",
  answer: "12",
  question_reasoning: null,
  evidence: [{ doc_name: document, evidence_page_num: page }],
  ...more,
});

describe("trees of filings", () => {
  it("takes a ready-made tree, then an outline of ten entries, then pages, and page files before PDF text", async () => {
    const tree = { doc_name: "A.pdf", structure: [{ title: "All", start_index: 1, end_index: 2 }] };
    const folder = staged({
      pages: {
        A: ["one two three", "second"],
        B: Array.from({ length: 10 }, (_, i) => `page ${i}`),
      },
      trees: { A: tree },
      pdfs: { A: "BRUMBLEWICK_2021_10K", B: "BRUMBLEWICK_2021_10K", C: "MOONMARSH_2022Q3_10Q" },
    });
    const corpus = await loadCorpus(financebench, datasetContext(folder));
    expect([...realDocuments(corpus)].map(({ id, treeKind }) => `${id} ${treeKind}`)).toEqual([
      "A pageindex",
      "B outline",
      "C pages",
    ]);
    expect(outlineOf(corpus).slice(0, 2)).toEqual(["A", ".All *"]);
    expect(corpus.text(1 as NodeHandle)).toBe("one two three\n\nsecond");
    const texts = corpus.documentNodes(1).map((node) => corpus.text(node));
    expect(texts.join("\n").match(/page \d/g)).toHaveLength(10);
    expect(corpus.title(corpus.documentNodes(2)[1]!)).toMatch(/^p\. 1: \S+ \S+ \S+/);
  });

  it("passes a damaged tree and a damaged PDF over and says so", async () => {
    const folder = staged({
      questions: [row("q1", "A", 0), row("q2", "B", 0)],
      pages: { A: ["text of page one"] },
      trees: { A: "{", C: { structure: [] } },
      pdfs: { B: "" },
    });
    const context = datasetContext(folder);
    const corpus = await loadCorpus(financebench, context);
    expect(outlineOf(corpus)).toEqual(["A", ".p. 1: text of page one *"]);
    const findings = await financebench.findings!(context);
    expect(findings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      "other A",
      "document_missing B",
      "document_missing C",
    ]);
    const [first, second] = await financebench.questions(context);
    expect(first!.notRunnable).toBeUndefined();
    expect(second!.notRunnable).toMatch(/the filing is absent \(B: .*cannot be read as a PDF/);
  });
});

describe("questions", () => {
  it("takes gold pages from the evidence's own document, each page once", async () => {
    const evidence = [
      { doc_name: "B", evidence_page_num: 1 },
      { evidence_doc_name: "B", evidence_page_num: 1 },
      { evidence_page_num: 0 },
      { doc_name: "A" },
    ];
    const folder = staged({
      questions: [row("q1", "A", 0, { evidence, question_reasoning: "b thing OR A thing OR" })],
      information: [
        { doc_name: "A", company: "Acme", gics_sector: "Toys", doc_type: "10k", doc_period: 2020 },
        { doc_name: "A", company: "Other" },
      ],
      pages: { A: ["a"], B: ["b", "b2"] },
    });
    const context = datasetContext(folder);
    const [question] = await financebench.questions(context);
    expect(question!.evidence).toEqual([
      {
        units: [
          { kind: "page", documentId: "B", page: 1 },
          { kind: "page", documentId: "A", page: 0 },
        ],
      },
    ]);
    expect(question!.meta).toEqual({
      document: "A",
      treeKind: "pages",
      questionReasoning: "A thing OR B thing",
      company: "Acme",
      documentType: "10k",
      documentPeriod: "2020",
      sector: "Toys",
    });
    const details = (await financebench.findings!(context)).map(({ detail }) => detail);
    expect(details).toEqual(["has 2 metadata rows; the first is used", "has no metadata row"]);
  });

  it("cannot run a question of which any filing is absent, whatever its name", async () => {
    const name = "../../etc/passwd";
    const evidence = [
      { doc_name: "A", evidence_page_num: 0 },
      { doc_name: name, evidence_page_num: 0 },
    ];
    const folder = staged({ questions: [row("q1", "A", 0, { evidence })], pages: { A: ["a"] } });
    const [question] = await financebench.questions(datasetContext(folder));
    expect(question!.notRunnable).toContain(name);
  });

  it("keeps kinds of reasoning apart, whatever their case and order", () => {
    expect(reasoningOf("Numerical reasoning OR information extraction")).toBe(
      "Information extraction OR Numerical reasoning",
    );
    expect(reasoningOf("Information extraction OR Logical reasoning OR")).toBe(
      "Information extraction OR Logical reasoning",
    );
    expect(reasoningOf(null)).toBeUndefined();
  });

  it("names file, line and field of a malformed row", async () => {
    const folder = staged({
      questions: [row("q1", "A", 0), { ...row("q2", "A", 0), question: 7 }],
    });
    await expect(financebench.questions(datasetContext(folder))).rejects.toMatchObject({
      code: "E_DATA_FORMAT",
      details: { where: `${join(folder, "financebench_open_source.jsonl")}:2 field question` },
    });
  });
});

describe("official layout", () => {
  it("reads the sample filings, whole or those that questions name", async () => {
    const whole = await loadCorpus(financebench, datasetContext(sampleFolder));
    expect(whole.summary.documentCount).toBe(25);
    expect(whole.summary.notes[0]).toBe("Trees of the filings: 2 pageindex, 5 outline, 18 pages.");
    const some = await loadCorpus(
      financebench,
      datasetContext(sampleFolder, { filings: "referenced" }),
    );
    expect(some.summary.documentCount).toBeLessThan(25);
    expect(some.summary.hash).not.toBe(whole.summary.hash);
  });

  it("keeps a filing's name whole, dates and all", async () => {
    const corpus = await loadCorpus(financebench, datasetContext(sampleFolder));
    const document = corpus.findDocument("ZEPHYRTOAD_2023_8K_dated-2023-06-14")!;
    const id = "ZEPHYRTOAD_2023_8K_dated-2023-06-14_0001";
    expect(corpus.nodeId(corpus.documentNodes(document.index)[1]!)).toBe(id);
    expect(corpus.findNode(id)).toBe(document.root + 1);
  });

  it("lists every PDF of the source, with checksums where they are known", () => {
    const files = financebench.fetchFiles;
    expect(files).toHaveLength(370);
    expect(files.filter(({ gitBlob, sha256 }) => gitBlob ?? sha256)).toHaveLength(346);
    expect(new Set(files.map(({ path }) => path)).size).toBe(370);
    expect(files.every(({ url }) => URL.canParse(url))).toBe(true);
  });
});

describeRealData("FinanceBench", "financebench", (folder) => {
  it("loads 342 filings, 24 trees of which 22 have text, and 129 runnable questions", async () => {
    const context = datasetContext(folder);
    const corpus = await loadCorpus(financebench, context);
    expect(corpus.summary.documentCount).toBe(342);
    expect(corpus.summary.notes[0]).toBe(
      "Trees of the filings: 22 pageindex, 6 outline, 314 pages.",
    );
    const questions = await financebench.questions(context);
    const runnable = questions.filter(({ notRunnable }) => notRunnable === undefined);
    const count = (kind: string) => runnable.filter(({ meta }) => meta.treeKind === kind).length;
    expect([questions.length, runnable.length]).toEqual([150, 129]);
    // A twelfth question has an outline of two entries, too few to be the tree.
    expect([count("pageindex"), count("outline"), count("pages")]).toEqual([53, 11, 65]);
    const findings = await financebench.findings!(context);
    const subjects = (kind: string) =>
      findings.flatMap((finding) => (finding.kind === kind ? [finding.subject] : []));
    expect(subjects("document_missing")).toEqual(["AMD_2022_10K", "COCACOLA_2021_10K"]);
    expect(new Set(subjects("tree_repaired"))).toEqual(
      new Set([
        "CORNING_2022_10K",
        "CVSHEALTH_2022_10K",
        "JPMORGAN_2023Q2_10Q",
        "LOCKHEEDMARTIN_2022_10K",
        "NIKE_2023_10K",
        "PFIZER_2021_10K",
      ]),
    );
    const matcher = createEvidenceMatcher(corpus);
    const units = runnable.flatMap(({ evidence }) => evidence.flatMap((set) => set.units));
    expect(units.length).toBeGreaterThan(129);
    expect(units.filter((unit) => !matcher.resolve(unit).resolved)).toEqual([]);
  });
});
