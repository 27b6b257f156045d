import { startSchema } from "./entries.ts";
import { type Inducer, orElse } from "./inducer.ts";
import type { PageRange } from "./pages.ts";

/** Calls for one section: a long stretch is shown in pieces. */
const MOST_WINDOWS = 3;

/** The page of a range on which a section starts, asked of the model; null when it is on none. */
export async function locateSection(
  inducer: Inducer,
  title: string,
  range: PageRange,
): Promise<number | null> {
  const { pages } = inducer;
  let { first } = range;
  const end = Math.min(range.last, pages.count);
  for (let window = 0; window < MOST_WINDOWS && first <= end; window++) {
    let last = first;
    while (last < end && pages.sum(first, last + 1) <= inducer.groupTokens) last++;
    const from = first;
    const start = await orElse(inducer, `the look for "${title}"`, null, () =>
      inducer.ask(
        "section-start",
        { title, pages: pages.tagged(from, last) },
        { title, pages: pages.listed(from, last) },
        startSchema,
      ),
    );
    if (start !== null && start >= first && start <= last) return start;
    if (start !== null) inducer.warn(`"${title}" was put on page ${start}, which was not shown`);
    first = last + 1;
  }
  return null;
}
