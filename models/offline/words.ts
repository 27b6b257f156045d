import { createRequire } from "node:module";

/** Only this module of `natural`: its main entry reads `.env` files and prints to stdout. */
const { stem: porterStem } = createRequire(import.meta.url)(
  "natural/lib/natural/stemmers/porter_stemmer.js",
) as { stem(word: string): string };

/** Words of questions and of everyday grammar that tell passages nothing apart. */
const COMMON = new Set(
  `a about according after all also am an and any are as at be because been before being between both but by can
  could did do does doing during each for from had has have having he her his how i if in into is it its just kind long
  many may me more most much must my no nor not of off on or other our out over paper per shall she should so some
  such than that the their them then there these they this those through to too under up us use used using very was
  we were what when where which while who whom whose why will with without would you your give tell please name
  happens one`.split(/\s+/),
);

const stems = new Map<string, string>();
const STEM_MEMO = 50_000;

function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = /^[a-z]+$/.test(word) ? porterStem(word) : word;
  if (stems.size >= STEM_MEMO) stems.clear();
  stems.set(word, stem);
  return stem;
}

/**
 * The stems of a text in order, common words left out. Numbers keep their points and commas: `1,500`, `3.5`;
 * a fiscal year is its year.
 */
export function stemsOf(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(/\bfy ?(?=\d{4}\b)/g, "")
      .match(/\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{N}]*/gu) ?? [];
  return words.filter((word) => !COMMON.has(word)).map(stemOf);
}

/** Stems of words that name something: figures, and words with a capital that do not open a sentence. */
export function nameStemsOf(text: string): Set<string> {
  const names = text.match(/(?<=[^.!?\s]\s+)\p{Lu}[\p{L}\p{N}]*|\d+(?:[.,]\d+)*/gu) ?? [];
  return new Set(names.flatMap(stemsOf));
}

/** The distinct words of a text that are worth searching for, in order. */
export function contentWords(text: string): string[] {
  const words = text.match(/\d+(?:[.,]\d+)*|\p{L}[\p{L}\p{N}]*/gu) ?? [];
  const seen = new Set<string>();
  return words.filter((word) => {
    const lower = word.toLowerCase();
    if (COMMON.has(lower) || seen.has(lower)) return false;
    seen.add(lower);
    return true;
  });
}

/** Sentences of a text: split at full stops and line ends; a table row is a sentence, a wrapped line is not. */
export function sentencesOf(text: string): string[] {
  return text
    .replace(WRAPPED_LINE, "$1 ")
    .split(/(?<=[.!?])\s+(?=[\p{Lu}\p{N}"“(*[])|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** A line end inside a sentence, as in the text of a PDF: prose goes on in lower case. */
const WRAPPED_LINE = /([^\n.!?|:;])\n(?=\(?\p{Ll})/gu;
