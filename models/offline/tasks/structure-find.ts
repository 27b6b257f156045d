import { titlePage } from "../../../core/forest/title-match.ts";
import type { Json } from "../../../core/json.ts";
import { isObject, textField } from "../conversation.ts";
import type { OfflineTask } from "../task.ts";
import { answer, sectionsOf } from "./structure-toc.ts";

interface ShownPage {
  index: number;
  text: string;
}

/** Characters before a heading that a running header or page number may take. */
const HEADER_CHARACTERS = 60;

/** `structure.section-start`: the first page on which the title stands like a heading. */
export const sectionStart: OfflineTask = ({ hints }) => {
  const start = finder(pagesOf(hints?.pages))(String(hints?.title ?? ""), 0);
  return { content: JSON.stringify({ reason: "by rule", physical_index: start }) };
};

/** `structure.toc-pages`: the titles that stand on the pages, looked for in order. */
export const tocPages: OfflineTask = ({ hints }) => {
  const find = finder(pagesOf(hints?.pages));
  const titles = Array.isArray(hints?.titles) ? hints.titles.map(String) : [];
  let from = 0;
  const entries = titles.flatMap((title) => {
    const start = find(title, from);
    if (start === null) return [];
    from = start;
    return [{ structure: null, title, physical_index: start }];
  });
  return { content: JSON.stringify({ entries }) };
};

/** `structure.toc-fill`: the same by section id. */
export const tocFill: OfflineTask = ({ hints }) => {
  const find = finder(pagesOf(hints?.pages));
  let from = 0;
  const entries = sectionsOf(hints?.sections).flatMap(({ id, title }) => {
    const start = find(title, from);
    if (start === null) return [];
    from = start;
    return [{ id, physical_index: start }];
  });
  return { content: JSON.stringify({ entries }) };
};

/** `structure.title-on-page` */
export const titleOnPage: OfflineTask = ({ hints }) => answer(placesOf(hints).length > 0);

/** `structure.title-first`: hardly anything stands before the title. */
export const titleFirst: OfflineTask = ({ hints }) => {
  const text = String(hints?.text ?? "");
  const [place] = placesOf(hints);
  const before = place === undefined ? undefined : text.slice(0, place).replace(/\s+/g, " ").trim();
  return answer(
    before !== undefined && before.length <= HEADER_CHARACTERS && !/[.!?]$/.test(before),
  );
};

function placesOf(hints: { readonly [name: string]: Json } | undefined): number[] {
  return titlePage(String(hints?.text ?? "")).find(String(hints?.title ?? ""));
}

/** Finds a title's first page from a page number on; null where it is on none. */
function finder(pages: readonly ShownPage[]): (title: string, from: number) => number | null {
  const read = pages.map(({ index, text }) => ({ index, page: titlePage(text) }));
  return (title, from) =>
    read.find(({ index, page }) => index >= from && page.find(title).length > 0)?.index ?? null;
}

export function pagesOf(value: Json | undefined): ShownPage[] {
  return (Array.isArray(value) ? value : []).filter(isObject).map((page) => ({
    index: Number(page.index),
    text: textField(page, "text"),
  }));
}
