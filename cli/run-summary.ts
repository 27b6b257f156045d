import type { StoredRun } from "../core/run-folder/open-run.ts";
import { countProblems } from "../core/run-folder/problem.ts";
import { inputTokens } from "../core/usage.ts";
import type { CacheReport } from "../models/gateway-state.ts";
import type { Ledger } from "../models/ledger.ts";
import type { JudgingResult } from "../pipelines/judging/judge-run.ts";
import type { RunResult } from "../pipelines/run/execute.ts";
import { summariseRun } from "../reports/leaderboard/summarise.ts";
import { cellsOf } from "../reports/leaderboard/table.ts";
import { dollars, integer } from "../reports/table/format.ts";
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
export function summaryLines({ result, judging, cache, ledger }: RunSummary): string[] {
  const notRunnable = Object.entries(result.notRunnable).filter(([, count]) => count > 0);
  const money = ledger.rows().map(({ role, model, calls, replays, live }) => {
    const cost = live.costUsd === null ? "cost unknown" : dollars(live.costUsd);
    return `${role}: ${model}, ${calls} calls, ${replays} replayed, ${integer(inputTokens(live))} tokens in, ${integer(live.outputTokens)} out, ${cost}`;
  });
  const miss =
    cache.firstMiss === undefined
      ? ""
      : `; first miss: ${cache.firstMiss.task}, ${cache.firstMiss.reason}`;
  return [
    `run ${result.id}: ${result.status}, ${result.executed} answered now, ${result.kept} kept, of ${result.planned}`,
    ...(result.budget === undefined ? [] : [`stopped: ${result.budget}`]),
    ...(judging?.budget === undefined ? [] : [`judging stopped: ${judging.budget}`]),
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

/** 130, 4 and 3 before 0: interrupted, over budget, too many errors or unscored. */
export function runExitCode(summary: RunSummary, { limits }: Pick<Config, "limits">): ExitCode {
  const { result, judging, stored } = summary;
  if (result.status === "interrupted" || judging?.status === "interrupted")
    return exitCode.interrupted;
  if (result.status === "budget" || judging?.status === "budget") return exitCode.budget;
  const rows = summariseRun(stored);
  const records = rows.reduce((sum, row) => sum + row.records, 0);
  const errors = rows.reduce((sum, row) => sum + (row.outcomes.error ?? 0), 0);
  // No gold is a property of the data, not a failure of this run.
  const failed = rows.reduce((sum, { accuracy: { unscored } }) => {
    const { no_gold: _, no_answer: __, ...faults } = unscored;
    return sum + Object.values(faults).reduce((all, count) => all + count, 0);
  }, 0);
  const share = records === 0 ? 0 : Math.max(errors, failed) / records;
  return share > limits.maxErrorShare ? exitCode.tooManyErrors : exitCode.ok;
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
