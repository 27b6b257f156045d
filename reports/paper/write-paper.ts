import { join } from "node:path";
import type { TopLevelSpec } from "vega-lite";
import { writeFileAtomic } from "../../core/files.ts";
import { renderPng, renderSvg } from "../plots/render.ts";
import { csvTable } from "../table/csv.ts";
import { latexTable } from "../table/latex.ts";
import { markdownTable } from "../table/markdown.ts";
import type { PaperComparison } from "./compare-paper.ts";
import type { PaperValues } from "./expected.ts";
import { overlapFigure, paretoFigure, sensitivityFigure } from "./paper-figures.ts";
import { longTable, rowOf, wideTable } from "./paper-tables.ts";

/**
 * Writes `table-<n>.{csv,md,tex}` for every compared table and `figure-<n>.{svg,png}` for Figures 3, 4, 5 and 8: CSV has
 * a line per printed number with ours and its interval, Markdown and LaTeX the paper's layout with our rows below.
 *
 * @returns the paths written, in order.
 */
export async function writePaper(
  comparison: PaperComparison,
  values: PaperValues,
  folder: string,
  wanted: (id: string) => boolean,
): Promise<string[]> {
  const files: string[] = [];
  const write = (name: string, content: string | Uint8Array): void => {
    const path = join(folder, name);
    writeFileAtomic(path, content);
    files.push(path);
  };
  for (const compared of comparison.tables.filter(({ table }) => wanted(String(table.id)))) {
    const { id } = compared.table;
    const name = typeof id === "number" ? `table-${id}` : id;
    const rows = compared.cells.map((cell) => rowOf(cell, values));
    const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const columns = keys.map((key) => ({ key, label: key }));
    write(`${name}.csv`, csvTable({ ...longTable(compared, values, false), rows, columns }));
    const wide = wideTable(compared, values);
    write(`${name}.md`, markdownTable(wide));
    write(`${name}.tex`, latexTable(wide));
  }
  for (const [name, spec] of figureSpecs(comparison, values)) {
    if (!wanted(name)) continue;
    const svg = await renderSvg(spec);
    write(`${name}.svg`, svg);
    write(`${name}.png`, await renderPng(svg));
  }
  return files;
}

/** Specs of the figures that can be drawn. */
function figureSpecs(
  { tables, candidates, sensitivity }: PaperComparison,
  values: PaperValues,
): [string, TopLevelSpec][] {
  return values.figures.flatMap((figure): [string, TopLevelSpec][] => {
    const source = "points" in figure ? figure.points.table : figure.id;
    const compared = tables.find(({ table }) => table.id === source);
    if (compared === undefined) return [];
    if ("points" in figure) return [[figure.id, paretoFigure(figure, compared, values)]];
    if (figure.id === "figure-8") {
      return [[figure.id, sensitivityFigure(compared, sensitivity, values)]];
    }
    const overlap = overlapFigure(compared, values, candidates);
    return overlap === undefined ? [] : [["figure-5", overlap]];
  });
}
