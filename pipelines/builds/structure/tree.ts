import { yesSchema } from "./entries.ts";
import { type Inducer, orElse } from "./inducer.ts";
import type { PageRange } from "./pages.ts";
import type { PlacedEntry } from "./verify.ts";

/** A section with its own span; its children's pages come after it. */
export interface Section {
  title: string;
  start: number;
  end: number;
  children: Section[];
}

/** The first entry starts late: what comes before it gets a section of its own. */
export function withPreface(entries: readonly PlacedEntry[], first: number): PlacedEntry[] {
  const [head] = entries;
  if (head === undefined || head.start <= first) return [...entries];
  return [{ structure: "0", title: "Preface", start: first }, ...entries];
}

/**
 * A tree of flat entries. An entry ends where the next one in the list starts, its own first child included (the
 * page before, when that one begins its page), so that a parent spans its own preamble alone. The parent is the nearest
 * earlier entry with the structure code less its last part; without one an entry is a root.
 */
export async function sectionTree(
  inducer: Inducer,
  entries: readonly PlacedEntry[],
  range: PageRange,
): Promise<Section[]> {
  const beginsPage = await Promise.all(
    entries.map((entry, i) => (i === 0 ? true : isFirstOnPage(inducer, entry))),
  );
  const roots: Section[] = [];
  const byCode = new Map<string, Section>();
  entries.forEach(({ structure, title, start }, i) => {
    const next = entries[i + 1];
    const end = next === undefined ? range.last : next.start - (beginsPage[i + 1] ? 1 : 0);
    const section = { title, start, end: Math.max(start, end), children: [] };
    const parent = structure === null ? undefined : byCode.get(parentCode(structure));
    (parent?.children ?? roots).push(section);
    if (structure !== null) byCode.set(structure, section);
  });
  return roots;
}

function parentCode(structure: string): string {
  return structure.slice(0, Math.max(0, structure.lastIndexOf(".")));
}

function isFirstOnPage(inducer: Inducer, { title, start }: PlacedEntry): Promise<boolean> {
  const page = inducer.pages.text(start);
  return orElse(inducer, `the look at the top of page ${start}`, false, () =>
    inducer.ask("title-first", { title, page }, { title, text: page }, yesSchema),
  );
}
