import type { MethodAnswer, Outcome } from "../../core/method.ts";
import type { StopReason } from "../../core/model.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import { extractAnswer } from "./extract.ts";

export { type ExtractedAnswer, extractAnswer } from "./extract.ts";

/** How a final message must look; the same for every method. Slot: `source_kind` ("Ids of the nodes"). */
export const finalFormatPrompt = loadPrompt(new URL("./prompts/final-format.md", import.meta.url));

/** Raised when the extractor reads the same message differently. Part of every method's fingerprint. */
export const ANSWER_FORMAT_VERSION = 1;

/**
 * Turns a final message into a method's answer. A refusal or a reply cut by the token limit is said to be
 * one whatever text it holds; a message without text is `empty`, never an answered empty string.
 *
 * @param ending the outcome of an answer that is there: `answered`, or why it was forced.
 */
export function readFinalMessage(
  text: string,
  stopReason: StopReason,
  ending: Extract<Outcome, "answered" | "budget_exhausted" | "context_overflow"> = "answered",
  flags: readonly string[] = [],
): MethodAnswer {
  const { answer, reasoning, sources, parsed } = extractAnswer(text);
  const outcome =
    stopReason === "refusal"
      ? "refused"
      : stopReason === "length"
        ? "truncated"
        : answer === ""
          ? "empty"
          : ending;
  const marks = parsed || answer === "" ? flags : [...flags, "unparsedAnswer"];
  return { outcome, answer, reasoning, sources, ...(marks.length > 0 ? { flags: marks } : {}) };
}
