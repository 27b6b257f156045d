/** One comparison of a family with its adjusted p. */
export interface Adjusted {
  p: number;
  /** Holm's step-down p, at least `p`, at most 1. */
  adjusted: number;
  /** Whether it stands at the family's level. */
  significant: boolean;
}

/** A family of comparisons judged together. */
export interface HolmResult {
  level: number;
  comparisons: readonly Adjusted[];
  sentence: string;
}

/** Holm (1979): family-wise error at `level`, whatever the dependence. Results stand in the order given. */
export function holm(ps: readonly number[], level = 0.05): HolmResult {
  const order = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const comparisons: Adjusted[] = new Array(ps.length);
  let running = 0;
  order.forEach(({ p, index }, rank) => {
    running = Math.max(running, Math.min(1, p * (ps.length - rank)));
    comparisons[index] = { p, adjusted: running, significant: running < level };
  });
  const standing = comparisons.filter(({ significant }) => significant).length;
  const sentence = `${standing} of ${ps.length} differences stand at ${level} after Holm's correction`;
  return { level, comparisons, sentence };
}
