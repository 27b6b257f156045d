import type { Json } from "../../../core/json.ts";
import { isObject, textField } from "../conversation.ts";
import type { OfflineTask } from "../task.ts";
import { contentWords, sentencesOf, stemsOf } from "../words.ts";

const MOST_KEYWORDS = 6;
const SHORT_SENTENCE = 80;
const LONGEST_SUMMARY = 300;
/** Words of the heading count this much beside those that are frequent in the text. */
const HEADING_WEIGHT = 2;
/** What the first sentence has over the others. */
const LEAD_BONUS = 1.25;

/** `node-metadata`: the sentence that holds most of what the text is about, and its most frequent telling words. */
export const nodeMetadata: OfflineTask = ({ hints }) => {
  const [section] = sectionsOf(hints?.sections);
  const { id: _, ...metadata } = section ?? { id: "", summary: "", keywords: [] };
  return { content: JSON.stringify(metadata) };
};

/** `node-metadata-batch`: the same for several sections. */
export const nodeMetadataBatch: OfflineTask = ({ hints }) => ({
  content: JSON.stringify({ sections: sectionsOf(hints?.sections) }),
});

function sectionsOf(sections: Json | undefined) {
  return (Array.isArray(sections) ? sections : []).filter(isObject).map((section) => {
    const title = textField(section, "title");
    const text = textField(section, "text");
    return { id: textField(section, "id"), summary: summaryOf(title, text), keywords: terms(text) };
  });
}

/** The best sentence, and the next best where it is short, in the order of the text. */
function summaryOf(title: string, text: string): string {
  const sentences = sentencesOf(text);
  const weights = stemWeights(title, text);
  const scored = sentences.map((sentence, position) => {
    const stems = new Set(stemsOf(sentence));
    const weight = [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
    const lead = position === 0 ? LEAD_BONUS : 1;
    return { sentence, position, score: (lead * weight) / Math.sqrt(stems.size + 3) };
  });
  const ranked = scored.sort((a, b) => b.score - a.score || a.position - b.position);
  const short = (ranked[0]?.sentence.length ?? 0) < SHORT_SENTENCE;
  const summary = ranked
    .slice(0, short ? 2 : 1)
    .sort((a, b) => a.position - b.position)
    .map(({ sentence }) => sentence.replace(/\s+/g, " "))
    .join(" ");
  return [...summary].slice(0, LONGEST_SUMMARY).join("");
}

function stemWeights(title: string, text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const stem of stemsOf(text)) weights.set(stem, (weights.get(stem) ?? 0) + 1);
  for (const [stem, count] of weights) weights.set(stem, Math.log(1 + count));
  for (const stem of stemsOf(title)) {
    if (weights.has(stem)) weights.set(stem, weights.get(stem)! + HEADING_WEIGHT);
  }
  return weights;
}

/** Frequent words first, longer ones before shorter ones of equal count, since they are rarer elsewhere. */
function terms(text: string): string[] {
  const counts = new Map<string, number>();
  for (const stem of stemsOf(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const seen = new Set<string>();
  return contentWords(text)
    .filter((word) => /\p{L}{3}/u.test(word))
    .map((word, position) => ({ word, position, stem: stemsOf(word)[0] ?? "" }))
    .filter(({ stem }) => stem !== "" && !seen.has(stem) && seen.add(stem))
    .map((term) => ({ ...term, weight: (counts.get(term.stem) ?? 0) * Math.log(term.word.length) }))
    .sort((a, b) => b.weight - a.weight || a.position - b.position)
    .slice(0, MOST_KEYWORDS)
    .map(({ word }) => word);
}
