import type { JudgementValue } from "../../core/record.ts";

/**
 * `majority`: a verdict needs more than half of all seats, unscored ones included. `unanimity`: correct when every
 * seat says so, wrong when one says wrong, unscored when a seat has no verdict and none says wrong.
 */
export type PanelRule = "majority" | "unanimity";

/** One verdict from several. */
export function combineVerdicts(
  values: readonly (JudgementValue | undefined)[],
  rule: PanelRule,
): JudgementValue {
  const votes = values.flatMap((value) => (value?.kind === "verdict" ? [value.correct] : []));
  const right = votes.filter(Boolean).length;
  const wrong = votes.length - right;
  if (rule === "unanimity") {
    if (wrong > 0) return { kind: "verdict", correct: false };
    if (right === values.length && right > 0) return { kind: "verdict", correct: true };
  } else {
    if (right > values.length / 2) return { kind: "verdict", correct: true };
    if (wrong > values.length / 2) return { kind: "verdict", correct: false };
  }
  const reasons = values.map((value) => (value?.kind === "unscored" ? value.reason : undefined));
  const first = reasons[0];
  // Seats that all had the same reason (no gold, no answer) pass it on.
  return first !== undefined && reasons.every((reason) => reason === first)
    ? { kind: "unscored", reason: first }
    : { kind: "unscored", reason: "disagreement" };
}
