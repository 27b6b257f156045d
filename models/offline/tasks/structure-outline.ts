import { headingOf, structureCounter } from "../headings.ts";
import type { OfflineTask } from "../task.ts";
import { pagesOf } from "./structure-find.ts";

/** A line on more pages than this is a running header. */
const MOST_REPEATS = 2;

/** `structure.outline-first` and `structure.outline-next`: the lines that look like headings. */
export const structureOutline: OfflineTask = ({ hints }) => {
  const pages = pagesOf(hints?.pages).map(({ index, text }) => ({
    index,
    lines: text.split("\n").map((line) => line.replace(/\s+/g, " ").trim()),
  }));
  const repeats = new Map<string, number>();
  for (const { lines } of pages) {
    for (const line of new Set(lines)) repeats.set(line, (repeats.get(line) ?? 0) + 1);
  }
  const place = structureCounter(typeof hints?.last === "string" ? hints.last : null);
  const seen = new Set<string>();
  const entries = pages.flatMap(({ index, lines }) =>
    lines.flatMap((title) => {
      const heading = headingOf(title);
      if (heading === undefined || (repeats.get(title) ?? 0) > MOST_REPEATS) return [];
      if (seen.has(title)) return [];
      seen.add(title);
      return [{ structure: place(heading), title, physical_index: index }];
    }),
  );
  return { content: JSON.stringify({ entries }) };
};
