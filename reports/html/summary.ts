import type { FailureKind } from "../../core/analysis/failure.ts";
import type { Outcome } from "../../core/method.ts";
import type { RecordKey, RunRecord } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { compareText } from "../../core/run-folder/order.ts";
import { inputTokens } from "../../core/usage.ts";
import { type LeaderboardRow, summariseRun } from "../leaderboard/summarise.ts";
import { leaderboardTable } from "../leaderboard/table.ts";
import { isBest, printed } from "../table/table.ts";
import type {
  FigureFile,
  LeaderboardData,
  QuestionRow,
  RecordRow,
  SummaryHead,
} from "./page-data.ts";
import { questionGroups } from "./question-groups.ts";
import type { RunJudgements } from "./run-judgements.ts";
import { questionFile } from "./script-data.ts";

const OUTCOMES: readonly Outcome[] = [
  "answered",
  "empty",
  "truncated",
  "refused",
  "budget_exhausted",
  "context_overflow",
  "error",
];

const FAILURES: readonly FailureKind[] = [
  "correct",
  "not_retrieved",
  "retrieved_not_shown",
  "shown_not_read",
  "read_but_wrong",
  "wrong_no_evidence",
  "budget",
  "context",
  "truncated",
  "refused",
  "empty",
  "error",
  "judge_unsure",
  "not_judged",
];

/** Longest question text in the list; the whole text stands on the question's own page. */
const LIST_TEXT = 240;

/** The summary of a run as pieces of one JSON text: the whole is never in memory at once. */
export function* summaryJson(
  run: StoredRun,
  judgements: RunJudgements,
  figures: readonly FigureFile[],
): Generator<string> {
  const head = summaryHead(run, figures);
  yield `${JSON.stringify(head).slice(0, -1)},"questions":[`;
  let first = true;
  for (const { dataset, questionId } of questionGroups(run)) {
    const text = run.question(dataset, questionId)?.text ?? "";
    const row: QuestionRow = [
      questionFile(dataset, questionId),
      head.datasets.indexOf(dataset),
      questionId,
      clipped(text),
    ];
    yield `${first ? "" : ","}${JSON.stringify(row)}`;
    first = false;
  }
  yield `],"records":[`;
  let question = 0;
  for (const { keys } of questionGroups(run)) {
    for (const [i, key] of keys.entries()) {
      const row = recordRow(run.record(key)!, question, head, judgements);
      yield `${question === 0 && i === 0 ? "" : ","}${JSON.stringify(row)}`;
    }
    question++;
  }
  yield "]}";
}

function summaryHead(run: StoredRun, figures: readonly FigureFile[]): SummaryHead {
  const { id, name, status, identity, programVersion } = run.manifest;
  const titles = new Map(run.manifest.methods.map((method) => [method.name, method]));
  return {
    schema: "ritbench.html-summary/1",
    run: { id, name, status, identity, programVersion },
    leaderboard: leaderboardData(run, summariseRun(run)),
    figures,
    datasets: named(
      run,
      "dataset",
      run.manifest.datasets.map((dataset) => dataset.name),
    ),
    methods: named(run, "method", [...titles.keys()]).map((method) => ({
      name: method,
      title: titles.get(method)?.title ?? method,
      fingerprint: titles.get(method)?.fingerprint ?? "unknown",
    })),
    models: named(
      run,
      "model",
      run.manifest.models.map((model) => model.id),
    ),
    repeats: run.keys.reduce((most, { repeat }) => Math.max(most, repeat + 1), 0),
    outcomes: OUTCOMES,
    failures: FAILURES,
  };
}

/** Names in the manifest's order, then those that only records have. */
function named(
  run: StoredRun,
  field: "dataset" | "method" | "model",
  manifest: readonly string[],
): string[] {
  const used = new Set(run.keys.map((key: RecordKey) => key[field]));
  const known = manifest.filter((name) => used.delete(name));
  return [...known, ...[...used].sort(compareText)];
}

function leaderboardData(run: StoredRun, rows: LeaderboardRow[]): LeaderboardData {
  const table = leaderboardTable(run, rows);
  const { columns, notes } = table;
  return {
    columns: columns.map(({ key, label, align }) => ({ key, label, right: align === "right" })),
    rows: rows.map((row, i) => {
      const cells = table.rows[i]!;
      const { estimate, low, high } = row.accuracy;
      return {
        cells: columns.map((column) => ({
          text: printed(column, cells),
          best: isBest(table, column, cells),
        })),
        accuracy:
          row.unfit !== undefined || estimate === null || low === null || high === null
            ? null
            : { estimate, low, high },
      };
    }),
    notes,
  };
}

function recordRow(
  record: RunRecord,
  question: number,
  head: SummaryHead,
  judgements: RunJudgements,
): RecordRow {
  const verdict = judgements.verdict(record);
  return [
    question,
    head.methods.findIndex(({ name }) => name === record.method),
    head.models.indexOf(record.model),
    record.repeat,
    OUTCOMES.indexOf(record.outcome),
    verdict?.kind !== "verdict" ? null : verdict.correct ? 1 : 0,
    FAILURES.indexOf(judgements.failure(record)),
    inputTokens(record.usage),
    record.usage.outputTokens,
    record.usage.costUsd,
    record.usage.llmMs,
  ];
}

function clipped(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= LIST_TEXT ? line : `${line.slice(0, LIST_TEXT - 1).toWellFormed()}…`;
}
