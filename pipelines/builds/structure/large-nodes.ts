import { type Inducer, isModeFailure } from "./inducer.ts";
import { fromPages } from "./modes.ts";
import { type Section, sectionTree } from "./tree.ts";
import { placedEntries, verifyAndFix } from "./verify.ts";

const MOST_LEVELS = 6;

/**
 * Splits sections whose own span is longer than both limits by reading that span as a document without a table of
 * contents. New children go before the ones that are there, the section keeps what comes before the first, and
 * new and old children are looked at in turn. A section that cannot be split stays as it is.
 */
export async function splitLargeSections(
  inducer: Inducer,
  sections: readonly Section[],
  level = 0,
): Promise<void> {
  await Promise.all(
    sections.map(async (section) => {
      const old = [...section.children];
      const made = isLarge(inducer, section) ? await split(inducer, section) : [];
      // Only pieces smaller than the whole are looked at again, so that this ends.
      const smaller = made.filter(({ start, end }) => end - start < section.end - section.start);
      if (made.length > 0) {
        section.children = [...made, ...old];
        section.end = Math.max(section.start, made[0]!.start);
      }
      const next = level + 1 < MOST_LEVELS ? [...smaller, ...old] : [];
      await splitLargeSections(inducer, next, level + 1);
    }),
  );
}

function isLarge({ pages, settings }: Inducer, { start, end }: Section): boolean {
  return (
    end - start > settings.maxPagesPerNode && pages.sum(start, end) >= settings.maxTokensPerNode
  );
}

async function split(inducer: Inducer, section: Section): Promise<Section[]> {
  const range = { first: section.start, last: section.end };
  try {
    const entries = placedEntries(inducer, await fromPages(inducer, range), range);
    const verified = entries.length === 0 ? undefined : await verifyAndFix(inducer, entries, range);
    if (verified === undefined) {
      inducer.warn(`"${section.title}" is long and could not be split`);
      return [];
    }
    const [head, ...rest] = verified.entries;
    const repeats = head !== undefined && plain(head.title) === plain(section.title);
    const kept = repeats ? rest : verified.entries;
    return kept.length === 0 ? [] : await sectionTree(inducer, kept, range);
  } catch (error) {
    if (!isModeFailure(error)) throw error;
    inducer.warn(`"${section.title}" is long and could not be split`);
    return [];
  }
}

function plain(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
