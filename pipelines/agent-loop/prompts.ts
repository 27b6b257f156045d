import { fingerprint } from "../../core/fingerprint.ts";
import { loadPrompt } from "../../core/prompt-file.ts";

const load = (name: string) => loadPrompt(new URL(`./prompts/${name}.md`, import.meta.url));

/** Everything the loop itself says to a model, tool errors aside. */
export const loopPrompts = {
  usage: load("context-usage"),
  warning: load("context-warning"),
  readReminder: load("read-reminder"),
  finaliseBudget: load("finalise-budget"),
  finaliseContext: load("finalise-context"),
};

/** Raised when the loop's rules or its tool errors change. */
const LOOP_VERSION = 1;

/** Part of the fingerprint of every method that stands on the loop. */
export const loopFingerprint = fingerprint({
  version: LOOP_VERSION,
  prompts: Object.values(loopPrompts).map((prompt) => prompt.hash),
});
