import { isObject } from "../conversation.ts";
import { headingOf, structureCounter } from "../headings.ts";
import type { OfflineReply, OfflineTask } from "../task.ts";

/** Lines that name a page, on a page with the word "contents"; without it. */
const FEW_ENTRIES = 3;
const MANY_ENTRIES = 8;
const CONTENTS = /^\W*(?:table of\s+)?contents\W*$/im;
/** A title, dots or a gap, and a page number at the end of the line. */
const ENTRY = /^\s*(\S.*?\p{L}.*?)(?:\s*[.·…_:]{2,}\s*|\s*:\s+|\s{2,}|\t+|\s+)(\d{1,4})\s*$/u;
const LEADER_ENTRY = /\p{L}.*?(?:\.{4,}|(?:\. ){4,}|\s{3,}|:\s)\s*\d{1,4}\s*$/u;
/** A word or an amount at the end of a line is no page. */
const MOST_PAGES = 2_000;

/** `structure.toc-detect`: enough lines that end in dot leaders or a gap and a page number. */
export const tocDetect: OfflineTask = ({ hints }) => {
  const text = String(hints?.text ?? "");
  const entries = risingPages(text.split("\n").filter((line) => LEADER_ENTRY.test(line)));
  const enough = CONTENTS.test(text) ? FEW_ENTRIES : MANY_ENTRIES;
  return answer(entries >= enough);
};

/** `structure.toc-numbers`: at least three lines name a page. */
export const tocNumbers: OfflineTask = ({ hints }) => {
  const lines = String(hints?.toc ?? "").split("\n");
  return answer(lines.filter((line) => ENTRY.test(line)).length >= FEW_ENTRIES);
};

/** `structure.toc-transform`: one entry a line, its place told from its numbering. */
export const tocTransform: OfflineTask = ({ hints }) => {
  const place = structureCounter(null);
  const entries: { structure: string; title: string; page: number | null }[] = [];
  for (const line of String(hints?.toc ?? "").split("\n")) {
    if (CONTENTS.test(line)) continue;
    const entry = ENTRY.exec(line);
    const heading = headingOf(entry?.[1] ?? line);
    if (entry === null && heading === undefined) continue;
    const title = (entry?.[1] ?? line)
      .replace(/\s+/g, " ")
      .replace(/[\s.:·…]+$/, "")
      .trim();
    if (title === "") continue;
    const page = entry === null ? null : Number(entry[2]);
    entries.push({ structure: place(heading), title, page });
  }
  return { content: JSON.stringify({ entries }) };
};

/** `structure.toc-complete`: what the rule above read is all that it can read. */
export const tocComplete: OfflineTask = () => answer(true);

export function answer(yes: boolean): OfflineReply {
  return { content: JSON.stringify({ reason: "by rule", answer: yes ? "yes" : "no" }) };
}

/** How many entries there are, if their page numbers rise as those of a table of contents do; else 0. */
function risingPages(lines: readonly string[]): number {
  const pages = lines.map((line) => Number(/(\d{1,4})\s*$/.exec(line)![1]));
  const steps = pages.slice(1).filter((page, i) => page >= pages[i]!).length;
  const rising = steps >= 0.8 * (pages.length - 1) && pages.every((page) => page <= MOST_PAGES);
  return rising ? pages.length : 0;
}

/** Sections of a hint, for the rules that look titles up. */
export function sectionsOf(value: unknown): { id: number; structure: string; title: string }[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map((section) => ({
    id: Number(section.id),
    structure: String(section.structure ?? ""),
    title: String(section.title ?? ""),
  }));
}
