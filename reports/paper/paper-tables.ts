import { decimals, dollars, integer } from "../table/format.ts";
import type { CellValue, Column, Row, Table } from "../table/table.ts";
import type { ComparedTable } from "./compare-paper.ts";
import type { ComparedCell } from "./compared.ts";
import type { PaperDimension, PaperValues } from "./expected.ts";

const BASIS_WORDS = {
  protocol: "as the paper",
  differs: "differs",
  "stand-in": "stand-in",
} as const;

/** One line per printed number: the paper's, ours, our interval, whether theirs lies inside. `measuredOnly` leaves out the rest. */
export function longTable(
  { table, cells, fill }: ComparedTable,
  values: PaperValues,
  measuredOnly: boolean,
): Table {
  const shown = measuredOnly ? cells.filter(({ ours }) => ours !== undefined) : cells;
  const right = { align: "right" } as const;
  const has = (key: "method" | "model" | "dataset" | "case" | "nodes"): boolean =>
    shown.some((cell) => cell[key] !== undefined);
  const optional: (Column | false)[] = [
    has("method") && { key: "method", label: "Method" },
    has("model") && { key: "model", label: "Model" },
    has("dataset") && { key: "dataset", label: "Data set" },
    has("case") && { key: "case", label: "Case" },
    has("nodes") && { key: "nodes", label: "n", ...right },
  ];
  const interval = shown.some(({ ours }) => ours !== undefined && ours.low !== null);
  const answers = shown.some(({ ours }) => ours !== undefined && ours.n !== null);
  const number = (value: string | number | boolean, row: Row): string =>
    typeof value === "number" ? formatOf(String(row.key))(value) : String(value);
  return {
    title: titleOf(table.id, table.about),
    columns: [
      ...optional.filter((column) => column !== false),
      { key: "measure", label: "Measure", dispensable: 3 },
      { key: "paper", label: "Paper", ...right, format: number },
      { key: "ours", label: "Ours", ...right, format: number },
      ...(interval
        ? [
            { key: "low", label: "95% from", ...right, format: number, dispensable: 2 },
            { key: "high", label: "to", ...right, format: number, dispensable: 2 },
            { key: "inside", label: "Inside" },
          ]
        : []),
      ...(answers ? [{ key: "n", label: "Questions", ...right }] : []),
      { key: "basis", label: "Measured" },
      { key: "source", label: "Run", dispensable: 1 },
    ],
    rows: shown.map((cell) => rowOf(cell, values)),
    notes: [...notesOf({ table, cells, fill }, values)],
  };
}

/** A row for CSV and `--json`, raw values in the paper's units. */
export function rowOf(cell: ComparedCell, values: PaperValues): Row {
  const { ours } = cell;
  return {
    table: cell.table,
    ...namesOf(cell, values),
    ...(cell.case === undefined ? {} : { case: cell.case }),
    ...(cell.nodes === undefined ? {} : { nodes: cell.nodes }),
    key: cell.measure,
    measure: cell.label,
    paper: cell.paper,
    estimated: cell.estimated,
    ours: ours?.value ?? null,
    low: ours?.low ?? null,
    high: ours?.high ?? null,
    inside: cell.inside === null ? null : cell.inside ? "yes" : "no",
    n: ours?.n ?? null,
    basis: cell.basis === undefined ? "not measured" : BASIS_WORDS[cell.basis],
    source: cell.source ?? null,
    deviations: cell.deviations.length === 0 ? null : cell.deviations.join("; "),
  };
}

function namesOf(
  { method, model, dataset }: ComparedCell,
  { names }: PaperValues,
): { [key: string]: string } {
  return {
    ...(method === undefined ? {} : { method: names.methods[method] ?? method }),
    ...(model === undefined ? {} : { model: names.models[model]?.title ?? model }),
    ...(dataset === undefined ? {} : { dataset: names.datasets[dataset] ?? dataset }),
  };
}

/** The table as the paper lays it out; below each row of the paper's numbers stands a row of ours. */
export function wideTable(compared: ComparedTable, values: PaperValues): Table {
  const { table, cells } = compared;
  const rows = new Map<string, { head: Row; paper: Cells; ours: Cells }>();
  const columns = new Map<string, Column>();
  for (const cell of cells) {
    const parts = table.columns.map((dimension) => partOf(dimension, cell, values));
    const key = parts.join(" / ");
    const format = formatOf(cell.measure);
    const [first, ...rest] = parts;
    const best = BEST[cell.measure];
    columns.set(key, {
      key,
      label: rest.length === 0 ? first! : rest.join(" "),
      ...(rest.length === 0 ? {} : { group: first! }),
      align: "right",
      format: (value) => (typeof value === "number" ? format(value) : String(value)),
      ...(best === undefined ? {} : { best }),
    });
    const head = Object.fromEntries(
      table.rows.map((dimension) => [dimension, partOf(dimension, cell, values)]),
    );
    const name = JSON.stringify(head);
    const row = rows.get(name) ?? { head, paper: {}, ours: {} };
    rows.set(name, row);
    row.paper[key] = cell.paper;
    if (cell.ours !== undefined) row.ours[key] = cell.ours.value;
  }
  return {
    title: titleOf(table.id, table.about),
    columns: [
      ...table.rows.map((dimension): Column => ({ key: dimension, label: HEADS[dimension] })),
      { key: "whose", label: "" },
      ...columns.values(),
    ],
    rows: [...rows.values()].flatMap(({ head, paper, ours }) => [
      { ...head, whose: "paper", ...paper },
      { ...head, whose: "ours", ...ours },
    ]),
    bestBy: "whose",
    notes: notesOf(compared, values),
  };
}

type Cells = { [key: string]: CellValue };

const HEADS: { readonly [dimension in PaperDimension]: string } = {
  method: "Method",
  model: "Model",
  dataset: "Data set",
  measure: "Measure",
  case: "Case",
  nodes: "n",
};

function partOf(dimension: PaperDimension, cell: ComparedCell, values: PaperValues): string {
  if (dimension === "measure") return cell.label;
  if (dimension === "case" || dimension === "nodes") return String(cell[dimension] ?? "");
  return namesOf(cell, values)[dimension] ?? "";
}

/** Measures of which more or less is better; others have no best. */
const BEST: { readonly [measure: string]: "max" | "min" } = {
  accuracy: "max",
  precision: "max",
  recall: "max",
  f1: "max",
  tokenRecall: "max",
  costCents: "min",
  latencySeconds: "min",
  ...Object.fromEntries(
    [
      "correctness",
      "relevance",
      "factuality",
      "comprehensiveness",
      "knowledgeability",
      "logical-coherence",
      "diversity",
    ].map((name) => [`ge.${name}`, "max"]),
  ),
};

function formatOf(measure: string): (value: number) => string {
  if (measure === "tokenRecall" || measure.startsWith("ge.")) return decimals(3);
  if (measure.startsWith("calls")) return decimals(2);
  if (measure.endsWith("PerMTok")) return decimals(2);
  if (COUNTS.has(measure)) return integer;
  return measure === "topP" || measure === "temperature" ? String : decimals(1);
}

const COUNTS: ReadonlySet<string> = new Set([
  "documents",
  "chunks",
  "tokens",
  "questions",
  "nodes",
  "maxDepth",
  "nodeTokensMean",
  "nodeTokensMedian",
  "nodeTokensP95",
  "cases",
  "targetCorrect",
  "topK",
  "minP",
  "buildMaxTokens",
]);

function titleOf(id: number | string, about: string): string {
  const name = typeof id === "number" ? `Table ${id}` : id.replace("figure-", "Figure ");
  return `${name} of the paper: ${about}`;
}

/** What a reader must know of a table: how much is measured, in what ours departs, what would fill the rest. */
function notesOf({ table, cells, fill }: ComparedTable, values: PaperValues): string[] {
  const measured = cells.filter(({ ours }) => ours !== undefined);
  const standIns = measured.filter(({ basis }) => basis === "stand-in");
  return [
    countSentence(cells),
    ...(standIns.length === 0
      ? []
      : [
          `${standIns.length} numbers of ours are by a stand-in model and say nothing of the paper's.`,
        ]),
    ...departures(measured, values),
    ...table.notes,
    ...values.anomalies.filter(({ tables }) => tables.includes(table.id)).map(({ text }) => text),
    ...table.absent.map(
      ({ method, dataset, reason }) =>
        `The paper has no ${values.names.methods[method]} on ${values.names.datasets[dataset]}: ${reason}.`,
    ),
    ...(cells.some(({ estimated }) => estimated)
      ? ["Some of the paper's numbers are its own estimates."]
      : []),
    ...fill.map(fillSentence),
  ];
}

/** How much of some printed numbers is measured as the paper measured it; settings are no measurements. */
export function countSentence(cells: readonly ComparedCell[]): string {
  const asPaper = cells.filter(({ basis }) => basis === "protocol");
  if (cells.every(({ table }) => table === 7)) {
    return `${asPaper.length} of ${cells.length} settings are those of the paper.`;
  }
  const withInterval = asPaper.filter(({ inside }) => inside !== null);
  const inside = withInterval.filter((cell) => cell.inside === true);
  const held =
    withInterval.length === 0
      ? ""
      : `; ${inside.length} of the ${withInterval.length} intervals of ours hold the paper's number`;
  return `${asPaper.length} of ${cells.length} printed numbers are measured as the paper measured them${held}.`;
}

/** One sentence per run and data set: everything in which it departs. */
function departures(cells: readonly ComparedCell[], { names }: PaperValues): string[] {
  const found = new Map<string, Set<string>>();
  for (const { source, dataset, deviations } of cells) {
    if (deviations.length === 0) continue;
    const place = [source, dataset === undefined ? "" : (names.datasets[dataset] ?? dataset)];
    const key = place.filter((part) => part !== "").join(", ");
    const phrases = found.get(key) ?? new Set();
    found.set(key, phrases);
    for (const phrase of deviations) phrases.add(phrase);
  }
  return [...found].map(([place, phrases]) => `${place}: ${[...phrases].join("; ")}.`);
}

export function fillSentence({
  command,
  cells,
  answerUsd,
  basis,
  buildUsd,
}: ComparedTable["fill"][number]): string {
  const cost = answerUsd === null ? "cost unknown" : `about ${dollars(answerUsd)}`;
  const builds = buildUsd === 0 ? "" : `, builds up to ${dollars(buildUsd)} more by Table 9`;
  return `Missing ${cells}: ${command} (${cost}${builds}; ${basis}).`;
}
