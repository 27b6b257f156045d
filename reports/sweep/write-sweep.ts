import { join } from "node:path";
import { writeFileAtomic } from "../../core/files.ts";
import { renderPng, renderSvg } from "../plots/render.ts";
import { csvTable } from "../table/csv.ts";
import { latexTable } from "../table/latex.ts";
import { markdownTable } from "../table/markdown.ts";
import type { Table } from "../table/table.ts";
import { recallTokensPlot, sweepPlot } from "./sweep-plots.ts";
import { cellsOf, type SweepRow } from "./sweep-table.ts";

/** Writes `sweep.{csv,md,tex}`, `sweep.{svg,png}` and, with sub-forests, `recall-tokens.{svg,png}`; returns the paths. */
export async function writeSweep(
  folder: string,
  {
    name,
    rows,
    table,
    caption,
  }: {
    name: string;
    rows: readonly SweepRow[];
    table: Table;
    caption: readonly string[];
  },
): Promise<string[]> {
  const files: string[] = [];
  const write = (file: string, content: string | Uint8Array): void => {
    const path = join(folder, file);
    writeFileAtomic(path, content);
    files.push(path);
  };
  const cells = rows.map(cellsOf);
  const keys = [...new Set(cells.flatMap((row) => Object.keys(row)))];
  const columns = keys.map((key) => ({ key, label: key }));
  write("sweep.csv", csvTable({ ...table, rows: cells, columns }));
  write("sweep.md", markdownTable(table));
  write("sweep.tex", latexTable(table));
  const plots = [
    ["sweep", sweepPlot(name, rows, caption)],
    ["recall-tokens", recallTokensPlot(name, rows, caption)],
  ] as const;
  for (const [file, spec] of plots) {
    if (spec === undefined) continue;
    const svg = await renderSvg(spec);
    write(`${file}.svg`, svg);
    write(`${file}.png`, await renderPng(svg));
  }
  return files;
}
