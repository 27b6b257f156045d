import { join } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { writeFileAtomic } from "../../core/files.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { type ParetoPlot, paretoSpec } from "../plots/pareto.ts";
import { renderPng, renderSvg } from "../plots/render.ts";
import { csvTable } from "../table/csv.ts";
import { latexTable } from "../table/latex.ts";
import { markdownTable } from "../table/markdown.ts";
import type { Column, Table } from "../table/table.ts";
import { type BuildCost, costSplit } from "./cost-split.ts";
import { costPlot, latencyPlot } from "./pareto-plot.ts";
import { recallTokens } from "./recall-tokens.ts";
import { summariseRun } from "./summarise.ts";
import { cellsOf, leaderboardTable } from "./table.ts";

export interface WrittenReport {
  table: Table;
  /** Paths written, in order. */
  files: string[];
  /** The plots among them, as SVG. */
  figures: { path: string; title: string }[];
}

/**
 * Writes a run's report: `results.{csv,md,tex}`, `pareto-cost.{svg,png}`, `cost-split.{svg,png}` and, where there are
 * latencies or sub-forests, `pareto-latency.{svg,png}` and `recall-tokens.{svg,png}`. A function of the run folder: no clock, no network, the same bytes every time.
 */
export async function writeReport(
  run: StoredRun,
  folder: string,
  builds: readonly BuildCost[] = [],
): Promise<WrittenReport> {
  const rows = summariseRun(run);
  const table = leaderboardTable(run, rows);
  const texts: [string, string][] = [
    ["results.csv", csvTable({ ...table, columns: rawColumns(rows.map(cellsOf)) })],
    ["results.md", markdownTable(table)],
    ["results.tex", latexTable(table)],
  ];
  const files: string[] = [];
  const figures: WrittenReport["figures"] = [];
  const write = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name);
    writeFileAtomic(path, content);
    files.push(path);
  };
  for (const [name, text] of texts) write(name, text);
  const caption = plotCaption(run);
  const pareto = (plot: ParetoPlot | undefined) => plot && paretoSpec(plot);
  const plots: [string, string, TopLevelSpec | undefined][] = [
    ["pareto-cost", "Accuracy against cost per question", pareto(costPlot(rows, caption))],
    ["pareto-latency", "Accuracy against LLM latency", pareto(latencyPlot(rows, caption))],
    ["recall-tokens", "Sub-forest recall against tokens", recallTokens(run, rows, caption)],
    ["cost-split", "Cost split", costSplit(run, rows, builds, caption)],
  ];
  for (const [name, title, spec] of plots) {
    if (spec === undefined) continue;
    const svg = await renderSvg(spec);
    write(`${name}.svg`, svg);
    figures.push({ path: files.at(-1)!, title });
    write(`${name}.png`, await renderPng(svg));
  }
  return { table, files, figures };
}

/** Every field of the rows under its own key. */
function rawColumns(rows: readonly object[]): Column[] {
  return Object.keys(rows[0] ?? {})
    .filter((key) => key !== "interval" && key !== "scored")
    .map((key) => ({ key, label: key }));
}

/** What a figure must say of itself: who answered, who judged, how many. */
function plotCaption({ manifest }: StoredRun): string[] {
  const models = manifest.models.map(({ id, offline }) =>
    offline ? `${id} (offline model, not a language model)` : id,
  );
  const judge = manifest.judges[0];
  const asked = manifest.datasets.map(({ name, questions }) => `${name} ${questions.asked}`);
  return [
    `Model: ${models.join(", ")}. Judge: ${judge === undefined ? "none" : (judge.model ?? judge.name)}.`,
    `Questions: ${asked.join(", ")}. Run ${manifest.id}, ${manifest.identity}.`,
  ];
}
