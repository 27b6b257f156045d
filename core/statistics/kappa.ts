import { percent } from "./words.ts";

/** Agreement of two raters on the same items, corrected for chance. */
export interface Agreement {
  n: number;
  /** Raw share of equal labels; null without items. */
  agreement: number | null;
  /** Cohen's kappa; null when chance alone would agree always (both raters give one and the same label). */
  kappa: number | null;
  sentence: string;
}

/** Cohen (1960), unweighted, any number of labels. */
export function cohensKappa(
  pairs: Iterable<readonly [string | boolean, string | boolean]>,
): Agreement {
  const first = new Map<string, number>();
  const second = new Map<string, number>();
  let n = 0;
  let equal = 0;
  for (const [a, b] of pairs) {
    n++;
    if (a === b) equal++;
    first.set(String(a), (first.get(String(a)) ?? 0) + 1);
    second.set(String(b), (second.get(String(b)) ?? 0) + 1);
  }
  if (n === 0) return { n, agreement: null, kappa: null, sentence: "no item was rated by both" };
  const agreement = equal / n;
  // Whole numbers as long as possible, so that full chance agreement is recognised exactly.
  const chance = [...first].reduce(
    (sum, [label, count]) => sum + count * (second.get(label) ?? 0),
    0,
  );
  const kappa = chance === n * n ? null : (equal * n - chance) / (n * n - chance);
  const told =
    kappa === null
      ? "kappa undefined: both always say the same"
      : `Cohen's kappa ${kappa.toFixed(2)}`;
  return {
    n,
    agreement,
    kappa,
    sentence: `${percent(agreement)} agreement on ${n} items, ${told}`,
  };
}
