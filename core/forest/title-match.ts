/**
 * Finds headings on a page of extracted text, where blanks, case and punctuation differ from the title in
 * the tree ("ITEM 1A Risk Factors" against "Item 1A.   Risk Factors").
 */
export interface TitlePage {
  /**
   * Offsets at which the title may begin, in order: where its words, and nothing after them, fill whole lines (a
   * label such as "Item 7." or "2.1" may stand before them); without such a place, where a line begins with
   * them (a run-in heading, but also a table's row); else a column (after three blanks); else, for titles of
   * four words or more, anywhere in a line. The last word may carry a footnote's number.
   */
  find(title: string): number[];
}

const LONG_TITLE_WORDS = 4;
const LABEL =
  /^(?:item|part|note|section|chapter|appendix|exhibit|article|\d+[a-z]?|[ivxlc]+|[a-z])$/;
const MAX_LABEL_WORDS = 3;

interface PageWords {
  words: string[];
  starts: number[];
  /** Index of the first word of each word's line. */
  lineStarts: number[];
  /** Whether each word stands after a gap as between columns. */
  afterGap: boolean[];
}

export function titlePage(text: string): TitlePage {
  const { words, starts, lineStarts, afterGap } = pageWords(text);
  const wordIndexes = new Map<string, number[]>();
  words.forEach((word, i) => {
    const indexes = wordIndexes.get(word);
    if (indexes === undefined) wordIndexes.set(word, [i]);
    else indexes.push(i);
  });

  function standsAt(at: number, sought: readonly string[]): boolean {
    return sought.every((word, i) => {
      const found = words[at + i];
      if (found === word) return true;
      return i > 0 && i === sought.length - 1 && found?.replace(/\d{1,3}$/, "") === word;
    });
  }

  return {
    find(title) {
      const sought = titleWords(title);
      const [first] = sought;
      if (first === undefined) return [];
      const whole = new Set<number>();
      const lines = new Set<number>();
      const columns = new Set<number>();
      const inside = new Set<number>();
      for (const at of wordIndexes.get(first) ?? []) {
        if (!standsAt(at, sought)) continue;
        const line = lineStarts[at]!;
        const before = words.slice(line, at);
        if (before.length <= MAX_LABEL_WORDS && before.every((word) => LABEL.test(word))) {
          const next = at + sought.length;
          (lineStarts[next] === next || next === words.length ? whole : lines).add(starts[line]!);
        } else if (afterGap[at]) columns.add(starts[at]!);
        else if (sought.length >= LONG_TITLE_WORDS) inside.add(starts[at]!);
      }
      const found = [whole, lines, columns, inside].find((places) => places.size > 0) ?? [];
      return [...found].sort((a, b) => a - b);
    },
  };
}

function titleWords(title: string): string[] {
  return (title.match(WORD) ?? []).map(normalised);
}

const WORD = /[\p{L}\p{N}\p{M}]+/gu;

function normalised(word: string): string {
  return word.normalize("NFKC").toLowerCase();
}

function pageWords(text: string): PageWords {
  const page: PageWords = { words: [], starts: [], lineStarts: [], afterGap: [] };
  let previousEnd = 0;
  let lineStart = 0;
  for (const match of text.matchAll(WORD)) {
    const gap = text.slice(previousEnd, match.index);
    if (gap.includes("\n")) lineStart = page.words.length;
    page.words.push(normalised(match[0]));
    page.starts.push(match.index);
    page.lineStarts.push(lineStart);
    page.afterGap.push(/\s{3}/.test(gap));
    previousEnd = match.index + match[0].length;
  }
  return page;
}

/**
 * Where each of several titles begins on one page, given the candidates of each: the most titles that can
 * stand in the given order, the earlier places among equals; undefined = not found.
 */
export function orderedPlaces(candidates: readonly (readonly number[])[]): (number | undefined)[] {
  interface Place {
    title: number;
    offset: number;
    length: number;
    previous: Place | undefined;
  }
  const places: Place[] = [];
  candidates.forEach((offsets, title) => {
    for (const offset of offsets) {
      let previous: Place | undefined;
      for (const place of places) {
        if (place.title >= title || place.offset >= offset) continue;
        if (previous === undefined || place.length > previous.length) previous = place;
      }
      places.push({ title, offset, length: (previous?.length ?? 0) + 1, previous });
    }
  });
  let last: Place | undefined;
  for (const place of places) if (last === undefined || place.length > last.length) last = place;
  const found: (number | undefined)[] = candidates.map(() => undefined);
  for (let place = last; place !== undefined; place = place.previous) {
    found[place.title] = place.offset;
  }
  return found;
}
