import { type Entry, entriesJson, entriesSchema, fillSchema } from "./entries.ts";
import { type Inducer, modeFailed, orElse } from "./inducer.ts";
import { locateSection } from "./locate.ts";
import { groupPages, type PageRange } from "./pages.ts";
import { type FoundToc, readToc } from "./toc.ts";

/** Pages after a table of contents in which its first sections are looked up. */
const PAGES_AFTER_TOC = 20;

/** Mode A: a table of contents that names pages, brought to physical pages by the offset between the two. */
export async function fromNumberedToc(inducer: Inducer, toc: FoundToc): Promise<Entry[]> {
  const { pages } = inducer;
  const entries = await readToc(inducer, toc);
  const first = toc.last + 1;
  let last = Math.min(pages.count, toc.last + PAGES_AFTER_TOC);
  while (last > first && pages.sum(first, last) > inducer.windowTokens) last--;
  const seen = await orElse(inducer, "the look for the first sections", [], () =>
    inducer.ask(
      "toc-pages",
      { toc: entriesJson(entries), pages: pages.tagged(first, last) },
      { titles: entries.map(({ title }) => title), pages: pages.listed(first, last) },
      entriesSchema,
    ),
  );
  const offset = pageOffset(entries, seen, toc.last);
  if (offset === null)
    inducer.warn("no section's printed page could be told from its physical one");
  for (const entry of entries) {
    if (offset === null || entry.page === null) continue;
    const start = entry.page + offset;
    if (start >= 1 && start <= pages.count) entry.start = start;
    else {
      inducer.warn(
        `"${entry.title}" would start on page ${start} of ${pages.count}; it is looked up`,
      );
    }
  }
  await lookUpMissing(inducer, entries, toc);
  return entries;
}

/**
 * Most frequent difference between physical and printed page over sections with the same title, those before the
 * end of the table left out; the smaller of equals; null without any pair.
 */
export function pageOffset(
  entries: readonly Entry[],
  seen: readonly Entry[],
  tocLast: number,
): number | null {
  const votes = new Map<number, number>();
  for (const { title, page } of entries) {
    if (page === null) continue;
    for (const { title: other, start } of seen) {
      if (other !== title || start === null || start <= tocLast) continue;
      votes.set(start - page, (votes.get(start - page) ?? 0) + 1);
    }
  }
  const best = [...votes].sort(([a, m], [b, n]) => n - m || a - b)[0];
  return best === undefined ? null : best[0];
}

/** Entries without a page are looked for between their neighbours' pages, the document's ends where they have none. */
async function lookUpMissing(
  inducer: Inducer,
  entries: readonly Entry[],
  toc: FoundToc,
): Promise<void> {
  for (const [i, entry] of entries.entries()) {
    if (entry.start !== null) continue;
    const before = entries.slice(0, i).findLast(({ start }) => start !== null)?.start;
    const after = entries.slice(i + 1).find(({ start }) => start !== null)?.start;
    const range = { first: before ?? toc.last + 1, last: after ?? inducer.pages.count };
    entry.start = await locateSection(inducer, entry.title, range);
  }
}

/** Mode B: a table of contents without page numbers, its sections looked up group by group. */
export async function fromPlainToc(inducer: Inducer, toc: FoundToc): Promise<Entry[]> {
  const { pages } = inducer;
  const entries = (await readToc(inducer, toc)).map((entry) => ({ ...entry, page: null }));
  const body = { first: toc.last + 1, last: pages.count };
  for (const { first, last } of groupPages(pages, body, inducer.groupTokens)) {
    const open = entries.flatMap(({ start, structure, title }, id) =>
      start === null ? [{ id, structure, title }] : [],
    );
    if (open.length === 0) break;
    const found = await orElse(inducer, `the look-up on pages ${first}-${last}`, [], () =>
      inducer.ask(
        "toc-fill",
        { entries: JSON.stringify(open), pages: pages.tagged(first, last) },
        { sections: open, pages: pages.listed(first, last) },
        fillSchema,
      ),
    );
    for (const { id, start } of found) {
      const entry = entries[id];
      if (entry === undefined || entry.start !== null) continue;
      if (start >= first && start <= last) entry.start = start;
      else inducer.warn(`"${entry.title}" was put on page ${start}, which was not shown`);
    }
  }
  return entries;
}

/**
 * Mode C: no table of contents; the sections are read off the pages, group by group.
 *
 * @throws RitbenchError E_STRUCTURE_MODE when no group gives any
 */
export async function fromPages(inducer: Inducer, range: PageRange): Promise<Entry[]> {
  const { pages } = inducer;
  const entries: Entry[] = [];
  for (const { first, last } of groupPages(pages, range, inducer.groupTokens)) {
    const slots = { pages: pages.tagged(first, last) };
    const hints = { pages: pages.listed(first, last), last: entries.at(-1)?.structure ?? null };
    const found = await orElse(inducer, `the outline of pages ${first}-${last}`, [], () =>
      entries.length === 0
        ? inducer.ask("outline-first", slots, hints, entriesSchema)
        : inducer.ask(
            "outline-next",
            { ...slots, entries: entriesJson(entries) },
            hints,
            entriesSchema,
          ),
    );
    for (const entry of found) {
      const { title, start } = entry;
      if (start !== null && (start < first || start > last)) {
        inducer.warn(`"${title}" was put on page ${start}, which was not shown; it is left out`);
      } else if (!entries.some((known) => known.title === title && known.start === start)) {
        entries.push({ ...entry, page: null });
      }
    }
  }
  if (entries.length === 0) {
    throw modeFailed(`no sections were found on pages ${range.first}-${range.last}`);
  }
  return entries;
}
