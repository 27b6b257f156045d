import { type CurvePlot, type CurveSeries, curveSpec } from "../plots/curve.ts";
import { mainMeasure, measureLabel, type SweepRow } from "./sweep-table.ts";

type Spec = ReturnType<typeof curveSpec>;

/** Steps that double or so get equal room. */
const LOGARITHMIC: ReadonlySet<string> = new Set(["n", "kPrime", "k", "chunk", "kappa"]);

/**
 * The main measure against the first parameter that is a number, one panel a data set, a line per method and
 * combination of the other parameters; undefined where no parameter is a number.
 */
export function sweepPlot(
  name: string,
  rows: readonly SweepRow[],
  caption: readonly string[],
): Spec | undefined {
  const [parameter] = Object.entries(rows[0]?.values ?? {}).find(
    ([, value]) => typeof value === "number",
  ) ?? [undefined];
  if (parameter === undefined) return undefined;
  const measure = mainMeasure(rows);
  return curveSpec({
    title: `${measureLabel(measure)} by ${parameter} (${name})`,
    xTitle: parameter === "n" ? "nodes kept (n)" : parameter,
    yTitle: `${measureLabel(measure)} (%)`,
    logarithmic: LOGARITHMIC.has(parameter),
    panels: panelsOf(
      rows,
      (row) => {
        const value = row.measures[measure] ?? null;
        const at = row.values[parameter];
        return typeof at === "number" && value !== null ? { x: at, value, of: measure } : undefined;
      },
      parameter,
    ),
    caption: [...caption, "Bars: 95% intervals."],
  });
}

/** Sub-forest recall against the tokens shown; undefined without sub-forests. */
export function recallTokensPlot(
  name: string,
  rows: readonly SweepRow[],
  caption: readonly string[],
): Spec | undefined {
  const has = rows.some(({ measures }) => (measures.shownTokens ?? null) !== null);
  if (!has) return undefined;
  return curveSpec({
    title: `Sub-forest recall against tokens shown (${name})`,
    xTitle: "tokens of the table of contents",
    yTitle: "Gold in the sub-forest (%)",
    panels: panelsOf(rows, ({ measures, point }) => {
      const [x, value] = [measures.shownTokens ?? null, measures.shownRecall ?? null];
      return x === null || value === null
        ? undefined
        : { x, value, of: "shownRecall", label: point };
    }),
    caption: [...caption, "Bars: 95% bootstrap intervals."],
  });
}

interface Place {
  x: number;
  value: number;
  of: string;
  label?: string;
}

function panelsOf(
  rows: readonly SweepRow[],
  place: (row: SweepRow) => Place | undefined,
  parameter?: string,
): CurvePlot["panels"] {
  return [...new Set(rows.map(({ dataset }) => dataset))].map((dataset) => {
    const series = new Map<string, CurveSeries["points"][number][]>();
    for (const row of rows.filter((one) => one.dataset === dataset)) {
      const at = place(row);
      if (at === undefined) continue;
      const { low = null, high = null } = row.intervals[at.of] ?? {};
      const name = seriesName(row, parameter);
      const points = series.get(name) ?? [];
      series.set(name, points);
      points.push({
        x: at.x,
        y: at.value * 100,
        low: low === null ? null : low * 100,
        high: high === null ? null : high * 100,
        ...(at.label === undefined ? {} : { label: at.label }),
      });
    }
    return { name: dataset, series: [...series].map(([name, points]) => ({ name, points })) };
  });
}

/** Method and the parameters that do not stand on the axis. */
function seriesName({ method, values }: SweepRow, parameter: string | undefined): string {
  if (parameter === undefined) return method ?? "sub-forest";
  const others = Object.entries(values)
    .filter(([name]) => name !== parameter)
    .map(([name, value]) => `${name}=${value}`);
  return [method ?? "ranking", ...others].join(", ");
}
