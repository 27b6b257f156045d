import { wilson } from "../../core/statistics/wilson.ts";
import { type CurvePlot, type CurveSeries, curveSpec } from "../plots/curve.ts";
import { type ParetoPoint, paretoSpec } from "../plots/pareto.ts";
import { upsetSpec } from "../plots/upset.ts";
import type { ComparedTable } from "./compare-paper.ts";
import type { Candidates, ComparedCell } from "./compared.ts";
import type { PaperFigure, PaperValues } from "./expected.ts";
import { overlapOf } from "./overlap.ts";

type Spec = ReturnType<typeof paretoSpec>;

/** What a figure must say of whose numbers it shows. */
export function figureCaption(cells: readonly ComparedCell[]): string[] {
  const ours = cells.filter(({ ours: own }) => own !== undefined);
  const runs = [...new Set(ours.flatMap(({ source }) => source ?? []))].join(", ");
  const standIn = ours.some(({ basis }) => basis === "stand-in");
  const differs = ours.some(({ basis }) => basis === "differs");
  return [
    ours.length === 0 ? "Ours: nothing measured yet." : `Ours: ${runs}.`,
    ...(standIn
      ? [
          "Ours is by a stand-in model, not the paper's: it says nothing of the paper's figures; its cost is hypothetical where it has no price.",
        ]
      : []),
    ...(differs ? ["Ours departs from the paper's protocol; the table says in what."] : []),
  ];
}

/** Figures 3 and 4: accuracy against cost or latency, the paper's points left, ours right. */
export function paretoFigure(
  { id, about, points: { x } }: PaperFigure,
  { cells }: ComparedTable,
  values: PaperValues,
): Spec {
  const datasets = [...new Set(cells.flatMap(({ dataset }) => dataset ?? []))];
  const find = (dataset: string, method: string, measure: string): ComparedCell | undefined =>
    cells.find(
      (cell) => cell.dataset === dataset && cell.method === method && cell.measure === measure,
    );
  const methods = [...new Set(cells.flatMap(({ method }) => method ?? []))];
  const panels = datasets.flatMap((dataset) => {
    const title = values.names.datasets[dataset] ?? dataset;
    const points = (own: boolean): ParetoPoint[] =>
      methods.flatMap((method) => {
        const [accuracy, at] = [find(dataset, method, "accuracy"), find(dataset, method, x)];
        if (accuracy === undefined || at === undefined) return [];
        const place = {
          method: values.names.methods[method] ?? method,
          star: method === "rit-rag",
        };
        const point = own
          ? oursAt(accuracy, at)
          : papersAt(accuracy, at, values.sizes[dataset]?.questions ?? 0);
        return point === undefined ? [] : [{ ...place, ...point }];
      });
    const [papers, ours] = [points(false), points(true)];
    return [
      { dataset: `${title}, paper`, points: papers, axesWith: ours },
      { dataset: `${title}, ours`, points: ours, axesWith: papers },
    ];
  });
  return paretoSpec({
    title: `${id.replace("figure-", "Figure ")}: ${about}`,
    xTitle: x === "costCents" ? "US cents per question" : "Seconds per question",
    panels,
    caption: [...figureCaption(cells), "Bars: 95% Wilson intervals. Dashed: the frontier."],
  });
}

type Place = Omit<ParetoPoint, "method" | "star">;

function oursAt({ ours }: ComparedCell, { ours: at }: ComparedCell): Place | undefined {
  if (ours === undefined || at === undefined || ours.low === null || ours.high === null)
    return undefined;
  const n = ours.n ?? 0;
  return { x: at.value, accuracy: ours.value / 100, low: ours.low / 100, high: ours.high / 100, n };
}

/** The paper's bars are Wilson's: rebuilt from the printed share and the number of questions. */
function papersAt({ paper }: ComparedCell, at: ComparedCell, n: number): Place {
  const { low, high } = wilson(Math.round((paper / 100) * n), n);
  return { x: at.paper, accuracy: paper / 100, low: low ?? 0, high: high ?? 1, n };
}

/** Figure 5 from our runs; undefined until RIT-RAG and both baselines have answered some data set. */
export function overlapFigure(
  compared: ComparedTable,
  values: PaperValues,
  candidates: Candidates,
): Spec | undefined {
  const { table, cells } = compared;
  const datasets = [...new Set(cells.flatMap(({ dataset }) => dataset ?? []))];
  const panels = datasets.flatMap((dataset) => {
    const overlap = overlapOf({ dataset, model: "haiku" }, candidates);
    if (overlap === undefined || overlap.n === 0) return [];
    const title = (method: string): string => values.names.methods[method] ?? method;
    const methods = ["rit-rag", "agentic-search", "page-index"].map(title);
    const regions = overlap.regions.map(({ methods: right, questions }) => ({
      methods: right.map(title),
      questions: questions.length,
    }));
    return [{ name: `${values.names.datasets[dataset]} (n = ${overlap.n})`, methods, regions }];
  });
  if (panels.length === 0) return undefined;
  return upsetSpec({
    title: `Figure 5: ${table.about}`,
    panels,
    caption: [
      ...figureCaption(cells),
      "A bar counts the questions that exactly the methods with a dark dot answer correctly.",
    ],
  });
}

/** Figure 8: our accuracies by n beside the points the paper prints. */
export function sensitivityFigure(
  { table, cells }: ComparedTable,
  ours: readonly ComparedCell[],
  values: PaperValues,
): Spec {
  const datasets = [...new Set(cells.flatMap(({ dataset }) => dataset ?? []))];
  const panels: CurvePlot["panels"] = datasets.map((dataset) => {
    const own = ours.filter((cell) => cell.dataset === dataset && cell.ours !== undefined);
    const series: CurveSeries[] = [
      {
        name: "ours",
        points: own.map(({ nodes, ours: measured }) => ({
          x: nodes!,
          y: measured!.value,
          low: measured!.low,
          high: measured!.high,
        })),
      },
      {
        name: "paper",
        reference: true,
        points: cells
          .filter((cell) => cell.dataset === dataset)
          .map(({ nodes, paper }) => ({ x: nodes!, y: paper, low: null, high: null })),
      },
    ];
    return { name: values.names.datasets[dataset] ?? dataset, series };
  });
  return curveSpec({
    title: `Figure 8: ${table.about}`,
    xTitle: "nodes kept (n), k' = 4n",
    yTitle: "Accuracy (%)",
    logarithmic: true,
    panels,
    caption: [...figureCaption(ours), "Bars: 95% Wilson intervals. Hollow: as printed."],
  });
}
