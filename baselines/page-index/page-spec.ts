/** `[from, to]`, both included. */
export type PageRange = readonly [from: number, to: number];

/**
 * Reads `5`, `3,8`, `5-7`, `1-3,7` (blanks allowed); undefined for anything else, a backward range included.
 */
export function parsePageSpec(spec: string): PageRange[] | undefined {
  const ranges: PageRange[] = [];
  for (const part of spec.split(",")) {
    const match = /^\s*(\d{1,9})(?:\s*-\s*(\d{1,9}))?\s*$/.exec(part);
    if (match === null) return undefined;
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (to < from) return undefined;
    ranges.push([from, to]);
  }
  return ranges;
}

/** How many numbers the ranges name, repeats not counted twice. */
export function countPages(ranges: readonly PageRange[]): number {
  let count = 0;
  let last = -1;
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (to <= last) continue;
    count += to - Math.max(from, last + 1) + 1;
    last = to;
  }
  return count;
}

/** `4-6,9` of rising numbers. */
export function formatPageSpec(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const run = runs.at(-1);
    if (run !== undefined && number === run[1] + 1) run[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}
