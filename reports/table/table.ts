/** A value as stored, or null where there is none (printed as a dash). */
export type CellValue = string | number | boolean | null;

export interface Column {
  /** Key of the row's field and of `--json`. */
  key: string;
  /** Head of the column. */
  label: string;
  /** Head over neighbouring columns that have the same one. */
  group?: string;
  /** Numbers stand right. Default: left. */
  align?: "left" | "right";
  /** How a value is printed; default: as it is. Not called for null. */
  format?: (value: Exclude<CellValue, null>, row: Row) => string;
  /** In a narrow terminal the cell goes on in further lines instead of being cut. */
  wrap?: boolean;
  /** Left out of a terminal that is too narrow, the highest first; absent = never left out. */
  dispensable?: number;
  /** Which value of the column is best, for bold type: the highest or the lowest. */
  best?: "max" | "min";
}

export type Row = { readonly [key: string]: CellValue };

/** One table for the terminal, CSV, Markdown, LaTeX and HTML alike. */
export interface Table {
  title: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** Key of a field: the best values are looked for among rows that have the same value of it. Absent = among all. */
  bestBy?: string;
  /** Sentences below the table: n, models, fingerprints, offline marks. */
  notes: readonly string[];
}

/** Head of a column where it stands alone: `WixQA F1`. */
export function headOf({ group, label }: Column): string {
  return group === undefined ? label : `${group} ${label}`.trim();
}

/** A printed cell; dash for what is not there. */
export function printed(column: Column, row: Row): string {
  const value = row[column.key] ?? null;
  if (value === null) return "–";
  return column.format === undefined ? String(value) : column.format(value, row);
}

/** Whether the row holds the best value of the column in its group; false where there is nothing to be better than. */
export function isBest(table: Table, column: Column, row: Row): boolean {
  if (column.best === undefined) return false;
  const { bestBy } = table;
  const values = table.rows
    .filter((other) => bestBy === undefined || other[bestBy] === row[bestBy])
    .map((other) => other[column.key])
    .filter((value): value is number => typeof value === "number");
  if (new Set(values).size < 2) return false;
  const best = column.best === "max" ? Math.max(...values) : Math.min(...values);
  return row[column.key] === best;
}
