import type { ProviderRequest } from "../../provider.ts";
import { isObject, textField } from "../conversation.ts";
import type { Evidence } from "../extract.ts";
import { contentWords, sentencesOf } from "../words.ts";

/** A phrase that stands for an entity. */
export interface Phrase {
  name: string;
  type: "name" | "figure" | "term";
}

const MOST_PHRASES = 6;
/** Runs of words with a capital, joined by small linking words; figures with a unit behind them. */
const NAME =
  /\p{Lu}[\p{L}\p{N}&’'-]*(?:\s+(?:(?:of|and|for|the|de)\s+)?[\p{Lu}\p{N}][\p{L}\p{N}&’'.-]*)*/gu;
const FIGURE = /[$€£]?\d[\d.,]*\d|[$€£]?\d/g;

/** What a sentence speaks of: names and figures in text order, and where there are none its longest words. */
export function phrasesOf(sentence: string): Phrase[] {
  const names = [...sentence.matchAll(NAME)].flatMap(({ 0: match, index }): Placed[] => {
    const name = match.replace(/[.'’-]+$/, "");
    // A sentence opens with a capital, whatever its first word.
    const opening = index === 0 && !/\s/.test(name) && !/\p{Lu}.*\p{Lu}|\d/u.test(name);
    return opening || contentWords(name).length === 0 ? [] : [{ name, type: "name", index }];
  });
  const figures = [...sentence.matchAll(FIGURE)]
    .filter(({ index }) => !names.some((name) => inside(name, index)))
    .map(({ 0: name, index }): Placed => ({ name, type: "figure", index }));
  const found = [...names, ...figures].sort((a, b) => a.index - b.index);
  const phrases = found.length > 0 ? found : longestWords(sentence);
  const seen = new Set<string>();
  return phrases
    .filter(({ name }) => !seen.has(name.toUpperCase()) && seen.add(name.toUpperCase()))
    .slice(0, MOST_PHRASES)
    .map(({ name, type }) => ({ name, type }));
}

interface Placed extends Phrase {
  index: number;
}

function inside({ index, name }: Placed, at: number): boolean {
  return at >= index && at < index + name.length;
}

function longestWords(sentence: string): Phrase[] {
  return contentWords(sentence)
    .map((name, order) => ({ name, order }))
    .sort((a, b) => b.name.length - a.name.length || a.order - b.order)
    .slice(0, 2)
    .map(({ name }) => ({ name, type: "term" }));
}

/** Sentences of the text that a request is about, free of what would be read as a mark of the record format. */
export function sentencesToRecord({ hints }: ProviderRequest): string[] {
  return sentencesOf(String(hints?.text ?? "")).map((sentence) =>
    sentence
      .replace(/<\||\|>|##+/g, " ")
      .replaceAll("|", "¦")
      .replace(/[()]/g, " ")
      .trim(),
  );
}

/** The source texts of a request, numbered as the rows of its table, without the title that opens a document. */
export function sourceRows({ hints }: ProviderRequest): Evidence[] {
  const sources = Array.isArray(hints?.sources) ? hints.sources : [];
  return sources.filter(isObject).map((source, i) => {
    const heading = textField(source, "heading");
    const text = textField(source, "text");
    const titled = heading !== "" && text.startsWith(`${heading}\n`);
    return { id: String(i + 1), heading, text: titled ? text.slice(heading.length) : text };
  });
}
