import { type Entry, yesSchema } from "./entries.ts";
import { type Inducer, orElse } from "./inducer.ts";
import { locateSection } from "./locate.ts";
import type { PageRange } from "./pages.ts";

/** An entry that has its page. */
export interface PlacedEntry {
  structure: string | null;
  title: string;
  start: number;
}

const MOST_ROUNDS = 3;
/** Above this share of right entries the wrong ones are mended; below, another mode is tried. */
const WORTH_FIXING = 0.6;

/** Entries whose start lies in the range; the others are dropped, each named. */
export function placedEntries(
  inducer: Inducer,
  entries: readonly Entry[],
  { first, last }: PageRange,
): PlacedEntry[] {
  return entries.flatMap(({ structure, title, start }) => {
    if (start === null) {
      inducer.warn(`"${title}" was found on no page; it is left out`);
      return [];
    }
    if (start < first || start > last) {
      inducer.warn(
        `"${title}" was put on page ${start}, outside pages ${first}-${last}; it is left out`,
      );
      return [];
    }
    return [{ structure, title, start }];
  });
}

export interface Verified {
  /** Share of entries whose title stands on their page. */
  accuracy: number;
  entries: PlacedEntry[];
}

/**
 * Asks for every entry whether its title is on its page, and looks wrong ones up between their right neighbours, in
 * three rounds at most; what is wrong then is kept as it is. Undefined when too few are right.
 */
export async function verifyAndFix(
  inducer: Inducer,
  entries: readonly PlacedEntry[],
  range: PageRange,
): Promise<Verified | undefined> {
  const right = await Promise.all(entries.map((entry) => standsOn(inducer, entry)));
  const accuracy = right.filter(Boolean).length / entries.length;
  if (accuracy <= WORTH_FIXING) {
    inducer.warn(
      `${Math.round(accuracy * 100)}% of ${entries.length} sections are where they should be`,
    );
    return undefined;
  }
  const fixed = entries.map((entry) => ({ ...entry }));
  for (let round = 0; round < MOST_ROUNDS && right.includes(false); round++) {
    const wrong = right.flatMap((ok, i) => (ok ? [] : [i]));
    const found = await Promise.all(
      wrong.map(async (i) => {
        const entry = fixed[i]!;
        const before = fixed.findLast((_, j) => j < i && right[j]);
        const after = fixed.find((_, j) => j > i && right[j]);
        const between = { first: before?.start ?? range.first, last: after?.start ?? range.last };
        const start = await locateSection(inducer, entry.title, between);
        if (start === null) return undefined;
        return { i, start, ok: await standsOn(inducer, { ...entry, start }) };
      }),
    );
    for (const hit of found) {
      if (hit === undefined) continue;
      fixed[hit.i]!.start = hit.start;
      right[hit.i] = hit.ok;
    }
  }
  for (const [i, ok] of right.entries()) {
    if (!ok) inducer.warn(`"${fixed[i]!.title}" may not start on page ${fixed[i]!.start}`);
  }
  return { accuracy, entries: inOrder(inducer, fixed, right) };
}

function standsOn(inducer: Inducer, { title, start }: PlacedEntry): Promise<boolean> {
  const page = inducer.pages.text(start);
  return orElse(inducer, `the check of "${title}"`, false, () =>
    inducer.ask("title-on-page", { title, page }, { title, text: page }, yesSchema),
  );
}

/**
 * Start pages that never go back: the heaviest run of entries in order stays (a right entry weighs more than a doubtful
 * one), each other entry moves to the page of the one before it.
 */
export function inOrder(
  inducer: Pick<Inducer, "warn">,
  entries: readonly PlacedEntry[],
  right: readonly boolean[],
): PlacedEntry[] {
  const best: { weight: number; previous: number }[] = [];
  let last = -1;
  for (const [i, { start }] of entries.entries()) {
    let previous = -1;
    for (let j = 0; j < i; j++) {
      if (entries[j]!.start > start) continue;
      if (previous === -1 || best[j]!.weight > best[previous]!.weight) previous = j;
    }
    best.push({ weight: (best[previous]?.weight ?? 0) + (right[i] ? 3 : 1), previous });
    if (last === -1 || best[i]!.weight > best[last]!.weight) last = i;
  }
  const kept = new Set<number>();
  for (let i = last; i !== -1; i = best[i]!.previous) kept.add(i);
  let page = entries.find((_, i) => kept.has(i))?.start ?? 1;
  return entries.map((entry, i) => {
    if (kept.has(i)) {
      page = entry.start;
      return entry;
    }
    inducer.warn(
      `"${entry.title}" on page ${entry.start} is out of order; it moves to page ${page}`,
    );
    return { ...entry, start: page };
  });
}
