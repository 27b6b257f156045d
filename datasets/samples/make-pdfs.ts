/**
 * Makes the sample PDFs from their text sources: `npx tsx datasets/samples/make-pdfs.ts`.
 * Their bytes depend on the sources alone; a test holds the checked-in files against them.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { renderPdf } from "./pdf-render.ts";
import { parsePdfSource } from "./pdf-source.ts";

const targets = { financebench: "financebench/pdfs", own: "own" };

for (const [set, folder] of Object.entries(targets)) {
  const sources = new URL(`pdf-sources/${set}/`, import.meta.url);
  for (const name of (await readdir(sources)).sort()) {
    const source = parsePdfSource(await readFile(new URL(name, sources), "utf8"));
    const target = new URL(`${folder}/${name.replace(/\.md$/, ".pdf")}`, import.meta.url);
    await writeFile(target, await renderPdf(source));
  }
}
