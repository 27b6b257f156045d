/** A stretch of a text, `[start, end)` in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

/** Share of a passage's words that a stretch of equal length must hold to count as the passage (A11). */
export const TOKEN_OVERLAP = 0.8;

/** A text cut into words once, to be searched for many passages. */
export interface SearchableText {
  /**
   * Every place where the passage's words stand in a row, whatever case, blanks and punctuation. Without one:
   * the stretch of as many words that shares the most words with it, if it shares at least 80% (A11);
   * the earliest of equal ones. Empty when there is neither.
   */
  locate(passage: string): Stretch[];
}

interface Words {
  words: string[];
  starts: number[];
  ends: number[];
}

export function searchableText(text: string): SearchableText {
  const { words, starts, ends } = wordsOf(text);
  const joined = ` ${words.join(" ")} `;
  const wordAt = new Map<number, number>();
  let position = 0;
  words.forEach((word, i) => {
    wordAt.set(position, i);
    position += word.length + 1;
  });
  const stretch = (first: number, last: number): Stretch => ({
    start: starts[first]!,
    end: ends[last]!,
  });

  function locateWords(passage: readonly string[]): Stretch[] {
    const needle = ` ${passage.join(" ")} `;
    const found: Stretch[] = [];
    for (let at = joined.indexOf(needle); at !== -1; at = joined.indexOf(needle, at + 1)) {
      const first = wordAt.get(at)!;
      found.push(stretch(first, first + passage.length - 1));
    }
    if (found.length > 0) return found;
    const first = bestWindow(words, passage);
    return first === undefined ? [] : [stretch(first, first + passage.length - 1)];
  }

  return {
    locate(passage) {
      const sought = wordsOf(passage).words;
      if (sought.length > 0) return locateWords(sought);
      const plain = passage.trim();
      const at = plain === "" ? -1 : text.indexOf(plain);
      return at === -1 ? [] : [{ start: at, end: at + plain.length }];
    },
  };
}

function wordsOf(text: string): Words {
  const found: Words = { words: [], starts: [], ends: [] };
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    found.words.push(match[0].normalize("NFKC").toLowerCase());
    found.starts.push(match.index);
    found.ends.push(match.index + match[0].length);
  }
  return found;
}

/** First word of the window of the passage's length that shares the most words (as a multiset), if enough. */
function bestWindow(words: readonly string[], passage: readonly string[]): number | undefined {
  const size = passage.length;
  if (words.length < size) return undefined;
  const missing = new Map<string, number>();
  for (const word of passage) missing.set(word, (missing.get(word) ?? 0) + 1);
  let shared = 0;
  let best: number | undefined;
  let bestShared = Math.ceil(TOKEN_OVERLAP * size) - 1;
  for (let i = 0; i < words.length; i++) {
    const entering = missing.get(words[i]!);
    if (entering !== undefined) {
      if (entering > 0) shared++;
      missing.set(words[i]!, entering - 1);
    }
    if (i >= size) {
      const leaving = missing.get(words[i - size]!);
      if (leaving !== undefined) {
        if (leaving >= 0) shared--;
        missing.set(words[i - size]!, leaving + 1);
      }
    }
    if (i >= size - 1 && shared > bestShared) {
      best = i - size + 1;
      bestShared = shared;
    }
  }
  return best;
}
