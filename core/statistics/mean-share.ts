import { bootstrapMean } from "./bootstrap.ts";
import { wilson } from "./wilson.ts";

/** A mean of shares with its 95% interval; everything is null without values. */
export interface MeanShare {
  n: number;
  mean: number | null;
  low: number | null;
  high: number | null;
}

const RESAMPLES = 2000;

/**
 * Mean over questions of a share from 0 to 1, such as recall. The bootstrap knows no uncertainty where all values are
 * 0 or all are 1; there the Wilson interval of n of n (or none) is given, which never has width 0.
 */
export function meanShare(shares: readonly number[]): MeanShare {
  const n = shares.length;
  if (n > 0 && (shares.every((share) => share === 0) || shares.every((share) => share === 1))) {
    const { estimate, low, high } = wilson(shares[0]! * n, n);
    return { n, mean: estimate, low, high };
  }
  const { mean, low, high } = bootstrapMean(shares, { resamples: RESAMPLES });
  return { n, mean, low, high };
}
