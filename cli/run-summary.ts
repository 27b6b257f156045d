import type { RunRecord, UnscoredReason } from "../core/record.ts";
import type { StoredRun } from "../core/run-folder/open-run.ts";
import { countProblems } from "../core/run-folder/problem.ts";
import { inputTokens } from "../core/usage.ts";
import type { CacheReport } from "../models/gateway-state.ts";
import type { Ledger } from "../models/ledger.ts";
import type { JudgedBy, JudgingResult } from "../pipelines/judging/judge-run.ts";
import type { RunResult } from "../pipelines/run/execute.ts";
import { summariseRun } from "../reports/leaderboard/summarise.ts";
import { cellsOf } from "../reports/leaderboard/table.ts";
import { dollars, integer } from "../reports/table/format.ts";
import { plainText } from "../reports/table/plain-text.ts";
import type { Config } from "./config/schema.ts";
import { type ExitCode, exitCode, type Io } from "./io.ts";
import { printJson } from "./output.ts";

export interface RunSummary {
  result: RunResult;
  /** Undefined when the run was interrupted before judging. */
  judging: JudgingResult | undefined;
  stored: StoredRun;
  cache: CacheReport;
  ledger: Ledger;
}

/** What standard error says after a run. */
export function summaryLines(summary: RunSummary): string[] {
  const { result, judging, stored, cache, ledger } = summary;
  const notRunnable = Object.entries(result.notRunnable).filter(([, count]) => count > 0);
  const money = ledger.rows().map(({ role, model, calls, replays, live }) => {
    const cost = live.costUsd === null ? "cost unknown" : dollars(live.costUsd);
    return `${role}: ${model}, ${calls} calls, ${replays} replayed, ${integer(inputTokens(live))} tokens in, ${integer(live.outputTokens)} out, ${cost}`;
  });
  const miss =
    cache.firstMiss === undefined
      ? ""
      : `; first miss: ${cache.firstMiss.task}, ${cache.firstMiss.reason} (ritbench explain-cache ${cache.firstMiss.key})`;
  return [
    `run ${result.id}: ${STATUS[result.status]}, ${result.executed} answered now, ${result.kept} kept, of ${result.planned}`,
    ...(result.budget === undefined ? [] : [`stopped: ${result.budget}`]),
    ...(judging?.budget === undefined ? [] : [`judging stopped: ${judging.budget}`]),
    ...(result.budget === undefined && judging?.budget === undefined
      ? []
      : ["the same command with a higher --max-cost-usd continues"]),
    ...errorLines(stored, result),
    ...(judging === undefined ? [] : judging.judges.flatMap(judgeFailureLines)),
    ...notRunnable.map(
      ([dataset, count]) =>
        `${dataset}: ${count} questions cannot be run here (data validate says why)`,
    ),
    ...result.unfit.map(({ method, dataset }) => `${method} on ${dataset}: n/a (does not fit)`),
    ...money,
    `cache: ${cache.hits} hits, ${cache.misses} misses${miss}`,
    ...countProblems(result.problems).map(({ sentence }) => sentence),
    ...(result.status === "interrupted" ? ["the same command continues"] : []),
  ];
}

const STATUS: { readonly [status in RunResult["status"]]: string } = {
  finished: "finished",
  interrupted: "interrupted",
  budget: "stopped at its cost cap",
};

/** Errors by code with the first of each, and how to look at one and ask again. */
function errorLines(stored: StoredRun, { id, retriesFailed }: RunResult): string[] {
  const byCode = new Map<string, { count: number; first: RunRecord }>();
  for (const key of stored.keys) {
    if (!stored.failed(key)) continue;
    const record = stored.record(key)!;
    const code = record.error?.code ?? "E_UNKNOWN";
    const known = byCode.get(code);
    if (known === undefined) byCode.set(code, { count: 1, first: record });
    else known.count++;
  }
  const lines = [...byCode].map(([code, { count, first }]) => {
    const { questionId, method, error } = first;
    return `${count} x ${code}, first on ${plainText(questionId)} (${method}): ${plainText(error?.message ?? "")}`;
  });
  const [one] = [...byCode.values()];
  return [
    ...lines,
    ...(retriesFailed === 0 ? [] : [`${retriesFailed} errors asked again failed again`]),
    ...(one === undefined
      ? []
      : [
          `ritbench show ${id} ${plainText(one.first.questionId)} shows one; --retry-errors asks them again`,
        ]),
  ];
}

/** What kept a judge from its judgements. */
export function judgeFailureLines({ name, unscored, firstFailure }: JudgedBy): string[] {
  if (firstFailure === undefined) return [];
  const failed = unscored.judge_error ?? 0;
  return [
    `${name}: ${failed} x judge_error, first: ${plainText(firstFailure)}`,
    "the same command judges these again",
  ];
}

/** Unscored for another reason than the data's or the answer's. */
export function unscoredFaults(unscored: { readonly [reason in UnscoredReason]?: number }): number {
  // No gold is a property of the data, not a failure of this run; no answer is counted as an error.
  const { no_gold: _, no_answer: __, ...faults } = unscored;
  return Object.values(faults).reduce((sum, count) => sum + count, 0);
}

/** 130, 4 and 3 before 0: interrupted, over budget, too many errors or unscored (said on standard error). */
export function runExitCode(
  io: Io,
  summary: RunSummary,
  { limits }: Pick<Config, "limits">,
): ExitCode {
  const { result, judging, stored } = summary;
  if (result.status === "interrupted" || judging?.status === "interrupted")
    return exitCode.interrupted;
  if (result.status === "budget" || judging?.status === "budget") return exitCode.budget;
  const rows = summariseRun(stored);
  const records = rows.reduce((sum, row) => sum + row.records, 0);
  const errors = rows.reduce((sum, row) => sum + (row.outcomes.error ?? 0), 0);
  const failed = rows.reduce((sum, { accuracy }) => sum + unscoredFaults(accuracy.unscored), 0);
  return shareExitCode(io, { errors, unscored: failed, of: records }, limits);
}

/** 3 with a sentence on standard error where more failed than `limits.maxErrorShare` allows. */
export function shareExitCode(
  io: Io,
  { errors = 0, unscored, of }: { errors?: number; unscored: number; of: number },
  { maxErrorShare }: Config["limits"],
): ExitCode {
  if (of === 0 || Math.max(errors, unscored) / of <= maxErrorShare) return exitCode.ok;
  const what =
    errors >= unscored
      ? `${errors} of ${of} ended in an error`
      : `${unscored} of ${of} are unscored`;
  io.err(
    `exit ${exitCode.tooManyErrors}: ${what}, more than limits.maxErrorShare allows (${maxErrorShare})\n`,
  );
  return exitCode.tooManyErrors;
}

/** The run as `ritbench.run/1` (docs/json.md). */
export function printRunJson(io: Io, summary: RunSummary): void {
  const { result, judging, stored, cache, ledger } = summary;
  const { manifest } = stored;
  printJson(io, "run", {
    run: result.id,
    folder: result.folder,
    status: result.status,
    planned: result.planned,
    kept: result.kept,
    executed: result.executed,
    notRunnable: result.notRunnable,
    unfit: result.unfit,
    rows: summariseRun(stored).map(cellsOf),
    judges: judging?.judges ?? [],
    cache,
    ledger: ledger.rows(),
    problems: countProblems(stored.problems),
    offline: manifest.models.some(({ offline }) => offline),
    fingerprints: {
      identity: manifest.identity,
      datasets: Object.fromEntries(
        manifest.datasets.map(({ name, corpus, chunks, retriever }) => [
          name,
          { corpus, chunks, retriever },
        ]),
      ),
      methods: Object.fromEntries(
        manifest.methods.map(({ name, fingerprint }) => [name, fingerprint]),
      ),
      models: Object.fromEntries(manifest.models.map(({ id, fingerprint }) => [id, fingerprint])),
      judges: Object.fromEntries(
        manifest.judges.map(({ name, fingerprint }) => [name, fingerprint]),
      ),
    },
  });
}
