import type { TopLevelSpec } from "vega-lite";
import { framed } from "./theme.ts";

/** Questions that exactly these methods answered correctly. */
export interface UpsetRegion {
  methods: readonly string[];
  questions: number;
}

export interface UpsetPlot {
  title: string;
  panels: readonly { name: string; methods: readonly string[]; regions: readonly UpsetRegion[] }[];
  caption: readonly string[];
}

const WIDTH = 320;

/**
 * Overlap of sets of correctly answered questions (the paper's Figure 5 as an UpSet plot): a bar for each combination
 * of methods, the dots below say which. Read more exactly than circles, and works for any number of methods.
 */
export function upsetSpec({ title, panels, caption }: UpsetPlot): TopLevelSpec {
  return { ...framed({ title, caption }, panels.map(panelSpec)) } as TopLevelSpec;
}

function panelSpec({ name, methods, regions }: UpsetPlot["panels"][number]): object {
  const columns = regions.map(({ methods: right, questions }, position) => ({
    position,
    questions,
    right,
  }));
  const dots = columns.flatMap(({ position, right }) =>
    methods.map((method) => ({ position, method, right: right.includes(method) })),
  );
  const x = {
    field: "position",
    type: "ordinal",
    axis: null,
    scale: { type: "band", paddingInner: 0.25 },
  };
  return {
    title: { text: name, fontSize: 13, anchor: "middle" },
    spacing: 6,
    bounds: "flush",
    vconcat: [
      {
        width: WIDTH,
        height: 170,
        data: { values: columns },
        encoding: {
          x,
          y: {
            field: "questions",
            type: "quantitative",
            title: "Questions",
            axis: { tickMinStep: 1 },
          },
        },
        layer: [
          { mark: { type: "bar", color: "#0072B2" } },
          {
            mark: { type: "text", dy: -7, fontSize: 11, color: "#222222" },
            encoding: { text: { field: "questions" } },
          },
        ],
      },
      {
        width: WIDTH,
        height: 24 * methods.length,
        data: { values: dots },
        mark: { type: "point", filled: true, opacity: 1, size: 110 },
        encoding: {
          x,
          y: {
            field: "method",
            type: "nominal",
            title: null,
            sort: null,
            axis: { labelLimit: 160, ticks: false, domain: false },
          },
          color: {
            condition: { test: "datum.right", value: "#222222" },
            value: "#d9d9d9",
          },
        },
      },
    ],
  };
}
