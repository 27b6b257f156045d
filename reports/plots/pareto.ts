import type { TopLevelSpec } from "vega-lite";
import { COLOURS, framed } from "./theme.ts";

/** One method on the plot. */
export interface ParetoPoint {
  method: string;
  /** Drawn as a star: the method the house is built around. */
  star: boolean;
  /** Cost or latency per question; a point without one is left out and counted in the caption. */
  x: number | null;
  /** Fraction of scored answers that are correct, with its interval. */
  accuracy: number;
  low: number;
  high: number;
  n: number;
}

export interface ParetoPanel {
  dataset: string;
  points: readonly ParetoPoint[];
  /** Points of a neighbouring panel that the axes have to hold as well, so that both can be compared. */
  axesWith?: readonly ParetoPoint[];
}

export interface ParetoPlot {
  title: string;
  xTitle: string;
  panels: readonly ParetoPanel[];
  /** Sentences under the title: models, n, offline marks. */
  caption: readonly string[];
}

/** Points that no other beats: none is at least as cheap and more accurate, or cheaper and as accurate. Sorted by x. */
export function paretoFrontier<P extends { x: number; accuracy: number }>(
  points: readonly P[],
): P[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || b.accuracy - a.accuracy);
  const frontier: P[] = [];
  let best = Number.NEGATIVE_INFINITY;
  for (const point of sorted) {
    if (point.accuracy > best) {
      frontier.push(point);
      best = point.accuracy;
    }
  }
  return frontier;
}

const STAR =
  "M0,-1.4L0.33,-0.45L1.33,-0.43L0.53,0.17L0.82,1.13L0,0.56L-0.82,1.13L-0.53,0.17L-1.33,-0.43L-0.33,-0.45Z";
/** Shapes of the other methods, in the order of their first appearance. */
const SHAPES = [
  "circle",
  "square",
  "triangle-up",
  "diamond",
  "cross",
  "triangle-down",
  "triangle-right",
];
const PANEL_WIDTH = 320;
const PANEL_HEIGHT = 240;
/**
 * Accuracy against cost or latency, one panel a data set: 95% Wilson bars, a dashed frontier, the starred method as
 * a star (the paper's Figures 3 and 4).
 */
export function paretoSpec({ title, xTitle, panels, caption }: ParetoPlot): TopLevelSpec {
  const methods = new Map(
    panels.flatMap(({ points }) => points.map(({ method, star }) => [method, star] as const)),
  );
  return {
    ...framed(
      { title, caption },
      panels.map((panel) => panelSpec(panel, xTitle, methods)),
    ),
    resolve: { scale: { color: "shared", shape: "shared" } },
  } as TopLevelSpec;
}

function panelSpec(
  panel: ParetoPanel,
  xTitle: string,
  methods: ReadonlyMap<string, boolean>,
): object {
  const points = panel.points.filter(
    (point): point is ParetoPoint & { x: number } => point.x !== null,
  );
  const frontier = paretoFrontier(points);
  const framing = [...points, ...(panel.axesWith ?? [])];
  const percents = framing.flatMap(({ low, high }) => [low * 100, high * 100]);
  const bottom = Math.max(0, Math.floor(Math.min(...percents, 100) / 10) * 10);
  const largest = Math.max(...framing.map(({ x }) => x ?? 0), 0);
  const x = {
    field: "x",
    type: "quantitative",
    title: xTitle,
    scale: { zero: true, domain: [0, largest === 0 ? 1 : largest * 1.25] },
    axis: { tickCount: 5 },
  };
  const y = {
    type: "quantitative",
    title: "Accuracy (%)",
    scale: {
      domain: [bottom, Math.min(100, Math.max(10, Math.ceil(Math.max(...percents, 0) / 10) * 10))],
    },
  };
  const colour = {
    field: "method",
    type: "nominal",
    title: null,
    scale: { domain: [...methods.keys()], range: COLOURS },
    legend: { orient: "right", symbolOpacity: 1, symbolSize: 110, labelLimit: 260 },
  };
  const shape = {
    ...colour,
    scale: {
      domain: [...methods.keys()],
      range: [...methods.values()].map((star, i) => (star ? STAR : SHAPES[i % SHAPES.length])),
    },
  };
  return {
    title: { text: panel.dataset, fontSize: 13, anchor: "middle" },
    width: PANEL_WIDTH,
    height: PANEL_HEIGHT,
    data: {
      values: points.map((point) => ({
        ...point,
        percent: point.accuracy * 100,
        lowPercent: point.low * 100,
        highPercent: point.high * 100,
      })),
    },
    layer: [
      {
        data: {
          values: frontier.map(({ x: at, accuracy }) => ({ x: at, percent: accuracy * 100 })),
        },
        mark: { type: "line", strokeDash: [5, 4], color: "#555555", strokeWidth: 1.2 },
        encoding: { x, y: { ...y, field: "percent" }, order: { field: "x" } },
      },
      {
        mark: { type: "rule", strokeWidth: 1.4, opacity: 0.75 },
        encoding: {
          x,
          y: { ...y, field: "lowPercent" },
          y2: { field: "highPercent" },
          color: colour,
        },
      },
      {
        mark: { type: "point", filled: true, opacity: 1, stroke: "white", strokeWidth: 0.8 },
        encoding: {
          x,
          y: { ...y, field: "percent" },
          color: colour,
          shape,
          size: { condition: { test: "datum.star", value: 150 }, value: 90 },
        },
      },
    ],
  };
}
