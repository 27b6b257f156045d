import type { OfflineTask } from "../task.ts";

/** Longest summary in characters. */
const MOST_CHARACTERS = 1200;

/** `graph.summarise`: the joined statements one after the other, as many as find room. */
export const graphSummarise: OfflineTask = ({ hints }) => {
  const statements = String(hints?.statements ?? "").split("<SEP>");
  let summary = statements[0]!.slice(0, MOST_CHARACTERS);
  for (const statement of statements.slice(1)) {
    if (summary.length + statement.length >= MOST_CHARACTERS) break;
    summary += ` ${statement}`;
  }
  return { content: summary.trim() || "Nothing is said." };
};
