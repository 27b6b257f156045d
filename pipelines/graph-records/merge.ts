/** Stands between the parts of a value that came from several mentions. */
export const SEPARATOR = "<SEP>";

/** The most frequent value; the first of equals. Empty values count only where there are no others. */
export function majority(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== "") counts.set(value, (counts.get(value) ?? 0) + 1);
  let best = "";
  for (const [value, count] of counts) if (best === "" || count > counts.get(best)!) best = value;
  return best;
}

/** The distinct values that are not empty, sorted, in one text. */
export function joinDistinct(values: readonly string[]): string {
  const distinct = [...new Set(values)].filter((value) => value !== "");
  return distinct.sort((a, b) => (a < b ? -1 : 1)).join(SEPARATOR);
}

/** Positions of the chunks that mentions come from, distinct and rising. */
export function unionOfSources(mentions: readonly { source: number }[]): number[] {
  return [...new Set(mentions.map(({ source }) => source))].sort((a, b) => a - b);
}

/** Sums weights by key, keys in the order they were first seen. */
export function sumWeights<K>(
  pairs: readonly { key: K; weight: number }[],
): { key: K; weight: number }[] {
  const sums = new Map<K, number>();
  for (const { key, weight } of pairs) sums.set(key, (sums.get(key) ?? 0) + weight);
  return [...sums].map(([key, weight]) => ({ key, weight }));
}
