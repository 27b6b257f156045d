import type { JudgementValue } from "../record.ts";

/** A question's value over its repeats. */
export interface QuestionMean {
  questionId: string;
  /** Mean over the repeats that have a value; null when none has. */
  mean: number | null;
  scored: number;
  repeats: number;
}

/** The number in a judgement: a verdict is 1 or 0, a score itself; `name` picks one of several scores. */
export function numberOf(value: JudgementValue | undefined, name?: string): number | null {
  if (value === undefined || value.kind === "unscored") return null;
  if (value.kind === "verdict") return value.correct ? 1 : 0;
  if (value.kind === "score") return value.score;
  return name === undefined ? null : (value.scores[name] ?? null);
}

/**
 * Averages repeats within each question before anything else is computed: questions are independent, repeats of one
 * question are not, so a table's n is its number of questions. In the order of first appearance.
 */
export function aggregateRepeats(
  rows: Iterable<{ questionId: string; value: number | null }>,
): QuestionMean[] {
  const sums = new Map<string, { sum: number; scored: number; repeats: number }>();
  for (const { questionId, value } of rows) {
    const own = sums.get(questionId) ?? { sum: 0, scored: 0, repeats: 0 };
    own.repeats++;
    if (value !== null) {
      own.sum += value;
      own.scored++;
    }
    sums.set(questionId, own);
  }
  return [...sums].map(([questionId, { sum, scored, repeats }]) => ({
    questionId,
    mean: scored === 0 ? null : sum / scored,
    scored,
    repeats,
  }));
}
