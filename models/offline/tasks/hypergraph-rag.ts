import { extractiveAnswer, type OfflineTask } from "../task.ts";
import { type Phrase, phrasesOf, sentencesToRecord, sourceRows } from "./graph-phrases.ts";

const END = "<|COMPLETE|>";

/** `hypergraph-rag.extract` and `.query`: a record for every sentence, and one for each name and figure in it. */
export const hypergraphExtract: OfflineTask = (request) => {
  const records = sentencesToRecord(request).flatMap((sentence) => [
    `("hyper-relation"<|>${sentence}<|>8)`,
    ...phrasesOf(sentence).map((phrase) => entityRecord(phrase, sentence)),
  ]);
  return { content: `${records.join("##\n")}\n${END}` };
};

function entityRecord({ name, type }: Phrase, sentence: string): string {
  return `("entity"<|>${name}<|>${type}<|>${sentence}<|>${type === "name" ? 80 : 50})`;
}

/** `hypergraph-rag.glean`: the rule finds everything at once. */
export const hypergraphGlean: OfflineTask = () => ({ content: END });

/** `hypergraph-rag.more` */
export const hypergraphMore: OfflineTask = () => ({ content: "NO" });

/** `hypergraph-rag.answer`: the best sentences of the source texts. */
export const hypergraphAnswer: OfflineTask = (request) =>
  extractiveAnswer(String(request.hints?.question ?? ""), sourceRows(request));
