import type { Json } from "../../core/json.ts";
import { resultItems, textField } from "./conversation.ts";
import type { Evidence } from "./extract.ts";
import { contentWords, stemsOf } from "./words.ts";

/** The passages that searches over chunks have returned. */
export function passagesOf(searches: readonly { result: Json }[]): Evidence[] {
  return searches.flatMap(({ result }) =>
    resultItems(result, "passages").map((item) => ({
      id: textField(item, "id"),
      heading: textField(item, "title"),
      text: textField(item, "text"),
    })),
  );
}

/** The question's words that no passage holds; all its content words where every one was seen. */
export function missingWords(question: string, evidence: readonly Evidence[]): string {
  const seen = new Set(evidence.flatMap(({ heading, text }) => stemsOf(`${heading} ${text}`)));
  const words = contentWords(question);
  const missing = words.filter((word) => stemsOf(word).some((stem) => !seen.has(stem)));
  return (missing.length > 0 ? missing : words).join(" ");
}
