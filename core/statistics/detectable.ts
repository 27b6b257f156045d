import { normalQuantile } from "./normal.ts";
import { percent, points } from "./words.ts";

/** The smallest true difference that a comparison of this size would show most of the time. */
export interface Detectable {
  n: number;
  /** In the unit of the values; a fraction for accuracies. Null where no difference at all could be shown. */
  difference: number | null;
  level: number;
  power: number;
  sentence: string;
}

const LEVEL = 0.05;
const POWER = 0.8;

/**
 * Minimum detectable difference of two paired accuracies (Connor 1987): solves
 * `d sqrt(n) = z(1 - level/2) sqrt(psi) + z(power) sqrt(psi - d^2)`, psi = share of questions on which the two
 * disagree (at least d itself).
 *
 * @param disagreement observed share of discordant questions.
 */
export function detectableAccuracy(
  n: number,
  disagreement: number,
  level = LEVEL,
  power = POWER,
): Detectable {
  const zLevel = normalQuantile(1 - level / 2);
  const zPower = normalQuantile(power);
  const excess = (d: number): number => {
    const psi = Math.max(disagreement, d);
    return d * Math.sqrt(n) - zLevel * Math.sqrt(psi) - zPower * Math.sqrt(psi - d * d);
  };
  const difference = excess(1) < 0 ? null : root(excess);
  const sentence =
    difference === null
      ? `${n} questions are too few to show any difference`
      : `with ${n} questions and ${percent(disagreement)} of them answered differently, a true difference of ${points(difference).replace("+", "")} would be shown ${percent(power, 0)} of the time`;
  return { n, difference, level, power, sentence };
}

/** Minimum detectable mean of paired differences with the given standard deviation. */
export function detectableMean(
  n: number,
  standardDeviation: number,
  level = LEVEL,
  power = POWER,
): Detectable {
  const z = normalQuantile(1 - level / 2) + normalQuantile(power);
  const difference = n === 0 ? null : (z * standardDeviation) / Math.sqrt(n);
  const sentence =
    difference === null
      ? "no questions, so no difference could be shown"
      : `with ${n} questions, a true mean difference of ${difference.toPrecision(3)} would be shown ${percent(power, 0)} of the time`;
  return { n, difference, level, power, sentence };
}

/** Zero of a function that is negative near 0 and not negative at 1, by bisection to the last bit. */
function root(f: (x: number) => number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}
