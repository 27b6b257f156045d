import { stringify } from "csv-stringify/sync";

/** One row of a table of a prompt, without its number. */
export type TableRow = readonly (string | number)[];

/** Rows of several origins in one list: the first of identical rows stays. */
export function distinctRows(...origins: readonly (readonly TableRow[])[]): TableRow[] {
  const rows = new Map(origins.flat().map((row) => [JSON.stringify(row), row]));
  return [...rows.values()];
}

/** A titled CSV block; rows are numbered from 1 in a first column `id`. */
export function csvBlock(
  title: string,
  columns: readonly string[],
  rows: readonly TableRow[],
): string {
  const csv = stringify([["id", ...columns], ...rows.map((row, i) => [i + 1, ...row])]);
  return `### ${title}\n\`\`\`csv\n${csv.trimEnd()}\n\`\`\``;
}
