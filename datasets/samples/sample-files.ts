import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";

const root = new URL("./", import.meta.url);

/** The text of a sample file; `path` is relative to this folder, and `.gz` is unpacked. */
export async function sampleText(path: string): Promise<string> {
  const bytes = await readFile(new URL(path, root));
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** The rows of a sample JSON Lines file, read without any loader, as the tests' own view of it. */
export async function sampleRows<Row>(path: string): Promise<Row[]> {
  const text = await sampleText(path);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

/** Text with every run of white space as one blank: PDF text and its source differ in nothing else. */
export function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Figures in a text, such as 1,500 or 8.1 or 10. */
export function figures(text: string): string[] {
  return text.match(/\d+(?:[.,]\d+)*/g) ?? [];
}

/** Items that occur more than once. */
export function repeated<Item>(items: readonly Item[]): Item[] {
  const seen = new Set<Item>();
  return items.filter((item) => {
    const again = seen.has(item);
    seen.add(item);
    return again;
  });
}
