import type { Judgement, UnscoredReason } from "../../core/record.ts";

/** Counts of one judge's pass. */
export interface Tally {
  readonly unscored: { readonly [reason in UnscoredReason]?: number };
  /** Null = a price is unknown. */
  costUsd(): number | null;
  /** Whether a verdict was among the values. */
  hasVerdicts(): boolean;
  add(value: Judgement["value"], cost: number | null): void;
}

export function createTally(): Tally {
  const unscored: { [reason in UnscoredReason]?: number } = {};
  let costUsd: number | null = 0;
  let verdicts = false;
  return {
    unscored,
    hasVerdicts: () => verdicts,
    costUsd: () => costUsd,
    add(value: Judgement["value"], cost: number | null) {
      if (value.kind === "verdict") verdicts = true;
      costUsd = costUsd === null || cost === null ? null : costUsd + cost;
      if (value.kind === "unscored") unscored[value.reason] = (unscored[value.reason] ?? 0) + 1;
    },
  };
}
