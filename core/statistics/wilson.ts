import { normalQuantile } from "./normal.ts";
import { percent } from "./words.ts";

/** A share of n trials with its score interval (Wilson 1927). `estimate`, `low`, `high` are null without trials. */
export interface Proportion {
  successes: number;
  n: number;
  estimate: number | null;
  low: number | null;
  high: number | null;
  /** 0.95 unless asked otherwise. */
  confidence: number;
  sentence: string;
}

/**
 * Wilson score interval without continuity correction; never of width 0 at 0/n and n/n.
 *
 * @example wilson(8, 10) // 0.8, [0.490, 0.943]
 * @throws RangeError for counts that are no counts.
 */
export function wilson(successes: number, n: number, confidence = 0.95): Proportion {
  if (!Number.isInteger(successes) || !Number.isInteger(n) || successes < 0 || successes > n) {
    throw new RangeError(`${successes} of ${n} is not a share`);
  }
  const base = { successes, n, confidence };
  if (n === 0)
    return {
      ...base,
      estimate: null,
      low: null,
      high: null,
      sentence: "0 of 0: no share to estimate",
    };
  const { estimate, low, high } = scoreInterval(successes, n, confidence);
  const level = percent(confidence, 0);
  return {
    ...base,
    estimate,
    low,
    high,
    sentence: `${percent(estimate)} (${successes} of ${n}; ${level} interval ${percent(low)} to ${percent(high)}, Wilson)`,
  };
}

/**
 * The interval alone, for n > 0. Successes may be a sum of shares (a question right in one of two repeats counts
 * half): averaging within a question only narrows the truth, so the interval errs on the wide side.
 */
export function scoreInterval(
  successes: number,
  n: number,
  confidence: number,
): { estimate: number; low: number; high: number } {
  const z = normalQuantile(0.5 + confidence / 2);
  const estimate = successes / n;
  const spread = (z * z) / n;
  const centre = (estimate + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((estimate * (1 - estimate) + spread / 4) / n)) / (1 + spread);
  return {
    estimate,
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === n ? 1 : Math.min(1, centre + half),
  };
}
