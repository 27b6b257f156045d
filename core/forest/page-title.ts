const MAX_CHARACTERS = 80;
const MIN_WORDS = 3;

/**
 * Title of a node that stands for one page: `p. N: ` and the page's first line of at least three words, 80
 * characters at most; `p. N` where no line has three. `page` is 0-based, N counts from 1.
 */
export function pageTitle(page: number, text: string): string {
  const line = firstLine(text);
  return line === undefined ? `p. ${page + 1}` : `p. ${page + 1}: ${line}`;
}

/** First line of at least three words, blanks folded, 80 characters at most; undefined where no line has three. */
export function firstLine(text: string): string | undefined {
  const line = text.split("\n").find((candidate) => wordCount(candidate) >= MIN_WORDS);
  if (line === undefined) return undefined;
  return [...line.replace(/\s+/g, " ").trim()].slice(0, MAX_CHARACTERS).join("").trimEnd();
}

/** Runs between blanks that hold a letter: figures of a table are no words. */
function wordCount(line: string): number {
  return line.split(/\s+/).filter((run) => /\p{L}/u.test(run)).length;
}
