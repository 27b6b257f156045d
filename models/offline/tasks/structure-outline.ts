import { type Heading, headingOf, structureCounter } from "../headings.ts";
import type { OfflineTask } from "../task.ts";
import { pagesOf } from "./structure-find.ts";

/** A line on more pages than this is a running header. */
const MOST_REPEATS = 2;
/** With fewer marked headings a page than this, short lines that stand alone count too. */
const FEW_PER_PAGE = 1 / 3;
const MOST_WORDS_ALONE = 8;

interface Line {
  page: number;
  title: string;
  heading: Heading | undefined;
  /** Between blank lines or, where a page has none, behind the end of a sentence; no columns inside. */
  alone: boolean;
}

/** `structure.outline-first` and `structure.outline-next`: the lines that look like headings. */
export const structureOutline: OfflineTask = ({ hints }) => {
  const pages = pagesOf(hints?.pages);
  const lines = pages.flatMap(({ index, text }) => linesOf(index, text));
  const repeats = new Map<string, Set<number>>();
  for (const { title, page } of lines) {
    repeats.set(title, (repeats.get(title) ?? new Set()).add(page));
  }
  const candidates = lines.filter(({ title }) => repeats.get(title)!.size <= MOST_REPEATS);
  const marked = candidates.filter(({ heading }) => heading !== undefined);
  const chosen =
    marked.length < pages.length * FEW_PER_PAGE
      ? candidates.filter((line) => line.heading !== undefined || isShortTitle(line))
      : marked;
  const place = structureCounter(typeof hints?.last === "string" ? hints.last : null);
  const seen = new Set<string>();
  const entries = chosen.flatMap(({ page, title, heading }) => {
    if (seen.has(title)) return [];
    seen.add(title);
    // Below the last marked heading; on the top level where there is none.
    return [{ structure: place(heading ?? { level: 2 }), title, physical_index: page }];
  });
  return { content: JSON.stringify({ entries }) };
};

function linesOf(page: number, text: string): Line[] {
  const lines = text.split("\n");
  const isBlank = (i: number) => (lines[i] ?? "").trim() === "";
  const spaced = lines.some((_, i) => i > 0 && i < lines.length - 1 && isBlank(i));
  const standsAlone = (i: number) =>
    spaced ? isBlank(i - 1) && isBlank(i + 1) : isBlank(i - 1) || /[.!?]\s*$/.test(lines[i - 1]!);
  return lines.flatMap((line, i) => {
    const title = line.replace(/\s+/g, " ").trim();
    if (title === "") return [];
    const alone = standsAlone(i) && !/\S\s{3,}\S/.test(line);
    return [{ page, title, heading: headingOf(line), alone }];
  });
}

function isShortTitle({ title, alone }: Line): boolean {
  return (
    alone &&
    /^\p{Lu}/u.test(title) &&
    /\p{L}{4}/u.test(title) &&
    !/[.,;:!?)]$|\d{3}/.test(title) &&
    title.split(" ").length <= MOST_WORDS_ALONE
  );
}
