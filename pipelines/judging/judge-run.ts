import { setMaxListeners } from "node:events";
import pLimit from "p-limit";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { messageOf } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import { isJsonObject } from "../../core/json-diff.ts";
import type { JudgeContext, JudgeResult } from "../../core/judge.ts";
import { ModelError } from "../../core/model-error.ts";
import { type Judgement, keyOf, type RecordKey, type UnscoredReason } from "../../core/record.ts";
import { readManifest } from "../../core/run-folder/manifest.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import type { RunProblem } from "../../core/run-folder/problem.ts";
import { lockRun } from "../run/lock.ts";
import { nameJudges, type RankedJudge } from "./manifest-judges.ts";
import { combineVerdicts, type PanelRule } from "./panel.ts";
import { type JudgeSeat, type NamedSeat, nameSeats } from "./seat.ts";
import { createTally } from "./tally.ts";
import { openJudgementWriter } from "./writer.ts";

export interface JudgeRunOptions {
  /** The run's folder. */
  folder: string;
  seats: readonly JudgeSeat[];
  /** Corpora by data set, for scorers of what was read. */
  corpora: { readonly [dataset: string]: Corpus };
  /** Judgements under way at once. */
  concurrency: number;
  signal: AbortSignal;
  /** One verdict from all seats that have a vote, stored under `panel:<rule>`. */
  panel?: PanelRule;
  onProgress?(progress: JudgingProgress): void;
}

export interface JudgingProgress {
  judge: string;
  done: number;
  total: number;
  /** Spent on judging since the start; null = a price is unknown. */
  costUsd: number | null;
}

export interface JudgedBy {
  name: string;
  fingerprint: Fingerprint;
  /** Judged now. */
  judged: number;
  /** Judged before by the same judge and still valid. */
  kept: number;
  /** Reasons of all judgements that are no score, kept ones included. */
  unscored: { readonly [reason in UnscoredReason]?: number };
  /** What the first judgement that failed now (`judge_error`) failed of; absent where none did. */
  firstFailure?: string;
  costUsd: number | null;
}

export interface JudgingResult {
  status: "finished" | "interrupted" | "budget";
  budget?: string;
  judges: readonly JudgedBy[];
  problems: readonly RunProblem[];
}

/**
 * Judges the stored records of a run; never calls a method. What the same judge (rules, prompts, model) has said of
 * the same answer is kept, except failures of the judge itself. A judge that throws leaves that judgement unscored
 * and goes on; the spending cap and the signal end the pass with everything stored so far.
 *
 * @throws RitbenchError E_RUN_MISSING, E_RUN_LOCKED, E_RUN_WRITE, E_JUDGE_MODEL, E_JUDGE_TWICE.
 */
export async function judgeRun(options: JudgeRunOptions): Promise<JudgingResult> {
  const seats = nameSeats(options.seats);
  readManifest(options.folder);
  const lock = await lockRun(options.folder);
  try {
    const run = openRun(options.folder);
    try {
      return await judgeAll(run, seats, options);
    } finally {
      run.close();
    }
  } finally {
    lock.release();
  }
}

async function judgeAll(
  run: StoredRun,
  seats: readonly NamedSeat[],
  options: JudgeRunOptions,
): Promise<JudgingResult> {
  const judges: JudgedBy[] = [];
  const verdicts: boolean[] = [];
  let budget: string | undefined;
  for (const seat of seats) {
    const pass = await judgeSeat(run, seat, options);
    judges.push(pass.judged);
    verdicts.push(pass.givesVerdicts);
    budget = pass.budget;
    if (pass.crash !== undefined) throw pass.crash;
    if (budget !== undefined || options.signal.aborted) break;
  }
  const status = options.signal.aborted
    ? "interrupted"
    : budget === undefined
      ? "finished"
      : "budget";
  const entries: RankedJudge[] = seats.map(({ name, fingerprint: own, model }, index) => ({
    name,
    fingerprint: own,
    ...(model === undefined ? {} : { model: model.id }),
    rank: verdicts[index] === true ? "verdicts" : "scores",
  }));
  if (status === "finished" && options.panel !== undefined) {
    const voters = seats.filter(({ votes }) => votes);
    const panel = judgePanel(run, voters, options.panel);
    judges.push(panel);
    entries.push({ name: panel.name, fingerprint: panel.fingerprint, rank: "panel" });
  }
  nameJudges(run.folder, entries, status === "finished");
  return {
    status,
    ...(budget === undefined ? {} : { budget }),
    judges,
    problems: run.problems,
  };
}

interface SeatPass {
  judged: JudgedBy;
  givesVerdicts: boolean;
  budget?: string;
  crash?: unknown;
}

async function judgeSeat(
  run: StoredRun,
  seat: NamedSeat,
  options: JudgeRunOptions,
): Promise<SeatPass> {
  const tally = createTally();
  const table = run.judgements(seat.name, seat.fingerprint);
  let kept = 0;
  const open = run.keys.filter((key) => {
    const known = table.get(key)?.value;
    const final = known !== undefined && !isJudgeFailure(known);
    if (final) {
      kept++;
      tally.add(known, 0);
    }
    return !final && run.question(key.dataset, key.questionId) !== undefined;
  });
  const halt = new AbortController();
  const signal = AbortSignal.any([options.signal, halt.signal]);
  setMaxListeners(0, signal);
  const writer = openJudgementWriter(run.folder, seat.name, seat.judge.needsModel);
  const failures = new Map<string, string>();
  let done = 0;
  let budget: string | undefined;
  const report = (): void =>
    options.onProgress?.({ judge: seat.name, done, total: open.length, costUsd: tally.costUsd() });

  async function judgeKey(key: RecordKey): Promise<void> {
    if (signal.aborted || budget !== undefined) return;
    let result: JudgeResult;
    try {
      result = await judgeOne(run, key, seat, options.corpora, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ModelError && error.kind === "budget") {
        budget ??= error.message;
        return;
      }
      const details = { error: messageOf(error) };
      result = { value: { kind: "unscored", reason: "judge_error" }, details };
    }
    writer.append(judgementOf(run, key, seat, result));
    tally.add(result.value, result.usage === undefined ? 0 : result.usage.costUsd);
    if (isJudgeFailure(result.value)) failures.set(keyOf(key), failureText(result));
    done++;
    report();
  }

  report();
  const limit = pLimit(options.concurrency);
  const ends = await Promise.allSettled(
    open.map((key) =>
      limit(() =>
        judgeKey(key).catch((error: unknown) => {
          halt.abort(error);
          throw error;
        }),
      ),
    ),
  );
  writer.close();
  const crashed = ends.find((end) => end.status === "rejected");
  const failed = open.find((key) => failures.has(keyOf(key)));
  return {
    judged: {
      name: seat.name,
      fingerprint: seat.fingerprint,
      judged: done,
      kept,
      unscored: tally.unscored,
      ...(failed === undefined ? {} : { firstFailure: failures.get(keyOf(failed))! }),
      costUsd: tally.costUsd(),
    },
    givesVerdicts: tally.hasVerdicts(),
    ...(budget === undefined ? {} : { budget }),
    ...(crashed === undefined ? {} : { crash: crashed.reason }),
  };
}

function judgeOne(
  run: StoredRun,
  key: RecordKey,
  { judge, model }: NamedSeat,
  corpora: JudgeRunOptions["corpora"],
  signal: AbortSignal,
): Promise<JudgeResult> {
  const record = run.record(key)!;
  const question = run.question(key.dataset, key.questionId)!;
  const corpus = corpora[key.dataset];
  const method = run.manifest.methods.find(({ name }) => name === key.method);
  const context: JudgeContext = {
    signal,
    trace: () => run.trace(record),
    ...(model === undefined ? {} : { model }),
    ...(corpus === undefined ? {} : { corpus }),
    ...(method === undefined ? {} : { scoredReads: method.scoredReads }),
  };
  return judge.judge(question, record, context);
}

/** Combines the verdicts of the voters; cheap, so it is made anew each time and stored where it changed. */
function judgePanel(run: StoredRun, seats: readonly NamedSeat[], rule: PanelRule): JudgedBy {
  const tables = seats.map((seat) => run.judgements(seat.name, seat.fingerprint));
  const name = `panel:${rule}`;
  const own = fingerprint({ rule, seats: seats.map((seat) => seat.fingerprint).sort() });
  const before = run.judgements(name, own);
  const writer = openJudgementWriter(run.folder, name, false);
  const tally = createTally();
  let judged = 0;
  let kept = 0;
  for (const key of run.keys) {
    const values = tables.map((table) => table.get(key)?.value);
    if (run.inputOf(key) === undefined) continue;
    const value = combineVerdicts(values, rule);
    tally.add(value, 0);
    if (JSON.stringify(before.get(key)?.value) === JSON.stringify(value)) {
      kept++;
      continue;
    }
    judged++;
    const details = { seats: seats.map((seat) => seat.name), values: values as never };
    writer.append(judgementOf(run, key, { name, fingerprint: own }, { value, details }));
  }
  writer.close();
  return {
    name,
    fingerprint: own,
    judged,
    kept,
    unscored: tally.unscored,
    costUsd: 0,
  };
}

function judgementOf(
  run: StoredRun,
  { dataset, method, model, questionId, repeat }: RecordKey,
  seat: Pick<NamedSeat, "name" | "fingerprint">,
  result: JudgeResult,
): Judgement {
  const key = { dataset, method, model, questionId, repeat };
  return {
    schema: "ritbench.judgement/1",
    ...key,
    judge: seat.name,
    judgeFingerprint: seat.fingerprint,
    input: run.inputOf(key)!,
    ...result,
  };
}

function failureText({ reply, details }: JudgeResult): string {
  const thrown = isJsonObject(details) ? details.error : undefined;
  return reply || (typeof thrown === "string" ? thrown : "no reason given");
}

function isJudgeFailure(value: Judgement["value"]): boolean {
  return value.kind === "unscored" && value.reason === "judge_error";
}
