import type { ChatMessage } from "../../../core/model.ts";
import { type Entry, entriesJson, entriesSchema, yesSchema } from "./entries.ts";
import { type Inducer, modeFailed, orElse } from "./inducer.ts";
import { structurePrompts } from "./prompts.ts";

/** A table of contents that was found. */
export interface FoundToc {
  text: string;
  /** Last physical page of it. */
  last: number;
  /** Whether it names pages. */
  numbered: boolean;
}

const MOST_TOC_PAGES = 20;
const MOST_CONTINUATIONS = 5;

/**
 * The table of contents: the first run of pages that hold one, or a later run within the checked pages if only that
 * one names pages. A run that leaves no page after it is none (a one-page document, a list of rules).
 */
export async function findToc(inducer: Inducer): Promise<FoundToc | undefined> {
  const { pages, settings } = inducer;
  if (pages.count === 1) return undefined;
  let unnumbered: FoundToc | undefined;
  for (let from = 1; from <= settings.tocCheckPages; ) {
    const run = await tocRun(inducer, from);
    if (run === undefined) break;
    from = run.last + 2;
    if (run.last >= pages.count || run.last - run.first >= MOST_TOC_PAGES) {
      inducer.warn(
        `pages ${run.first}-${run.last} were taken for a table of contents, but nothing follows or they are too many; it is ignored`,
      );
      continue;
    }
    const text = tocText(pages.listed(run.first, run.last).map((page) => page.text));
    const numbered = await orElse(inducer, "the look for page numbers", false, () =>
      inducer.ask("toc-numbers", { toc: text }, { toc: text }, yesSchema),
    );
    const found = { text, last: run.last, numbered };
    if (numbered) return found;
    unnumbered ??= found;
  }
  return unnumbered;
}

async function tocRun(
  inducer: Inducer,
  from: number,
): Promise<{ first: number; last: number } | undefined> {
  const { pages, settings } = inducer;
  let first: number | undefined;
  for (let page = from; page <= pages.count; page++) {
    if (first === undefined && page > settings.tocCheckPages) return undefined;
    const text = pages.text(page);
    const yes =
      text.trim() !== "" &&
      (await orElse(inducer, `the look for a table of contents on page ${page}`, false, () =>
        inducer.ask("toc-detect", { page: text }, { text }, yesSchema),
      ));
    if (yes) first ??= page;
    else if (first !== undefined) return { first, last: page - 1 };
    if (first !== undefined && page - first >= MOST_TOC_PAGES) return { first, last: page };
  }
  return first === undefined ? undefined : { first, last: pages.count };
}

/** Dot leaders become a colon. */
export function tocText(pages: readonly string[]): string {
  return pages.join("\n").replace(/\.{5,}|(?:\. ){5,}\.?/g, ": ");
}

/**
 * The table as flat entries. A list that is cut or not complete is continued in the same conversation, five
 * times at most.
 *
 * @throws RitbenchError E_STRUCTURE_MODE when it stays incomplete
 */
export async function readToc(inducer: Inducer, { text }: FoundToc): Promise<Entry[]> {
  const prompt = structurePrompts["toc-transform"].render({ toc: text });
  let messages: ChatMessage[] = [{ role: "user", content: prompt }];
  const entries: Entry[] = [];
  for (let round = 0; round <= MOST_CONTINUATIONS; round++) {
    const hints = { toc: text };
    const { value, cut, reply } = await inducer.talk(
      "toc-transform",
      messages,
      hints,
      entriesSchema,
      { allowCut: true },
    );
    const added = value.filter((entry) => !entries.some((known) => same(known, entry)));
    // A table may repeat a title with the same page; only a continuation can repeat what is there.
    entries.push(...(round === 0 ? value : added).map((entry) => ({ ...entry, start: null })));
    const whole = !cut && reply.stopReason !== "length";
    if (whole && (await isComplete(inducer, text, entries))) return entries;
    if (round > 0 && added.length === 0) break;
    const last = entries.at(-1);
    const next = structurePrompts["toc-continue"].render({
      last: last === undefined ? "none" : entriesJson([last]),
    });
    messages = [
      ...messages,
      { role: "assistant", content: reply.message.content },
      { role: "user", content: next },
    ];
  }
  throw modeFailed("the table of contents could not be read to its end");
}

function isComplete(inducer: Inducer, toc: string, entries: readonly Entry[]): Promise<boolean> {
  return orElse(inducer, "the check of the table's entries", true, () =>
    inducer.ask("toc-complete", { toc, entries: entriesJson(entries) }, { toc }, yesSchema),
  );
}

function same(a: Entry, b: Entry): boolean {
  return a.structure === b.structure && a.title === b.title && a.page === b.page;
}
