/** ASCII symbols that count as punctuation beside Unicode's own. */
const PUNCTUATION = /[\p{P}$+<=>^`|~]/gu;
const ARTICLES = /\b(?:a|an|the)\b/g;

/**
 * Text as answer overlap compares it (notes 7.7): lower case, punctuation removed (not replaced, so `1,577` is one
 * word), articles dropped, blanks collapsed.
 */
export function normalizeAnswer(text: string): string {
  return text
    .toLowerCase()
    .replace(PUNCTUATION, "")
    .replace(ARTICLES, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Words of the normalised text. */
export function answerTokens(text: string): string[] {
  const normal = normalizeAnswer(text);
  return normal === "" ? [] : normal.split(" ");
}
