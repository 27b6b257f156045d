import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import { ANSWER_FORMAT_VERSION } from "../answer-format/index.ts";
import { loopFingerprint } from "./prompts.ts";

/** Fingerprint of a method that stands on the loop: its own parts, the loop's rules, how its answer is read. */
export function agentFingerprint(own: {
  method: string;
  version: number;
  [part: string]: unknown;
}): Fingerprint {
  return fingerprint({ ...own, loop: loopFingerprint, answerFormat: ANSWER_FORMAT_VERSION });
}
