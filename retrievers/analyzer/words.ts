/**
 * What a word is. Both ways of cutting text (strings, bytes) rest on the two definitions below, so that
 * they cannot drift apart:
 *
 * 1. a *run* is a maximal stretch of letters, numbers, marks and invisible joiners;
 * 2. a run is normalised (joiners dropped, NFKC, lower case) and cut into words by {@link wordsOfRun}.
 */

/** Soft hyphen, zero-width (non-)joiners, word joiner, byte order mark, variation selectors: inside a word, never part of it. */
const IGNORABLE = /[\u00ad\u200c-\u200d\u2060\ufeff\p{VS}]/gu;
const RUN = /[\p{L}\p{N}\p{M}\u00ad\u200c-\u200d\u2060\ufeff]+/gu;
const RUN_CHARACTER = /^[\p{L}\p{N}\p{M}\u00ad\u200c-\u200d\u2060\ufeff]$/u;
/** Han and Hiragana are written without blanks: one word per character, as in Unicode's word rule (UAX 29). */
const WORD =
  /[\p{sc=Han}\p{sc=Hiragana}]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hiragana}])[\p{L}\p{N}])(?:(?![\p{sc=Han}\p{sc=Hiragana}])[\p{L}\p{N}\p{M}])*/gu;
const ASCII_ONLY = /^[0-9A-Za-z]+$/;

/** The runs of a text, in order, as written. */
export function runsOf(text: string): readonly string[] {
  return text.match(RUN) ?? [];
}

/** True for a code point that continues a run. */
export function isRunCharacter(codePoint: number): boolean {
  return RUN_CHARACTER.test(String.fromCodePoint(codePoint));
}

/**
 * The words of one run. NFKC is applied here, after the cut, so that a trade mark sign ends a word
 * instead of becoming its last two letters, while ligatures and full-width forms inside a word are
 * resolved. Marks stay: stripping them would break scripts whose vowels are marks.
 */
export function wordsOfRun(run: string, lowercase: boolean): readonly string[] {
  if (ASCII_ONLY.test(run)) return [lowercase ? run.toLowerCase() : run];
  const composed = run.replace(IGNORABLE, "").normalize("NFKC");
  return (lowercase ? composed.toLowerCase() : composed).match(WORD) ?? [];
}
