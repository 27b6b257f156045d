import type { PairedAccuracy } from "../../core/statistics/mcnemar.ts";
import { normalQuantile } from "../../core/statistics/normal.ts";

/**
 * Interval of a difference of paired shares (Agresti and Min 2005: half an observation added to each cell of the
 * two-by-two table, then Wald). Unlike the plain Wald interval it has a width where no question changed sides.
 *
 * @param oneSided level of each bound taken alone: 0.05 gives the bounds of a 90% interval.
 */
export function pairedBounds(
  { n, onlyBase, onlyNew }: Pick<PairedAccuracy, "n" | "onlyBase" | "onlyNew">,
  oneSided: number,
): { low: number; high: number } {
  const [lost, won, total] = [onlyBase + 0.5, onlyNew + 0.5, n + 2];
  const difference = (won - lost) / total;
  const error = Math.sqrt((won + lost - (won - lost) ** 2 / total) / total ** 2);
  const reach = normalQuantile(1 - oneSided) * error;
  return { low: Math.max(-1, difference - reach), high: Math.min(1, difference + reach) };
}

/** About how many questions show that nothing beyond `margin` was lost, where a share `disagreement` changes sides. */
export function questionsNeeded(disagreement: number, margin: number, oneSided: number): number {
  return Math.ceil((normalQuantile(1 - oneSided) ** 2 * disagreement) / margin ** 2);
}
