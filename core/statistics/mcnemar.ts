import { wilson } from "./wilson.ts";
import { percent, points, pValue } from "./words.ts";

/** Two methods on the same questions: who was right where. */
export interface PairedAccuracy {
  /** Questions that both could be scored on. */
  n: number;
  bothRight: number;
  onlyBase: number;
  onlyNew: number;
  bothWrong: number;
  /** Share right with the new one minus share right with the base; null without questions. */
  difference: number | null;
  /** Two-sided exact McNemar p; 1 without a discordant question. */
  p: number;
  sentence: string;
}

/**
 * Exact McNemar test of paired verdicts.
 *
 * @param pairs [base right?, new right?] per question.
 */
export function pairedAccuracy(
  pairs: Iterable<readonly [boolean, boolean]>,
  names: { base: string; new: string } = { base: "base", new: "new" },
): PairedAccuracy {
  let [bothRight, onlyBase, onlyNew, bothWrong] = [0, 0, 0, 0];
  for (const [base, next] of pairs) {
    if (base && next) bothRight++;
    else if (base) onlyBase++;
    else if (next) onlyNew++;
    else bothWrong++;
  }
  const n = bothRight + onlyBase + onlyNew + bothWrong;
  const p = exactMcNemar(onlyBase, onlyNew);
  const difference = n === 0 ? null : (onlyNew - onlyBase) / n;
  const counts = { n, bothRight, onlyBase, onlyNew, bothWrong, difference, p };
  return { ...counts, sentence: sentenceOf(counts, names) };
}

/** Two-sided exact p of b against c discordant pairs: twice the smaller binomial tail at 1/2, at most 1. */
export function exactMcNemar(b: number, c: number): number {
  const n = b + c;
  const logHalf = -n * Math.LN2;
  let logChoose = 0;
  let tail = 0;
  for (let k = 0; k <= Math.min(b, c); k++) {
    if (k > 0) logChoose += Math.log((n - k + 1) / k);
    tail += Math.exp(logChoose + logHalf);
  }
  return Math.min(1, 2 * tail);
}

function sentenceOf(
  { n, bothRight, onlyBase, onlyNew, difference, p }: Omit<PairedAccuracy, "sentence">,
  names: { base: string; new: string },
): string {
  if (difference === null) return `no question was scored for both ${names.base} and ${names.new}`;
  const base = wilson(bothRight + onlyBase, n).estimate;
  const next = wilson(bothRight + onlyNew, n).estimate;
  const shares = `${names.new} ${percent(next)} against ${names.base} ${percent(base)} on ${n} questions`;
  if (onlyBase + onlyNew === 0) return `no difference: ${shares}, the same ones right`;
  const verdict = p >= 0.05 ? "no difference shown" : difference > 0 ? "better" : "worse";
  return `${verdict}: ${shares} (${points(difference)}; ${onlyNew} only with ${names.new}, ${onlyBase} only with ${names.base}; exact McNemar ${pValue(p)})`;
}
