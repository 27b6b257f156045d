import { readdir, readFile } from "node:fs/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { expect, test } from "vitest";
import { renderPdf } from "./pdf-render.ts";
import { parsePdfSource } from "./pdf-source.ts";
import { figures, repeated, sampleRows, sampleText, squash } from "./sample-files.ts";

interface Row {
  id: string;
  question: string;
  answers: string[];
  evidence: { document: string; page?: number; text?: string }[];
}

const folder = new URL("own/", import.meta.url);
const questions = await sampleRows<Row>("own/questions.jsonl");
const files = (await readdir(folder, { recursive: true })).filter((name) =>
  /\.(md|html|txt|pdf)$/.test(name),
);
const manual = await readFile(new URL("repair-manual.pdf", folder));
const manualPages = (await extractText(await getDocumentProxy(new Uint8Array(manual)))).text;

test("four formats, a folder below, and enough questions", () => {
  expect(files.length).toBeGreaterThanOrEqual(5);
  const formats = new Set(files.map((name) => name.slice(name.lastIndexOf("."))));
  expect([...formats].sort()).toEqual([".html", ".md", ".pdf", ".txt"]);
  expect(files.some((name) => name.includes("/"))).toBe(true);
  expect(questions.length).toBeGreaterThanOrEqual(5);
  expect(repeated(questions.map((row) => row.id))).toEqual([]);
});

test("the PDF is what the script makes of its source", async () => {
  const source = parsePdfSource(await sampleText("pdf-sources/own/repair-manual.md"));
  expect(manual.equals(Buffer.from(await renderPdf(source)))).toBe(true);
});

test("evidence stands in its document, and holds the figures of the answer", async () => {
  for (const row of questions) {
    const found: string[] = [];
    for (const { document, page, text } of row.evidence) {
      expect(files).toContain(document);
      if (page !== undefined) found.push(squash(manualPages[page] ?? ""));
      if (text === undefined) continue;
      expect(squash(await sampleText(`own/${document}`)), row.id).toContain(text);
      found.push(text);
    }
    const known = figures(`${row.question}\n${found.join("\n")}`);
    const absent = figures(row.answers.join("\n")).filter((figure) => !known.includes(figure));
    expect(absent, row.id).toEqual([]);
  }
});
