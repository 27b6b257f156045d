import { covers, type PaperInput } from "./candidates.ts";
import { basisOf, type Candidates, type ComparedCell } from "./compared.ts";
import { cellsOfTable, type PaperCell, type PaperTable, type PaperValues } from "./expected.ts";
import { measureGroup, scorerOf } from "./measure.ts";
import type { PaperProtocol } from "./protocol.ts";

/** A command that would measure cells of a table under the paper's protocol. */
export interface FillCommand {
  command: string;
  /** Printed numbers it would put ours beside. */
  cells: number;
  /** Forecast of the answers in US dollars; null = unknown. */
  answerUsd: number | null;
  /** What the forecast rests on, one sentence. */
  basis: string;
  /** Most that builds add, by the paper's Table 9 at Haiku's price; 0 where there are none. */
  buildUsd: number;
}

/** Model whose cost per question the paper prints. */
const PRICED_MODEL = "haiku";

/** Commands for the cells that are not measured under the protocol yet, in the order of the table's experiments. */
export function fillCommands(
  table: PaperTable,
  cells: readonly ComparedCell[],
  input: PaperInput,
  candidates: Candidates,
): FillCommand[] {
  const open = cells.filter(({ basis }) => basis !== "protocol");
  const scoring = new Map<string, FillCommand>();
  const running: ComparedCell[] = [];
  for (const cell of open) {
    const judge = judgeCommand(cell, candidates);
    if (judge === undefined) running.push(cell);
    else {
      const cells = (scoring.get(judge)?.cells ?? 0) + 1;
      const basis = "the judge's calls only; see ritbench run --forecast";
      scoring.set(judge, { command: judge, cells, answerUsd: 0, basis, buildUsd: 0 });
    }
  }
  const runs = table.protocol.flatMap((name): FillCommand[] => {
    const protocol = input.protocols.get(name);
    const own = running.filter(({ dataset }) => protocol && covers(protocol, dataset ?? ""));
    if (protocol === undefined || own.length === 0) return [];
    return [runCommand(table, protocol, own, input, candidates)];
  });
  return [...scoring.values(), ...runs];
}

/** Answers that are there under the protocol and lack only a score. */
function judgeCommand(cell: PaperCell, candidates: Candidates): string | undefined {
  const scorer = scorerOf(cell.measure);
  if (scorer === undefined || cell.dataset === undefined) return undefined;
  const found = candidates(cell).find(
    (candidate) =>
      basisOf(candidate) === "protocol" &&
      measureGroup(cell.measure, candidate.numbers) === undefined,
  );
  return found && `ritbench judge ${found.group.run.manifest.id} --scorers ${scorer}`;
}

function runCommand(
  table: PaperTable,
  protocol: PaperProtocol,
  cells: readonly ComparedCell[],
  input: PaperInput,
  candidates: Candidates,
): FillCommand {
  const path = `configs/paper/${protocol.name}.yaml`;
  if (table.id === 5 || table.id === 6) {
    return {
      command: `ritbench run ${path} --model offline:extractive --judge offline:lexical --limit 1`,
      cells: cells.length,
      answerUsd: 0,
      basis: "counts need no language model: one question by the offline model leaves them on disk",
      buildUsd: 0,
    };
  }
  if (table.id === "figure-8") {
    const sweep = `configs/sweeps/${protocol.name}.yaml`;
    return { command: `ritbench sweep ${sweep}`, cells: cells.length, ...forecast() };
  }
  const config = protocol.config as { methods: string[]; models: string[] };
  const { models } = input.values.names;
  const methods = wanted(
    config.methods,
    cells.map(({ method }) => method),
  );
  const ids = cells.map(({ model }) => models[model ?? ""]?.id);
  const flags = [
    ...(methods.length < config.methods.length ? [`--methods ${methods.join(",")}`] : []),
    ...(wanted(config.models, ids).length < config.models.length
      ? [`--model ${wanted(config.models, ids).join(",")}`]
      : []),
  ];
  return {
    command: ["ritbench run", path, ...flags].join(" "),
    cells: cells.length,
    ...forecast(),
  };

  function forecast(): Pick<FillCommand, "answerUsd" | "basis" | "buildUsd"> {
    return forecastOf(cells, input, candidates);
  }
}

/** The config's own order; all of it where the cells name none (Figure 5 compares all its methods). */
function wanted(all: readonly string[], named: readonly (string | undefined)[]): string[] {
  const some = all.filter((name) => named.includes(name));
  return some.length === 0 ? [...all] : some;
}

function forecastOf(
  cells: readonly ComparedCell[],
  { values }: PaperInput,
  candidates: Candidates,
): Pick<FillCommand, "answerUsd" | "basis" | "buildUsd"> {
  const places = new Map<string, PaperCell>();
  for (const cell of cells) {
    const methods = cell.case === undefined ? [cell.method!] : FIGURE_5_METHODS;
    for (const method of methods) {
      const { model, dataset, nodes } = cell;
      places.set(JSON.stringify([method, model, dataset, nodes]), { ...cell, method });
    }
  }
  let answerUsd: number | null = 0;
  const bases = new Set<string>();
  for (const place of places.values()) {
    const cost = perQuestionUsd(place, values, candidates);
    if (cost === undefined) {
      bases.add("the paper prints no cost for some of it");
      answerUsd = null;
      continue;
    }
    bases.add(cost.basis);
    const questions = place.questions ?? values.sizes[place.dataset!]?.questions;
    if (answerUsd !== null && questions !== undefined) answerUsd += cost.usd * questions;
  }
  return {
    answerUsd,
    basis: [...bases].join("; "),
    buildUsd: buildUsd([...places.values()], values),
  };
}

const FIGURE_5_METHODS = ["agentic-search", "page-index", "rit-rag"];

function perQuestionUsd(
  place: PaperCell,
  values: PaperValues,
  candidates: Candidates,
): { usd: number; basis: string } | undefined {
  for (const { group, numbers, deviations } of candidates(place)) {
    if (basisOf({ deviations }) === "stand-in") continue;
    const measured = measureGroup("costCents", numbers);
    if (measured !== undefined) {
      return { usd: measured.value / 100, basis: `cost per question of ${group.run.manifest.id}` };
    }
  }
  const printed = printedValues(values, 8).find(
    ({ method, dataset, measure }) =>
      measure === "costCents" && method === place.method && dataset === place.dataset,
  );
  if (printed === undefined) return undefined;
  const basis =
    place.model === PRICED_MODEL || place.model === undefined
      ? "the paper's cost per question (Table 8)"
      : "the paper's cost per question with Haiku, other models not printed";
  return { usd: printed.paper / 100, basis };
}

/** RIT-RAG and PageIndex share one build, so the dearer of the two counts. */
function buildUsd(places: readonly PaperCell[], values: PaperValues): number {
  const shared = new Map<string, number>();
  for (const { method, dataset, nodes } of places) {
    const cost = printedValues(values, 9).find(
      (cell) => cell.method === method && cell.dataset === dataset,
    );
    if (cost === undefined || nodes !== undefined) continue;
    const artefact = method === "page-index" ? "rit-rag" : method;
    const key = JSON.stringify([artefact, dataset]);
    shared.set(key, Math.max(shared.get(key) ?? 0, cost.paper));
  }
  return [...shared.values()].reduce((sum, cost) => sum + cost, 0);
}

function printedValues({ tables }: PaperValues, id: number): PaperCell[] {
  const table = tables.find((one) => one.id === id);
  return table === undefined ? [] : cellsOfTable(table);
}
