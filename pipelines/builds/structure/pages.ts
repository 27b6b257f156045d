import { countO200k, cutO200k } from "../../../core/o200k.ts";

/** The pages of one document as prompts show them. Numbers are physical and count from 1. */
export interface PromptPages {
  readonly count: number;
  text(page: number): string;
  tokens(page: number): number;
  /** Tokens of pages `first..last`. */
  sum(first: number, last: number): number;
  /** Pages between marks that carry their numbers. */
  tagged(first: number, last: number): string;
  /** The same pages for rules that read no prompt. */
  listed(first: number, last: number): { index: number; text: string }[];
  /** Pages cut because one alone passes the limit, with the tokens dropped. */
  readonly cuts: readonly { page: number; droppedTokens: number }[];
}

const MARK = /<(\/?physical_index_\d+)>/gi;

/** @param limit tokens above which a single page is cut for prompts (its text in the tree stays whole) */
export function promptPages(pages: readonly string[], limit: number): PromptPages {
  const cuts: { page: number; droppedTokens: number }[] = [];
  const shown = pages.map((page, i) => {
    // A page must not close its own mark.
    const text = page.replace(MARK, "‹$1›");
    const tokens = countO200k(text);
    if (tokens <= limit) return { text, tokens };
    cuts.push({ page: i + 1, droppedTokens: tokens - limit });
    return { text: cutO200k(text, limit), tokens: limit };
  });
  const range = (first: number, last: number): number[] => {
    const from = Math.max(1, first);
    const to = Math.min(pages.length, last);
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  };
  const text = (page: number): string => shown[page - 1]?.text ?? "";
  const tokens = (page: number): number => shown[page - 1]?.tokens ?? 0;
  return {
    count: pages.length,
    text,
    tokens,
    sum: (first, last) => range(first, last).reduce((sum, page) => sum + tokens(page), 0),
    tagged: (first, last) =>
      range(first, last)
        .map((page) => `<physical_index_${page}>\n${text(page)}\n</physical_index_${page}>`)
        .join("\n\n"),
    listed: (first, last) => range(first, last).map((index) => ({ index, text: text(index) })),
    cuts,
  };
}

/** A run of pages, both ends included. */
export interface PageRange {
  first: number;
  last: number;
}

/**
 * Splits a range into groups of about equal size that share one page with the group before: one group up to `limit`
 * tokens, else parts = ceil(total / limit), and a group closes when the next page would pass
 * ceil((total / parts + limit) / 2) tokens (PageIndex `page_list_to_group_text`).
 */
export function groupPages(
  pages: PromptPages,
  { first, last }: PageRange,
  limit: number,
): PageRange[] {
  const total = pages.sum(first, last);
  if (total <= limit) return [{ first, last }];
  const target = groupTarget(total, limit);
  const groups: PageRange[] = [];
  let start = first;
  let sum = 0;
  for (let page = first; page <= last; page++) {
    if (sum + pages.tokens(page) > target && page > start) {
      groups.push({ first: start, last: page - 1 });
      start = page - 1;
      sum = pages.tokens(start);
    }
    sum += pages.tokens(page);
  }
  groups.push({ first: start, last });
  return groups;
}

/** Tokens at which a group closes: 50,000 in groups of up to 20,000 gives 18,334. */
export function groupTarget(total: number, limit: number): number {
  const parts = Math.ceil(total / limit);
  return Math.ceil((total / parts + limit) / 2);
}
