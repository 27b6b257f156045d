import { join } from "node:path";
import { writeFileAtomic } from "../../core/files.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { summariseRun } from "../leaderboard/summarise.ts";
import { type CurveSeries, curveSpec } from "../plots/curve.ts";
import { renderPng, renderSvg } from "../plots/render.ts";
import { csvTable } from "../table/csv.ts";
import { dollars, integer, percent, seconds } from "../table/format.ts";
import type { Table } from "../table/table.ts";

/** One method with one model on one data set in one run of a history. */
export interface TrendRow {
  /** Position in the history, 1 = the oldest. */
  number: number;
  run: string;
  started: string;
  judge: string | null;
  dataset: string;
  method: string;
  model: string;
  accuracy: number | null;
  low: number | null;
  high: number | null;
  n: number;
  errors: number;
  inputTokens: number | null;
  costUsd: number | null;
  costAtHaikuUsd: number | null;
  llmMs: number | null;
}

/** The history of an experiment: a row per run, data set, model and method, the oldest run first. */
export function trendRows(runs: readonly StoredRun[]): TrendRow[] {
  return runs.flatMap((run, index) => {
    const { id, startedAt, judges } = run.manifest;
    return summariseRun(run)
      .filter(({ unfit }) => unfit === undefined)
      .map((row) => ({
        number: index + 1,
        run: id,
        started: startedAt,
        judge: judges[0]?.fingerprint ?? null,
        dataset: row.dataset,
        method: row.title,
        model: row.model,
        accuracy: row.accuracy.estimate,
        low: row.accuracy.low,
        high: row.accuracy.high,
        n: row.accuracy.n,
        errors: row.outcomes.error ?? 0,
        inputTokens: row.inputTokens.value,
        costUsd: row.costUsd.value,
        costAtHaikuUsd: row.costAtHaikuUsd.value,
        llmMs: row.llmMs.value,
      }));
  });
}

export function trendTable(name: string, rows: readonly TrendRow[]): Table {
  const right = { align: "right" } as const;
  const judges = new Set(rows.map(({ judge }) => judge)).size;
  return {
    title: `History of ${name}`,
    columns: [
      { key: "number", label: "#", ...right },
      { key: "run", label: "Run" },
      { key: "started", label: "Started" },
      { key: "dataset", label: "Data set" },
      { key: "method", label: "Method" },
      { key: "model", label: "Model", wrap: true, dispensable: 2 },
      { key: "accuracy", label: "Accuracy", ...right, format: percent },
      { key: "low", label: "95% from", ...right, format: percent, dispensable: 1 },
      { key: "high", label: "to", ...right, format: percent, dispensable: 1 },
      { key: "n", label: "n", ...right },
      { key: "errors", label: "Errors", ...right },
      { key: "inputTokens", label: "Tokens in", ...right, format: integer, dispensable: 3 },
      { key: "costUsd", label: "Cost", ...right, format: dollars },
      { key: "llmMs", label: "Latency", ...right, format: seconds },
    ],
    rows: rows.map((row) => ({ ...row })),
    notes: [
      "Tokens, cost and latency are means per question.",
      ...(judges > 1
        ? ["The runs were not all judged by the same rules: their accuracies do not compare."]
        : []),
    ],
  };
}

/** Writes `trend.{csv,svg,png}`: accuracy with 95% intervals over the runs, one panel a data set; returns the paths. */
export async function writeTrend(
  folder: string,
  name: string,
  rows: readonly TrendRow[],
): Promise<string[]> {
  const table = trendTable(name, rows);
  const columns = Object.keys(rows[0] ?? {}).map((key) => ({ key, label: key }));
  const svg = await renderSvg(trendSpec(name, rows, table.notes.slice(1)));
  const files: [string, string | Uint8Array][] = [
    ["trend.csv", csvTable({ ...table, columns })],
    ["trend.svg", svg],
    ["trend.png", await renderPng(svg)],
  ];
  return files.map(([file, content]) => {
    const path = join(folder, file);
    writeFileAtomic(path, content);
    return path;
  });
}

/** Distance of two methods at the same run, in runs. */
const ASIDE = 0.09;

function trendSpec(name: string, rows: readonly TrendRow[], warnings: readonly string[]) {
  const severalModels = new Set(rows.map(({ model }) => model)).size > 1;
  const panels = [...new Set(rows.map(({ dataset }) => dataset))].map((dataset) => {
    const series = new Map<string, CurveSeries["points"][number][]>();
    const own = rows.filter((row) => row.dataset === dataset);
    const nameOf = ({ method, model }: TrendRow): string =>
      severalModels ? `${method}, ${model}` : method;
    const names = [...new Set(own.map(nameOf))];
    for (const row of own) {
      if (row.accuracy === null) continue;
      const of = nameOf(row);
      // Side by side, so that equal accuracies do not hide each other.
      const aside = (names.indexOf(of) - (names.length - 1) / 2) * ASIDE;
      const points = series.get(of) ?? [];
      series.set(of, points);
      const percents = (value: number | null): number | null => value && value * 100;
      points.push({
        x: row.number + aside,
        y: row.accuracy * 100,
        low: percents(row.low),
        high: percents(row.high),
      });
    }
    return { name: dataset, series: [...series].map(([of, points]) => ({ name: of, points })) };
  });
  const runs = [...new Map(rows.map((row) => [row.number, row]))].map(
    ([number, { run, started }]) => `${number}: ${run}, ${started.slice(0, 10)}`,
  );
  return curveSpec({
    title: `Accuracy over the runs of ${name}`,
    xTitle: "run, the oldest first",
    yTitle: "Accuracy (%)",
    whole: true,
    panels,
    caption: [...warnings, `Runs: ${runs.join("; ")}.`, "Bars: 95% Wilson intervals."],
  });
}
