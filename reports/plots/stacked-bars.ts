import type { TopLevelSpec } from "vega-lite";
import { COLOURS, framed } from "./theme.ts";

export interface StackedBars {
  title: string;
  xTitle: string;
  /** Kinds in stacking order. */
  kinds: readonly string[];
  panels: readonly {
    name: string;
    bars: readonly { label: string; parts: { readonly [kind: string]: number } }[];
  }[];
  caption: readonly string[];
}

const WIDTH = 320;

/** Horizontal bars made of parts, one panel a data set. */
export function stackedBarsSpec({
  title,
  xTitle,
  kinds,
  panels,
  caption,
}: StackedBars): TopLevelSpec {
  return {
    ...framed(
      { title, caption },
      panels.map(({ name, bars }) => ({
        title: { text: name, fontSize: 13, anchor: "middle" },
        width: WIDTH,
        height: { step: 30 },
        data: {
          values: bars.flatMap(({ label, parts }) =>
            kinds.map((kind, order) => ({ label, kind, order, value: parts[kind] ?? 0 })),
          ),
        },
        mark: { type: "bar" },
        encoding: {
          y: {
            field: "label",
            type: "nominal",
            title: null,
            sort: null,
            axis: { labelLimit: 130 },
          },
          x: { field: "value", type: "quantitative", title: xTitle, axis: { tickCount: 5 } },
          order: { field: "order" },
          color: {
            field: "kind",
            type: "nominal",
            title: null,
            sort: [...kinds],
            scale: { domain: [...kinds], range: COLOURS },
            legend: { orient: "right", labelLimit: 260 },
          },
        },
      })),
    ),
    // Method names stand left of each panel and need their room.
    spacing: { row: 80, column: 170 },
    resolve: { scale: { color: "shared" } },
  } as TopLevelSpec;
}
