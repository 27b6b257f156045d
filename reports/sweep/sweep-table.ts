import { decimals, dollars, integer, percent } from "../table/format.ts";
import type { Column, Row, Table } from "../table/table.ts";

/** One point of a sweep on one data set (and method): fractions, tokens, US dollars; null where there is none. */
export interface SweepRow {
  /** `n=25, k=5`. */
  point: string;
  values: { readonly [parameter: string]: string | number | boolean };
  dataset: string;
  /** Absent for measurements without a method (rankings). */
  method?: string;
  run?: string;
  n: number;
  measures: { readonly [measure: string]: number | null };
  /** 95% interval of a measure. */
  intervals: { readonly [measure: string]: { low: number | null; high: number | null } };
  /** Index parts and builds that this point had to make; 0 = everything was there. */
  built: number;
}

const MEASURES: { readonly [measure: string]: { label: string; format: Column["format"] } } = {
  accuracy: { label: "Accuracy", format: percent },
  f1OfMeans: { label: "F1", format: percent },
  tokenRecall: { label: "Tok. rec.", format: percent },
  shownRecall: { label: "Sub-forest recall", format: percent },
  shownTokens: { label: "Tokens shown", format: integer },
  shownNodes: { label: "Nodes shown", format: decimals(1) },
  precision: { label: "Precision@k", format: percent },
  recall: { label: "Recall@k", format: percent },
  ndcg: { label: "nDCG@k", format: decimals(3) },
  toolCalls: { label: "Calls", format: decimals(2) },
  inputTokens: { label: "Tokens in", format: integer },
  costUsd: { label: "Cost", format: dollars },
  costAtHaikuUsd: { label: "Haiku $*", format: dollars },
};

/** A line per point, data set and method. */
export function sweepTable(
  name: string,
  rows: readonly SweepRow[],
  notes: readonly string[],
): Table {
  const right = { align: "right" } as const;
  const present = Object.keys(MEASURES).filter((measure) =>
    rows.some(({ measures }) => (measures[measure] ?? null) !== null),
  );
  return {
    title: `Sweep ${name}`,
    columns: [
      { key: "point", label: "Point" },
      { key: "dataset", label: "Data set" },
      ...(rows.some(({ method }) => method !== undefined)
        ? [{ key: "method", label: "Method" }]
        : []),
      ...present.map((key) => ({
        key,
        label: MEASURES[key]!.label,
        ...right,
        ...(MEASURES[key]!.format === undefined ? {} : { format: MEASURES[key]!.format }),
      })),
      { key: "interval", label: "95%", ...right },
      { key: "n", label: "n", ...right },
      { key: "built", label: "Built", ...right },
    ],
    rows: rows.map((row) => cellsOf(row)),
    notes: [
      "Built: index parts and builds that a point had to make; 0 means that everything was there.",
      ...notes,
    ],
  };
}

/** Which measure a sweep is about: accuracy where something was answered, else sub-forest recall, else recall. */
export function mainMeasure(rows: readonly SweepRow[]): string {
  const has = (name: string): boolean =>
    rows.some(({ measures }) => (measures[name] ?? null) !== null);
  return ["accuracy", "shownRecall", "recall"].find(has) ?? "recall";
}

export function measureLabel(measure: string): string {
  return MEASURES[measure]?.label ?? measure;
}

/** A row for CSV and `--json`. */
export function cellsOf(row: SweepRow): Row {
  const main = mainMeasure([row]);
  const { low = null, high = null } = row.intervals[main] ?? {};
  return {
    point: row.point,
    ...row.values,
    dataset: row.dataset,
    method: row.method ?? null,
    run: row.run ?? null,
    ...row.measures,
    low,
    high,
    interval:
      low === null || high === null ? null : `${(low * 100).toFixed(1)}–${(high * 100).toFixed(1)}`,
    n: row.n,
    built: row.built,
  };
}
