import { extractAnswerFrom } from "../extract.ts";
import { extractiveAnswer, type OfflineTask } from "../task.ts";
import { contentWords } from "../words.ts";
import { phrasesOf, sentencesToRecord, sourceRows } from "./graph-phrases.ts";

const END = "<|COMPLETE|>";
const MOST_KEYS = 8;
const MOST_KEYWORDS = 8;

/** `cog-rag.theme`: the first sentence, and the names that stand in most sentences. */
export const cogTheme: OfflineTask = (request) => {
  const sentences = sentencesToRecord(request);
  const mentions = new Map<string, { count: number; sentence: string; type: string }>();
  for (const sentence of sentences) {
    for (const { name, type } of phrasesOf(sentence)) {
      const known = mentions.get(name) ?? { count: 0, sentence, type };
      mentions.set(name, { ...known, count: known.count + 1 });
    }
  }
  const keys = [...mentions].sort(([, a], [, b]) => b.count - a.count).slice(0, MOST_KEYS);
  const records = [
    ...sentences.slice(0, 1).map((sentence) => `("theme" | ${sentence})`),
    ...keys.map(
      ([name, { type, sentence }]) => `("key_entity" | ${name} | ${type} | ${sentence} | 70)`,
    ),
  ];
  return { content: [...records, END].join("\n") };
};

/** `cog-rag.entities`: names and figures; those of one sentence make up a link or a group. */
export const cogEntities: OfflineTask = (request) => {
  const records = sentencesToRecord(request).flatMap((sentence) => {
    const phrases = phrasesOf(sentence);
    const names = phrases.map(({ name }) => name).join(" | ");
    const keywords = contentWords(sentence).slice(0, 5).join(", ");
    return [
      ...phrases.map(({ name, type }) => `("Entity" | ${name} | ${type} | ${sentence})`),
      ...(phrases.length === 2
        ? [`("Low-order Hyperedge" | ${names} | ${sentence} | ${keywords} | 0.7)`]
        : []),
      ...(phrases.length > 2
        ? [`("High-order Hyperedge" | ${names} | ${sentence} | one statement | ${keywords} | 0.8)`]
        : []),
    ];
  });
  return { content: [...records, END].join("\n") };
};

/** `cog-rag.theme-keywords`: the question's content words. */
export const cogThemeKeywords: OfflineTask = ({ hints }) =>
  keywords("theme_keywords", contentWords(String(hints?.question ?? "")));

/** `cog-rag.draft`: the best sentences of the source texts, as prose. */
export const cogDraft: OfflineTask = (request) => {
  const { answer } = extractAnswerFrom(String(request.hints?.question ?? ""), sourceRows(request));
  return { content: answer || "The tables do not answer this question." };
};

/** `cog-rag.entity-keywords`: names and figures of the question, then of the draft. */
export const cogEntityKeywords: OfflineTask = ({ hints }) => {
  const phrases = [hints?.question, hints?.draft].flatMap((text) => phrasesOf(String(text ?? "")));
  return keywords("entity_keywords", [...new Set(phrases.map(({ name }) => name))]);
};

/** `cog-rag.answer`: the best sentences of the source texts; of the draft where there are none. */
export const cogAnswer: OfflineTask = (request) => {
  const rows = sourceRows(request);
  const draft = { id: "draft", heading: "", text: String(request.hints?.draft ?? "") };
  return extractiveAnswer(String(request.hints?.question ?? ""), rows.length > 0 ? rows : [draft]);
};

function keywords(key: string, words: readonly string[]) {
  return { content: JSON.stringify({ [key]: words.slice(0, MOST_KEYWORDS) }) };
}
