import { answerTokens, normalizeAnswer } from "./normalize.ts";

/** Measure of how much an answer and one gold answer share, from 0 to 1. */
export type Overlap = (answer: string, gold: string) => number;

/** Share of the gold's words that the answer holds, as a multiset (Adlakha et al.; notes 9.3). */
export const tokenRecall: Overlap = (answer, gold) => {
  const golden = answerTokens(gold);
  const tokens = answerTokens(answer);
  if (golden.length === 0) return tokens.length === 0 ? 1 : 0;
  return shared(tokens, golden) / golden.length;
};

/** Harmonic mean of word precision and recall (notes 7.7). */
export const tokenF1: Overlap = (answer, gold) => {
  const golden = answerTokens(gold);
  const tokens = answerTokens(answer);
  if (golden.length === 0 || tokens.length === 0) return golden.length === tokens.length ? 1 : 0;
  return (2 * shared(tokens, golden)) / (golden.length + tokens.length);
};

/** 1 when the normalised texts are equal. */
export const exactMatch: Overlap = (answer, gold) =>
  normalizeAnswer(answer) === normalizeAnswer(gold) ? 1 : 0;

/** The measure over several golds: the best one counts. Undefined without a gold. */
export function bestOverlap(
  overlap: Overlap,
  answer: string,
  golds: readonly string[],
): number | undefined {
  return golds.length === 0 ? undefined : Math.max(...golds.map((gold) => overlap(answer, gold)));
}

function shared(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const token of a) left.set(token, (left.get(token) ?? 0) + 1);
  let count = 0;
  for (const token of b) {
    const rest = left.get(token) ?? 0;
    if (rest === 0) continue;
    left.set(token, rest - 1);
    count++;
  }
  return count;
}
