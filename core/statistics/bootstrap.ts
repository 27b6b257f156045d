import { normalCdf, normalQuantile } from "./normal.ts";
import { type Random, seededRandom } from "./random.ts";
import { pValue, signed } from "./words.ts";

/** A mean with its bootstrap interval. */
export interface MeanEstimate {
  n: number;
  /** Null without values. */
  mean: number | null;
  low: number | null;
  high: number | null;
  confidence: number;
  resamples: number;
  seed: number;
  sentence: string;
}

/** A mean of paired differences (new minus base) with its bootstrap interval and p. */
export interface MeanDifference extends MeanEstimate {
  /** Two-sided; 1 when no pair differs. */
  p: number;
}

export interface BootstrapOptions {
  confidence?: number;
  resamples?: number;
  seed?: number;
  /** Decimals and unit of the sentence: `{ digits: 3, unit: "USD" }`. */
  digits?: number;
  unit?: string;
}

const DEFAULTS = { confidence: 0.95, resamples: 10_000, seed: 20_260_101, digits: 3, unit: "" };

/**
 * Mean over questions with a BCa bootstrap interval (Efron 1987). BCa, because cost and latency are skewed: the plain
 * percentile interval is shifted to one side there. The seed makes it repeatable.
 */
export function bootstrapMean(
  values: readonly number[],
  options: BootstrapOptions = {},
): MeanEstimate {
  const { confidence, resamples, seed, digits, unit } = { ...DEFAULTS, ...options };
  const n = values.length;
  const base = { n, confidence, resamples, seed };
  if (n === 0) return { ...base, mean: null, low: null, high: null, sentence: "no values" };
  const mean = meanOf(values);
  const [low, high] = bcaInterval(
    values,
    mean,
    resampledMeans(values, resamples, seed),
    confidence,
  );
  const level = Math.round(confidence * 100);
  const measured = `${mean.toFixed(digits)}${suffix(unit)}`;
  const sentence = `${measured} (n ${n}; ${level}% interval ${low.toFixed(digits)} to ${high.toFixed(digits)}, BCa bootstrap)`;
  return { ...base, mean, low, high, sentence };
}

/**
 * Mean of `next - base` over questions. The p is that of the percentile bootstrap: twice the smaller share of
 * resampled means on either side of 0, one added to count and total.
 */
export function pairedBootstrap(
  pairs: readonly (readonly [base: number, next: number])[],
  options: BootstrapOptions = {},
): MeanDifference {
  const { confidence, resamples, seed, digits, unit } = { ...DEFAULTS, ...options };
  const differences = pairs.map(([base, next]) => next - base);
  const n = differences.length;
  const base = { n, confidence, resamples, seed };
  if (n === 0) {
    return {
      ...base,
      mean: null,
      low: null,
      high: null,
      p: 1,
      sentence: "no question has a value on both sides",
    };
  }
  const mean = meanOf(differences);
  if (differences.every((difference) => difference === 0)) {
    const sentence = `no difference: the ${n} questions have the same values on both sides`;
    return { ...base, mean: 0, low: 0, high: 0, p: 1, sentence };
  }
  const means = resampledMeans(differences, resamples, seed);
  const [low, high] = bcaInterval(differences, mean, means, confidence);
  const below = means.filter((value) => value <= 0).length;
  const above = means.filter((value) => value >= 0).length;
  const p = Math.min(1, (2 * (Math.min(below, above) + 1)) / (resamples + 1));
  const shown = low > 0 ? "higher" : high < 0 ? "lower" : "no difference shown";
  const level = Math.round(confidence * 100);
  const sentence = `${shown}: mean difference ${signed(mean, digits)}${suffix(unit)} over ${n} questions (${level}% interval ${signed(low, digits)} to ${signed(high, digits)}, BCa bootstrap; ${pValue(p)})`;
  return { ...base, mean, low, high, p, sentence };
}

/** Means of samples drawn with replacement, ascending. */
function resampledMeans(values: readonly number[], resamples: number, seed: number): Float64Array {
  const random: Random = seededRandom(seed);
  const n = values.length;
  const data = Float64Array.from(values);
  const means = new Float64Array(resamples);
  for (let r = 0; r < resamples; r++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += data[random.below(n)]!;
    means[r] = sum / n;
  }
  return means.sort();
}

function bcaInterval(
  values: readonly number[],
  mean: number,
  means: Float64Array,
  confidence: number,
): [number, number] {
  if (means[0] === means.at(-1)) return [mean, mean];
  const total = means.length;
  // Ties at the estimate count half, as the estimate of a lattice statistic falls on them often.
  const below = means.filter((value) => value < mean).length;
  const ties = means.filter((value) => value === mean).length;
  const share = Math.min(Math.max((below + ties / 2) / total, 0.5 / total), 1 - 0.5 / total);
  const bias = normalQuantile(share);
  const acceleration = accelerationOf(values, mean);
  const end = (p: number): number => {
    const z = bias + normalQuantile(p);
    const stretch = 1 - acceleration * z;
    // Beyond the pole of the correction lies the end of the distribution.
    if (stretch <= 0) return quantile(means, z > 0 ? 1 : 0);
    return quantile(means, normalCdf(bias + z / stretch));
  };
  const alpha = (1 - confidence) / 2;
  return [end(alpha), end(1 - alpha)];
}

/** Jackknife skewness of the mean; leaving one value out moves the mean in proportion to its deviation. */
function accelerationOf(values: readonly number[], mean: number): number {
  let squares = 0;
  let cubes = 0;
  for (const value of values) {
    const deviation = value - mean;
    squares += deviation ** 2;
    cubes += deviation ** 3;
  }
  // Values that differ in their last bits can vanish when squared.
  const scale = 6 * squares ** 1.5;
  return scale === 0 ? 0 : cubes / scale;
}

/** Quantile by linear interpolation between order statistics. */
function quantile(sorted: Float64Array, p: number): number {
  const position = Math.min(Math.max(p, 0), 1) * (sorted.length - 1);
  const lower = Math.floor(position);
  const upper = Math.min(lower + 1, sorted.length - 1);
  return sorted[lower]! + (sorted[upper]! - sorted[lower]!) * (position - lower);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function suffix(unit: string): string {
  return unit === "" ? "" : ` ${unit}`;
}
