import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge } from "../../core/judge.ts";
import { unanswered } from "../preconditions.ts";
import { bestOverlap, exactMatch, type Overlap, tokenF1, tokenRecall } from "./overlap.ts";

/** Raised when normalisation or a measure changes. */
const VERSION = 1;

/** Scores the answer block against the best gold; the value of the whole final message stands in `details`. */
function createOverlapJudge(name: string, overlap: Overlap): Judge {
  return {
    name,
    fingerprint: fingerprint({ judge: name, version: VERSION }),
    needsModel: false,
    async judge({ goldAnswers }, record) {
      const broken = unanswered(record);
      if (broken !== undefined) return broken;
      const score = bestOverlap(overlap, record.answer, goldAnswers);
      if (score === undefined) return { value: { kind: "unscored", reason: "no_gold" } };
      const message = `${record.reasoning}\n${record.answer}`;
      const fullMessage = bestOverlap(overlap, message, goldAnswers)!;
      return { value: { kind: "score", score }, details: { fullMessage } };
    },
  };
}

export const createTokenRecallJudge = (): Judge => createOverlapJudge("token-recall", tokenRecall);
export const createTokenF1Judge = (): Judge => createOverlapJudge("token-f1", tokenF1);
export const createExactMatchJudge = (): Judge => createOverlapJudge("exact-match", exactMatch);
