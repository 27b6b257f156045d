import { seededRandom } from "./random.ts";

/** A number made of several means over the same questions, with a percentile bootstrap interval. */
export interface StatisticEstimate {
  n: number;
  /** Null without questions, or where the statistic has no value. */
  value: number | null;
  low: number | null;
  high: number | null;
}

/**
 * Interval of a function of means, such as the F1 of mean precision and mean recall, or a ratio of two means: whole
 * questions are drawn with replacement, so the measures of one question stay together.
 *
 * @param rows one row of measures per question, all of the same length.
 * @param statistic from the means of the measures; null = no value, such resamples are left out.
 */
export function bootstrapOfMeans(
  rows: readonly (readonly number[])[],
  statistic: (means: readonly number[]) => number | null,
  { confidence = 0.95, resamples = 10_000, seed = 20_260_101 } = {},
): StatisticEstimate {
  const n = rows.length;
  if (n === 0) return { n, value: null, low: null, high: null };
  const width = rows[0]!.length;
  const random = seededRandom(seed);
  const meansOf = (pick: (i: number) => number): number[] => {
    const sums = new Array<number>(width).fill(0);
    for (let i = 0; i < n; i++) {
      const row = rows[pick(i)]!;
      for (let m = 0; m < width; m++) sums[m]! += row[m]!;
    }
    return sums.map((sum) => sum / n);
  };
  const value = statistic(meansOf((i) => i));
  if (value === null) return { n, value, low: null, high: null };
  const drawn: number[] = [];
  for (let r = 0; r < resamples; r++) {
    const resampled = statistic(meansOf(() => random.below(n)));
    if (resampled !== null) drawn.push(resampled);
  }
  drawn.sort((a, b) => a - b);
  const at = (p: number): number => drawn[Math.round(p * (drawn.length - 1))] ?? value;
  const alpha = (1 - confidence) / 2;
  return { n, value, low: at(alpha), high: at(1 - alpha) };
}
