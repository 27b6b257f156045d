import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { countProblems } from "../../core/run-folder/problem.ts";
import { checkFooting, type Footing } from "../fairness/equal-footing.ts";
import { decimals, dollars, integer, percent, seconds } from "../table/format.ts";
import type { CellValue, Column, Row, Table } from "../table/table.ts";
import { type LeaderboardRow, summariseRun, verdictJudge } from "./summarise.ts";

const NUMBER = { align: "right" } as const;

/** Columns of the main table; CSV and JSON have further ones. */
function columns(rows: readonly Row[], several: { models: boolean }): Column[] {
  const hasLatency = rows.some(({ llmMs }) => llmMs !== null);
  const hypothetical = rows.some(({ costAtHaikuUsd }) => costAtHaikuUsd !== null);
  const all: (Column | false)[] = [
    { key: "dataset", label: "Data set" },
    several.models && { key: "model", label: "Model", wrap: true },
    { key: "title", label: "Method" },
    { key: "accuracy", label: "Accuracy", ...NUMBER, format: accuracyText, best: "max" },
    { key: "interval", label: "95%", ...NUMBER },
    { key: "scored", label: "Scored", ...NUMBER },
    {
      key: "tokenRecall",
      label: "Tok. rec.",
      ...NUMBER,
      format: percent,
      best: "max",
      dispensable: 1,
    },
    { key: "precision", label: "P", ...NUMBER, format: percent, best: "max", dispensable: 2 },
    { key: "recall", label: "R", ...NUMBER, format: percent, best: "max", dispensable: 2 },
    { key: "f1OfMeans", label: "F1", ...NUMBER, format: percent, best: "max" },
    { key: "toolCalls", label: "Calls", ...NUMBER, format: decimals(2), dispensable: 4 },
    {
      key: "inputTokens",
      label: "Tokens in",
      ...NUMBER,
      format: integer,
      best: "min",
      dispensable: 3,
    },
    { key: "outputTokens", label: "out", ...NUMBER, format: integer, dispensable: 6 },
    {
      key: "costUsd",
      label: "Cost",
      ...NUMBER,
      format: dollars,
      best: "min",
      ...(hypothetical ? { dispensable: 5 } : {}),
    },
    hypothetical && {
      key: "costAtHaikuUsd",
      label: "Haiku $*",
      ...NUMBER,
      format: dollars,
      best: "min",
    },
    {
      key: "llmMs",
      label: "Latency",
      ...NUMBER,
      ...(hasLatency ? { format: seconds, best: "min" as const } : { dispensable: 5 }),
    },
  ];
  return all.filter((column) => column !== false);
}

function accuracyText(value: string | number | boolean): string {
  return typeof value === "number" ? percent(value) : String(value);
}

/** The leaderboard of a run, with captions that say what the figures rest on. */
export function leaderboardTable(run: StoredRun, rows = summariseRun(run)): Table {
  const footing = checkFooting([run.manifest]);
  const cells = rows.map((row) => ({ ...cellsOf(row), title: markedTitle(run, row, footing) }));
  return {
    title: `${run.manifest.name}: ${run.manifest.id}`,
    columns: columns(cells, { models: run.manifest.models.length > 1 }),
    rows: cells,
    bestBy: "dataset",
    notes: captions(run, rows),
  };
}

/** With a dagger where the row does not stand on equal footing or is a declared exception: the notes say why. */
function markedTitle({ manifest }: StoredRun, row: LeaderboardRow, { marks }: Footing): string {
  const { dataset, method, model, title } = row;
  const differs = marks.some(
    (mark) => mark.dataset === dataset && mark.method === method && mark.model === model,
  );
  const own = manifest.methods.find(({ name }) => name === method)?.ownChunking;
  return differs || own !== undefined ? `${title} †` : title;
}

/** Raw values of a row: fractions, US dollars, milliseconds; null where there is none. */
export function cellsOf(row: LeaderboardRow): Row {
  const { accuracy, unfit } = row;
  const fits = (value: CellValue): CellValue => (unfit === undefined ? value : null);
  return {
    dataset: row.dataset,
    model: row.model,
    method: row.method,
    title: row.title,
    accuracy: unfit === undefined ? accuracy.estimate : "n/a (does not fit)",
    accuracyLow: accuracy.low,
    accuracyHigh: accuracy.high,
    interval:
      accuracy.low === null || accuracy.high === null
        ? null
        : `${(accuracy.low * 100).toFixed(1)}–${(accuracy.high * 100).toFixed(1)}`,
    scored: fits(`${accuracy.n}/${accuracy.total}`),
    nScored: fits(accuracy.n),
    nTotal: fits(accuracy.total),
    tokenRecall: row.tokenRecall.value,
    precision: row.precision.value,
    recall: row.recall.value,
    nEvidence: fits(row.precision.n),
    f1OfMeans: row.f1OfMeans,
    meanF1: row.meanF1.value,
    toolCalls: row.toolCalls.value,
    inputTokens: row.inputTokens.value,
    outputTokens: row.outputTokens.value,
    costUsd: row.records > 0 && row.costUsd.value === null ? "unknown" : row.costUsd.value,
    cachedCostUsd:
      row.records > 0 && row.cachedCostUsd.value === null ? "unknown" : row.cachedCostUsd.value,
    costAtHaikuUsd: row.costAtHaikuUsd.value,
    llmMs: row.llmMs.value,
    errors: fits(row.outcomes.error ?? 0),
    outcomes: fits(outcomesText(row)),
    replayed: fits(row.replayed),
  };
}

function outcomesText({ outcomes }: LeaderboardRow): string {
  return Object.entries(outcomes)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .sort()
    .join(", ");
}

/** Sentences under every table and figure of a run. */
export function captions(run: StoredRun, rows: readonly LeaderboardRow[]): string[] {
  const { manifest } = run;
  const offline = manifest.models.filter((model) => model.offline).map(({ id }) => id);
  const judge = verdictJudge(run);
  const judgeEntry = manifest.judges.find(({ name }) => name === judge);
  const replayed = rows.reduce((sum, row) => sum + row.replayed, 0);
  const records = rows.reduce((sum, row) => sum + row.records, 0);
  return [
    ...(UNFINISHED[manifest.status] ?? [`The run is ${manifest.status}.`]),
    ...(offline.length === 0
      ? []
      : [
          `${offline.join(", ")} is an offline model: a deterministic stand-in, not a language model. Its figures show that the harness works; they say nothing of the methods. No latency, cost 0; * is hypothetical: o200k tokens at the paper's Haiku price.`,
        ]),
    `Models: ${manifest.models.map(({ id, resolved }) => (resolved.length === 0 ? id : `${id} (${resolved.join(", ")})`)).join("; ")}. Verdicts: ${judge === undefined ? "not judged yet (ritbench judge)" : `${judge}${judgeEntry?.model === undefined ? "" : ` by ${judgeEntry.model}`}, judge ${judgeEntry?.fingerprint ?? "unknown"}`}.`,
    ...manifest.datasets.map(
      ({ name, questions, corpus, chunks, retriever, embedder, metadata }) =>
        `${name}: ${questions.asked} of ${questions.runnable} runnable questions asked (${questions.total} in all); corpus ${corpus}, chunks ${chunks}, retriever ${retriever}, embeddings ${embedder}, metadata: ${metadata}.`,
    ),
    "Scored = judged of asked, with Wilson's 95% interval. Tok. rec.: token recall. P and R: evidence among what was read; F1 is of these two means. Calls are tool calls; calls, tokens, cost and latency are per question, the judge not counted.",
    ...outcomeNotes(rows),
    ...unscoredNotes(rows),
    ...(replayed === 0
      ? []
      : [
          `${replayed} of ${records} answers hold replayed calls: cost and latency are those of the original calls.`,
        ]),
    ...footingNotes(checkFooting([manifest])),
    ...rows
      .filter(({ unfit }) => unfit !== undefined)
      .map(({ title, dataset, unfit }) => `${title} does not fit ${dataset}: ${unfit}`),
    ...countProblems(run.problems).map(({ sentence }) => `Passed over: ${sentence}.`),
  ];
}

function footingNotes({ differences, exceptions }: Footing): string[] {
  return [
    ...differences.map((sentence) => `† Not on equal footing: ${sentence}.`),
    ...exceptions.map((sentence) => `† ${sentence}`),
  ];
}

const UNFINISHED: { readonly [status: string]: readonly string[] } = {
  finished: [],
  running: ["The run is under way, or was killed: these are the answers so far."],
  interrupted: ["The run was interrupted: these are the answers so far."],
  budget: ["The run stopped at its cost cap: these are the answers so far."],
  failed: ["The run stopped at a fault: these are the answers so far."],
};

/** Outcomes other than an answer, over all rows. */
function outcomeNotes(rows: readonly LeaderboardRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { outcomes } of rows) {
    for (const [outcome, count] of Object.entries(outcomes)) {
      if (outcome !== "answered") counts.set(outcome, (counts.get(outcome) ?? 0) + count);
    }
  }
  if (counts.size === 0) return [];
  const parts = [...counts].sort().map(([outcome, count]) => `${outcome} ${count}`);
  return [`Other outcomes than an answer: ${parts.join(", ")}.`];
}

function unscoredNotes(rows: readonly LeaderboardRow[]): string[] {
  const reasons = new Map<string, number>();
  for (const { accuracy } of rows) {
    for (const [reason, count] of Object.entries(accuracy.unscored)) {
      reasons.set(reason, (reasons.get(reason) ?? 0) + count);
    }
  }
  if (reasons.size === 0) return [];
  const parts = [...reasons].map(([reason, count]) => `${reason} ${count}`);
  return [`Not scored, and left out of the accuracy: ${parts.join(", ")}.`];
}
