import { isObject, textField } from "../conversation.ts";
import type { OfflineTask } from "../task.ts";
import { stemsOf } from "../words.ts";

/** Share of a gold's words from which an answer counts as right. */
const ENOUGH_SHARED = 0.5;

/** `judge.binary`: True when the answer holds half of the words of one of the golds. */
export const judgeBinary: OfflineTask = ({ hints }) => {
  const golds = Array.isArray(hints?.goldAnswers) ? hints.goldAnswers : [];
  const answer = answerOf(hints);
  const best = Math.max(0, ...golds.map((gold) => shareHeld(String(gold), answer)));
  return { content: best >= ENOUGH_SHARED ? "True" : "False" };
};

/** `judge.nugget`: True when the answer holds half of the nugget's words. */
export const judgeNugget: OfflineTask = ({ hints }) => {
  const share = shareHeld(isObject(hints) ? textField(hints, "nugget") : "", answerOf(hints));
  return { content: share >= ENOUGH_SHARED ? "True" : "False" };
};

/** `judge.g-e`: the share of the best gold's words in tenths, the same for every dimension. */
export const judgeGe: OfflineTask = ({ hints }) => {
  const golds = Array.isArray(hints?.goldAnswers) ? hints.goldAnswers : [];
  const answer = answerOf(hints);
  const best = Math.max(0, ...golds.map((gold) => shareHeld(String(gold), answer)));
  return { content: JSON.stringify({ score: Math.round(10 * best) }) };
};

type Hints = Parameters<OfflineTask>[0]["hints"];

function answerOf(hints: Hints): string {
  return isObject(hints) ? textField(hints, "answer") : "";
}

function shareHeld(gold: string, answer: string): number {
  const words = new Set(stemsOf(gold));
  if (words.size === 0) return gold.trim().toLowerCase() === answer.trim().toLowerCase() ? 1 : 0;
  const held = new Set(stemsOf(answer));
  return [...words].filter((word) => held.has(word)).length / words.size;
}
