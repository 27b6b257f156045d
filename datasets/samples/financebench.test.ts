import { readdir, readFile, stat } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { renderPdf } from "./pdf-render.ts";
import { pageTexts, parsePdfSource } from "./pdf-source.ts";
import { figures, repeated, sampleRows, sampleText, squash } from "./sample-files.ts";

interface Row {
  financebench_id: string;
  doc_name: string;
  question: string;
  question_reasoning: string | null;
  answer: string;
  evidence: {
    evidence_text: string;
    doc_name: string;
    evidence_page_num: number;
    evidence_text_full_page: string;
  }[];
}
interface TreeNode {
  title: string;
  node_id: string;
  start_index: number;
  end_index: number;
  nodes?: TreeNode[];
}

const folder = new URL("financebench/", import.meta.url);
const list = async (path: string) => (await readdir(new URL(path, folder))).sort();
const questions = await sampleRows<Row>("financebench/data/financebench_open_source.jsonl");
const metadata = await sampleRows<{ doc_name: string }>(
  "financebench/data/financebench_document_information.jsonl",
);
const pdfNames = (await list("pdfs")).map((name) => name.replace(/\.pdf$/, ""));
const pageFileNames = (await list("pages")).map((name) => name.replace(/\.jsonl\.gz$/, ""));

async function readPdf(name: string): Promise<{ pages: string[]; outlineEntries: number }> {
  const pdf = await getDocumentProxy(
    new Uint8Array(await readFile(new URL(`pdfs/${name}.pdf`, folder))),
  );
  const count = (items: { items: unknown[] }[]): number =>
    items.reduce((sum, item) => sum + 1 + count(item.items as { items: unknown[] }[]), 0);
  const outline = (await pdf.getOutline()) ?? [];
  return { pages: (await extractText(pdf)).text, outlineEntries: count(outline) };
}

const pdfs = new Map(
  await Promise.all(pdfNames.map(async (name) => [name, await readPdf(name)] as const)),
);
const pages = new Map([...pdfs].map(([name, pdf]) => [name, pdf.pages]));
for (const name of pageFileNames) {
  const rows = await sampleRows<{ page: number; text: string }>(
    `financebench/pages/${name}.jsonl.gz`,
  );
  pages.set(
    name,
    rows.map((row) => row.text),
  );
}
const trees = await Promise.all(
  (await list("pageindex-trees")).map(
    async (name) =>
      JSON.parse(await sampleText(`financebench/pageindex-trees/${name}`)) as {
        doc_name: string;
        structure: TreeNode[];
      },
  ),
);
const flatten = (nodes: TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.nodes ?? [])]);

test("there are enough filings, pages and runnable questions", () => {
  expect(pages.size).toBeGreaterThanOrEqual(25);
  const pageCount = [...pages.values()].reduce((sum, texts) => sum + texts.length, 0);
  expect(pageCount).toBeGreaterThanOrEqual(150);
  expect(questions.filter((row) => pages.has(row.doc_name)).length).toBeGreaterThanOrEqual(15);
  expect(questions.filter((row) => !pages.has(row.doc_name))).toHaveLength(1);
  expect(repeated(questions.map((row) => row.financebench_id))).toEqual([]);
  expect(repeated(questions.map((row) => row.question))).toEqual([]);
});

test("the PDFs are what the script makes of their sources, byte for byte, and small", async () => {
  const sources = (await readdir(new URL("pdf-sources/financebench", import.meta.url))).sort();
  expect(sources).toEqual(pdfNames.map((name) => `${name}.md`));
  let bytes = 0;
  for (const name of pdfNames) {
    const source = parsePdfSource(await sampleText(`pdf-sources/financebench/${name}.md`));
    const made = Buffer.from(await renderPdf(source));
    const file = new URL(`pdfs/${name}.pdf`, folder);
    expect(made.equals(await readFile(file)), name).toBe(true);
    expect(pages.get(name)?.map(squash), name).toEqual(pageTexts(source).map(squash));
    bytes += (await stat(file)).size;
  }
  expect(bytes).toBeLessThan(500_000);
});

test("evidence stands on its 0-based page", () => {
  const items = questions.flatMap((row) => row.evidence).filter((item) => pages.has(item.doc_name));
  expect(items.length).toBeGreaterThan(questions.length);
  for (const item of items) {
    const page = squash(pages.get(item.doc_name)?.[item.evidence_page_num] ?? "");
    expect(page).toBe(squash(item.evidence_text_full_page));
    expect(page).toContain(squash(item.evidence_text));
  }
});

test("figures of extracted answers stand in the evidence", () => {
  const extracted = questions.filter((row) => row.question_reasoning === "Information extraction");
  expect(extracted.length).toBeGreaterThan(5);
  for (const row of extracted) {
    const evidence = figures(row.evidence.map((item) => item.evidence_text).join("\n"));
    for (const figure of figures(row.answer)) expect(evidence, row.question).toContain(figure);
  }
});

test("trees cover their filing with 1-based pages, overlap, and one runs backwards", () => {
  const backwards = trees.flatMap((tree) => {
    const last = pages.get(tree.doc_name.replace(/\.pdf$/, ""))?.length ?? 0;
    const nodes = flatten(tree.structure);
    expect(nodes.map((node) => node.node_id)).toEqual(
      nodes.map((_, index) => `${index}`.padStart(4, "0")),
    );
    const overlaps = nodes.flatMap((node) =>
      (node.nodes ?? []).filter((child, index, siblings) => {
        const before = siblings[index - 1];
        return before !== undefined && before.end_index >= child.start_index;
      }),
    );
    expect(overlaps.length).toBeGreaterThan(3);
    expect(Math.min(...nodes.map((node) => node.start_index))).toBe(1);
    expect(Math.max(...nodes.map((node) => node.end_index))).toBe(last);
    return nodes.filter((node) => node.start_index > node.end_index);
  });
  expect(trees).toHaveLength(2);
  expect(backwards.map((node) => node.title)).toEqual(["SIGNATURES"]);
});

test("planted: outlines of every size, blank pages, a repeated and a missing row of metadata", () => {
  const sizes = [...pdfs.values()].map((pdf) => pdf.outlineEntries);
  expect(sizes.filter((size) => size === 0).length).toBeGreaterThan(5);
  expect(sizes.filter((size) => size > 0 && size < 10).length).toBeGreaterThan(0);
  expect(sizes.filter((size) => size >= 10).length).toBeGreaterThan(3);
  expect([...pages.values()].flat().filter((text) => text.trim() === "")).toHaveLength(2);
  const names = metadata.map((row) => row.doc_name);
  expect(repeated(names)).toEqual(["GOBSTOPPER_2021_annualreport"]);
  expect([...pages.keys()].filter((name) => !names.includes(name))).toEqual([
    "MOONMARSH_2022Q3_10Q",
  ]);
  expect(pageFileNames.filter((name) => pdfs.has(name))).toEqual([]);
});
