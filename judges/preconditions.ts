import type { JudgeResult } from "../core/judge.ts";
import type { Question } from "../core/question.ts";
import type { RunRecord } from "../core/record.ts";

/** The result of a question that was never answered because something broke: neither right nor wrong. */
export function unanswered(record: RunRecord): JudgeResult | undefined {
  return record.outcome === "error"
    ? { value: { kind: "unscored", reason: "no_answer" }, details: { outcome: record.outcome } }
    : undefined;
}

/**
 * The result that needs no judging: broken questions and missing golds are unscored; a method that ended by itself
 * without answer text (empty, refused, out of budget or context) is wrong, and no judge is paid to say so.
 */
export function settled(question: Question, record: RunRecord): JudgeResult | undefined {
  const broken = unanswered(record);
  if (broken !== undefined) return broken;
  if (question.goldAnswers.length === 0) return { value: { kind: "unscored", reason: "no_gold" } };
  if (record.answer.trim() !== "") return undefined;
  return {
    value: { kind: "verdict", correct: false },
    details: { rule: "no answer text", outcome: record.outcome },
  };
}
