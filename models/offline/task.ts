import type { Json } from "../../core/json.ts";
import type { ProviderRequest } from "../provider.ts";
import { type Evidence, extractAnswerFrom } from "./extract.ts";

/** What a task's rule says. */
export interface OfflineReply {
  content: string;
  toolCalls?: readonly { name: string; arguments: Json }[];
}

/** The rule that serves one prompt task. Pure: equal requests get equal replies. */
export type OfflineTask = (request: ProviderRequest) => OfflineReply;

/** Below this share of the question's words, a passage is taken not to answer it. */
export const ENOUGH_COVERAGE = 0.34;

/** A final message in the common format with the best sentences of the evidence, or saying that there are none. */
export function extractiveAnswer(question: string, evidence: readonly Evidence[]): OfflineReply {
  const { answer, sources, coverage } = extractAnswerFrom(question, evidence);
  if (coverage < ENOUGH_COVERAGE) {
    return finalMessage(
      "No passage that was read shares enough words with the question.",
      "The documents that were read do not answer this question.",
      [],
    );
  }
  const share = Math.round(coverage * 100);
  return finalMessage(`The best sentence covers ${share}% of the question.`, answer, sources);
}

function finalMessage(reasoning: string, answer: string, sources: readonly string[]): OfflineReply {
  return {
    content: [
      `<reasoning>${reasoning}</reasoning>`,
      `<answer>${withoutTags(answer)}</answer>`,
      `<sources>${sources.join(", ")}</sources>`,
    ].join("\n"),
  };
}

/** Text of documents must not close the block it stands in. */
function withoutTags(text: string): string {
  return text.replace(/<(\/?(?:answer|reasoning|sources))>/gi, "‹$1›");
}

/** A turn that calls one tool, with the reasoning block that agents are asked for. */
export function toolTurn(reasoning: string, name: string, args: Json): OfflineReply {
  return {
    content: `<reasoning>${reasoning}</reasoning>`,
    toolCalls: [{ name, arguments: args }],
  };
}
