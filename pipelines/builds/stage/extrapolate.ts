/** A figure with its 95% interval; null ends where too little was seen to tell. */
export interface Estimate {
  value: number;
  low: number | null;
  high: number | null;
}

/** Units measured: `x` their sizes, `y` what each cost. */
export interface Measured {
  x: readonly number[];
  y: readonly number[];
}

/** 97.5% points of Student's t by degrees of freedom, from 1. */
const STUDENT = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048,
  2.045, 2.042,
];
const NORMAL = 1.96;

/**
 * What `count` further units of mean size `meanSize` cost together: the least-squares line through the measured
 * units (their mean, where fewer than three were measured, sizes are equal or the line falls), with the
 * 95% prediction interval of the sum (Student's t; the scatter is taken to be the same for all sizes).
 */
export function extrapolate({ x, y }: Measured, count: number, meanSize: number): Estimate {
  const n = y.length;
  if (count === 0) return { value: 0, low: 0, high: 0 };
  if (n === 0) return { value: 0, low: null, high: null };
  const meanX = mean(x);
  const meanY = mean(y);
  const spread = x.reduce((sum, size) => sum + (size - meanX) ** 2, 0);
  const together = x.reduce((sum, size, i) => sum + (size - meanX) * (y[i]! - meanY), 0);
  const slope = n >= 3 && spread > 0 ? Math.max(0, together / spread) : 0;
  const at = meanY + slope * (meanSize - meanX);
  const value = Math.max(0, count * at);
  const freedom = n - (slope > 0 ? 2 : 1);
  if (freedom < 1) return { value, low: null, high: null };
  const scatter =
    y.reduce((sum, seen, i) => sum + (seen - meanY - slope * (x[i]! - meanX)) ** 2, 0) / freedom;
  const line = 1 / n + (slope > 0 ? (meanSize - meanX) ** 2 / spread : 0);
  const error = Math.sqrt(scatter * (count + count ** 2 * line));
  const reach = (STUDENT[freedom - 1] ?? NORMAL) * error;
  return { value, low: Math.max(0, value - reach), high: value + reach };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
