import { candidateFinder, nodesKept, type PaperInput } from "./candidates.ts";
import { type Candidates, type ComparedCell, withOurs } from "./compared.ts";
import { countedCell } from "./counts.ts";
import { cellsOfTable, type PaperCell, type PaperTable, tablesOf } from "./expected.ts";
import { type FillCommand, fillCommands } from "./fill.ts";
import { groupsOf, type PaperGroup } from "./group.ts";
import { measureGroup } from "./measure.ts";
import { overlapCell } from "./overlap.ts";

export interface ComparedTable {
  table: PaperTable;
  cells: readonly ComparedCell[];
  /** What would measure the cells that no run has measured under the protocol. */
  fill: readonly FillCommand[];
}

export interface PaperComparison {
  tables: readonly ComparedTable[];
  /** Our whole curve of Figure 8: every n that has been run, printed in the paper or not. */
  sensitivity: readonly ComparedCell[];
  /** Where each cell's numbers were looked for. */
  candidates: Candidates;
  /** Runs left aside because an offline model made them. */
  offlineRuns: readonly string[];
}

/** Lays our runs beside every number of the paper. A function of files: no clock, no network. */
export function comparePaper(input: PaperInput): PaperComparison {
  const { values, runs } = input;
  const tables = tablesOf(values);
  const candidates = candidateFinder(input);
  const known = new Map<string, ComparedCell>();
  const compared = tables.map((table): ComparedTable => {
    const cells = cellsOfTable(table).map((cell) => {
      const made = compareCell(cell, table, input, candidates, known);
      known.set(placeOf(made, table.id), made);
      return made;
    });
    return { table, cells, fill: fillCommands(table, cells, input, candidates) };
  });
  return {
    tables: compared,
    sensitivity: curveOf(tables, groupsOf(runs), candidates),
    candidates,
    offlineRuns: runs
      .filter(({ manifest }) => manifest.models.some(({ offline }) => offline))
      .map(({ manifest }) => manifest.id),
  };
}

function compareCell(
  cell: PaperCell,
  table: PaperTable,
  input: PaperInput,
  candidates: Candidates,
  known: ReadonlyMap<string, ComparedCell>,
): ComparedCell {
  const counted = countedCell(cell, input.facts, input.runs, input.values);
  if (counted !== undefined) return counted;
  if (cell.measure === "accuracyChange") return changeCell(cell, known);
  if (table.id === "figure-5") return overlapCell(cell, candidates);
  for (const candidate of candidates(cell)) {
    const ours = measureGroup(cell.measure, candidate.numbers);
    if (ours !== undefined) return withOurs(cell, ours, candidate);
  }
  return { ...cell, deviations: [], inside: null };
}

/** Table 2's change: our accuracy there less ours in Table 1; the difference of two runs has no interval here. */
function changeCell(cell: PaperCell, known: ReadonlyMap<string, ComparedCell>): ComparedCell {
  const place = { ...cell, measure: "accuracy" };
  const [now, before] = [known.get(placeOf(place, 2)), known.get(placeOf(place, 1))];
  if (now?.ours === undefined || before?.ours === undefined) {
    return { ...cell, deviations: [], inside: null };
  }
  const both = [...new Set([...before.deviations, ...now.deviations])];
  const value = now.ours.value - before.ours.value;
  return {
    ...cell,
    ours: { value, low: null, high: null, n: now.ours.n, interval: "none" },
    basis: now.basis === before.basis ? now.basis! : "differs",
    source: `${before.source}, ${now.source}`,
    deviations: both,
    inside: null,
  };
}

function curveOf(
  tables: readonly PaperTable[],
  groups: readonly PaperGroup[],
  candidates: Candidates,
): ComparedCell[] {
  const figure = tables.find(({ id }) => id === "figure-8");
  if (figure === undefined) return [];
  const sizes = [...new Set(groups.map(nodesKept))].sort((a, b) => a - b);
  const places = new Map(cellsOfTable(figure).map((cell) => [cell.dataset, cell]));
  return [...places.values()].flatMap((place) =>
    sizes.flatMap((nodes): ComparedCell[] => {
      const [best] = candidates({ ...place, nodes });
      const ours = best && measureGroup("accuracy", best.numbers);
      return ours === undefined ? [] : [withOurs({ ...place, nodes }, ours, best!)];
    }),
  );
}

function placeOf({ method, model, dataset, measure }: PaperCell, table: number | string): string {
  return JSON.stringify([table, method, model, dataset, measure]);
}
