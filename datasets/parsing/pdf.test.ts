import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PDFDocument, StandardFonts } from "pdf-lib";
import { expect, it } from "vitest";
import { packageFile } from "../../core/package-file.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { readPdfOutline, readPdfPages } from "./pdf.ts";

const sample = (name: string) => packageFile(`datasets/samples/financebench/pdfs/${name}.pdf`);
const contextOf = (folder: string) => ({
  cacheFolder: join(folder, "cache"),
  signal: new AbortController().signal,
});

it("reads lines, blank pages and pieces drawn out of order, and keeps the result", async () => {
  const folder = temporaryFolder();
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  const page = pdf.addPage();
  page.drawText("Background of it", { x: 90, y: 700, font, size: 12 });
  page.drawText("A.", { x: 60, y: 700, font, size: 12 });
  page.drawText("Second line", { x: 60, y: 680, font, size: 12 });
  pdf.addPage();
  const path = join(folder, "x.pdf");
  writeFileSync(path, await pdf.save());
  const context = contextOf(folder);
  const first = await readPdfPages(path, context);
  expect(first).toEqual({ value: ["A. Background of it\nSecond line", ""] });
  expect(readdirSync(context.cacheFolder)).toHaveLength(1);
  expect(await readPdfPages(path, context)).toEqual(first);
});

it("reads an outline with the pages its entries lead to, line breaks in titles folded", async () => {
  const context = contextOf(temporaryFolder());
  const { value } = await readPdfOutline(sample("MOONMARSH_2023_10K"), context);
  expect(value!.entries).toBeGreaterThanOrEqual(20);
  const titles: string[] = [];
  const visit = (trees: NonNullable<typeof value>["trees"]): void => {
    for (const { title, start, children } of trees) {
      titles.push(title);
      expect(start).toBeLessThan(value!.pageCount);
      visit((children ?? []) as typeof trees);
    }
  };
  visit(value!.trees);
  expect(titles).toHaveLength(value!.entries);
  expect(titles.every((title) => !/[\n\r]/.test(title))).toBe(true);
  const folder = temporaryFolder();
  const bare = await PDFDocument.create();
  bare.addPage();
  writeFileSync(join(folder, "bare.pdf"), await bare.save());
  const none = await readPdfOutline(join(folder, "bare.pdf"), context);
  expect(none.value).toEqual({ pageCount: 1, entries: 0, trees: [] });
});

it("says what is wrong with a file that is no PDF, cut, or a folder", async () => {
  const folder = temporaryFolder();
  const context = contextOf(folder);
  const path = join(folder, "bad.pdf");
  writeFileSync(path, "%PDF-1.4\nnothing more");
  for (const read of [readPdfPages, readPdfOutline]) {
    const reading = await read(path, context);
    expect(reading.value).toBeUndefined();
    expect(reading.fault).toMatch(/cannot be read as a PDF/);
  }
  mkdirSync(join(folder, "folder.pdf"));
  expect((await readPdfPages(join(folder, "folder.pdf"), context)).fault).toMatch(/cannot be read/);
});

it("stops when it is told to", async () => {
  const controller = new AbortController();
  controller.abort();
  const context = { ...contextOf(temporaryFolder()), signal: controller.signal };
  await expect(readPdfPages(sample("QUILLFEATHER_2022_10K"), context)).rejects.toMatchObject({
    name: "AbortError",
  });
});
