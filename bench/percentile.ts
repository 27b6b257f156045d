/** Value below which the given share (0 to 1) of the values lies, interpolated linearly between neighbours. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new RangeError("percentile of nothing");
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const lower = sorted[below]!;
  const upper = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return lower + (place - below) * (upper - lower);
}
