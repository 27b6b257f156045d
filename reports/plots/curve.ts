import type { TopLevelSpec } from "vega-lite";
import { COLOURS, framed } from "./theme.ts";

export interface CurvePoint {
  x: number;
  /** In percent, with its interval where there is one. */
  y: number;
  low: number | null;
  high: number | null;
  /** Written beside the point, such as `n = 50`. */
  label?: string;
}

export interface CurveSeries {
  name: string;
  points: readonly CurvePoint[];
  /** Single numbers from elsewhere (the paper): hollow marks without a line. */
  reference?: boolean;
}

export interface CurvePlot {
  title: string;
  xTitle: string;
  yTitle: string;
  /** Doubling steps get equal room; for sizes such as n. Needs positive x. */
  logarithmic?: boolean;
  /** x counts something: a tick at each whole number that occurs. */
  whole?: boolean;
  panels: readonly { name: string; series: readonly CurveSeries[] }[];
  caption: readonly string[];
}

const WIDTH = 320;
const HEIGHT = 220;

/** A number against a parameter, one panel a data set: lines with 95% bars, references hollow. */
export function curveSpec(plot: CurvePlot): TopLevelSpec {
  const names = [...new Set(plot.panels.flatMap(({ series }) => series.map(({ name }) => name)))];
  return {
    ...framed(
      plot,
      plot.panels.map((panel) => panelSpec(panel, plot, names)),
    ),
    resolve: { scale: { color: "shared" } },
  } as TopLevelSpec;
}

function panelSpec(
  { name, series }: CurvePlot["panels"][number],
  { xTitle, yTitle, logarithmic, whole }: CurvePlot,
  names: readonly string[],
): object {
  const rows = series.flatMap(({ name: of, points, reference }) =>
    points.map((point) => ({ ...point, series: of, reference: reference === true })),
  );
  const ends = rows.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const bottom = Math.max(0, Math.floor(Math.min(...ends, 100) / 10) * 10);
  const top = Math.min(100, Math.max(bottom + 10, Math.ceil(Math.max(...ends, 0) / 10) * 10));
  const ticks = [...new Set(rows.map(({ x }) => (whole === true ? Math.round(x) : x)))].sort(
    (a, b) => a - b,
  );
  const last = ticks.at(-1) ?? 1;
  const x = {
    field: "x",
    type: "quantitative",
    title: xTitle,
    scale:
      logarithmic === true
        ? { type: "log", base: 2, nice: false, padding: 14 }
        : whole === true
          ? { domain: [0.5, last + 0.5], nice: false }
          : // Room for the label of the last point.
            { domain: [0, last * 1.15], nice: false },
    axis:
      logarithmic === true || whole === true
        ? { values: ticks, format: "d", labelOverlap: true }
        : { tickCount: 5 },
  };
  const y = { type: "quantitative", title: yTitle, scale: { domain: [bottom, top] } };
  const color = {
    field: "series",
    type: "nominal",
    title: null,
    scale: { domain: names, range: COLOURS },
    legend: names.length > 1 ? { orient: "right", symbolOpacity: 1, labelLimit: 260 } : null,
  };
  return {
    title: { text: name, fontSize: 13, anchor: "middle" },
    width: WIDTH,
    height: HEIGHT,
    data: { values: rows },
    layer: [
      {
        transform: [{ filter: "!datum.reference" }],
        mark: { type: "line", strokeWidth: 1.6 },
        encoding: { x, y: { ...y, field: "y" }, color, order: { field: "x" } },
      },
      {
        transform: [{ filter: "datum.low !== null && datum.high !== null" }],
        mark: { type: "rule", strokeWidth: 1.4, opacity: 0.75 },
        encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color },
      },
      {
        transform: [{ filter: "!datum.reference" }],
        mark: { type: "point", filled: true, opacity: 1, size: 70, stroke: "white" },
        encoding: { x, y: { ...y, field: "y" }, color },
      },
      {
        transform: [{ filter: "datum.reference" }],
        mark: { type: "point", filled: false, opacity: 1, size: 110, strokeWidth: 2 },
        encoding: { x, y: { ...y, field: "y" }, color },
      },
      {
        transform: [{ filter: "isValid(datum.label)" }],
        mark: { type: "text", align: "left", dx: 7, dy: 10, fontSize: 10, color: "#333333" },
        encoding: { x, y: { ...y, field: "y" }, text: { field: "label" } },
      },
    ],
  };
}
