import pLimit from "p-limit";
import { messageOf } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { QuestionId } from "../../core/ids.ts";
import type { Judge } from "../../core/judge.ts";
import type { ChatModel } from "../../core/model.ts";
import { ModelError } from "../../core/model-error.ts";
import type { Question } from "../../core/question.ts";
import type { JudgementValue, RunRecord } from "../../core/record.ts";
import { type Accuracy, accuracy } from "../../core/statistics/accuracy.ts";
import { type Agreement, cohensKappa } from "../../core/statistics/kappa.ts";
import { percent } from "../../core/statistics/words.ts";
import { noUsage } from "../../core/usage.ts";
import { type LabelledCase, type LabelledSet, readLabelledSet } from "./labelled.ts";

export interface CheckOptions {
  /** How often each case is judged; default 2, the least that shows self-consistency. */
  repeats?: number;
  /** The judge model per repeat, so that a repeat is a call of its own and not a cached reply. */
  modelFor?: (repeat: number) => ChatModel;
  labelled?: LabelledSet;
  concurrency?: number;
  signal?: AbortSignal;
  onProgress?(done: number, total: number): void;
}

/** Where a judge's verdicts and the labels part, over the cases of one kind (or style). */
export interface Confusion {
  name: string;
  n: number;
  /** Label right, judged right. */
  truePositives: number;
  /** Label wrong, judged wrong. */
  trueNegatives: number;
  /** Label wrong, judged right. */
  falsePositives: number;
  /** Label right, judged wrong. */
  falseNegatives: number;
  unscored: number;
}

/** How far a judge can be trusted. */
export interface JudgeCheck {
  judge: string;
  /** Of the judge and its model together, as stored with judgements. */
  fingerprint: Fingerprint;
  model: string | null;
  labelled: { n: number; fingerprint: Fingerprint };
  repeats: number;
  /** Agreement with the labels in the first repeat; `n` is what was scored. */
  accuracy: Accuracy;
  /** The same without borderline cases. */
  clearCases: Accuracy;
  agreement: Agreement;
  /** Share of cases labelled right: what a judge that always says right would reach. */
  baseRate: number;
  /** Share of cases that got the same verdict in all repeats; null with one repeat or no case scored in all. */
  selfConsistency: number | null;
  total: Confusion;
  byKind: readonly Confusion[];
  byStyle: readonly Confusion[];
  /** Cases on which judge and label differ, or that it could not judge. */
  differing: readonly {
    id: string;
    kind: string;
    borderline: boolean;
    label: boolean;
    verdict: boolean | null;
    reason: string;
    reply: string | null;
  }[];
  costUsd: number | null;
  sentence: string;
}

/**
 * Runs a judge over the labelled set.
 *
 * @throws ModelError for `budget` and `aborted`; any other fault leaves its case unscored.
 */
export async function checkJudge(judge: Judge, options: CheckOptions = {}): Promise<JudgeCheck> {
  const { cases, fingerprint: set } = options.labelled ?? readLabelledSet();
  const repeats = options.repeats ?? 2;
  const signal = options.signal ?? new AbortController().signal;
  const limit = pLimit(options.concurrency ?? 8);
  let costUsd: number | null = 0;
  let done = 0;
  const judged = await Promise.all(
    cases.map((labelled) =>
      Promise.all(
        Array.from({ length: repeats }, (_, repeat) =>
          limit(async () => {
            signal.throwIfAborted();
            const result = await judgeCase(
              judge,
              labelled,
              repeat,
              options.modelFor?.(repeat),
              signal,
            );
            const cost = result.usage === undefined ? 0 : result.usage.costUsd;
            costUsd = costUsd === null || cost === null ? null : costUsd + cost;
            options.onProgress?.(++done, cases.length * repeats);
            return result;
          }),
        ),
      ),
    ),
  );
  const rows = cases.map((labelled, index) => {
    const verdicts = judged[index]!.map(({ value }) => verdictOf(value));
    const [first] = judged[index]!;
    return {
      labelled,
      verdicts,
      verdict: verdicts[0] ?? null,
      value: first!.value,
      reply: first!.reply ?? null,
    };
  });
  const agreed = rows.map(
    ({ labelled, value, verdict }): Row => ({
      borderline: labelled.borderline,
      value: verdict === null ? value : { kind: "verdict", correct: verdict === labelled.correct },
    }),
  );
  const agreement = cohensKappa(
    rows.flatMap(({ labelled, verdict }) =>
      verdict === null ? [] : [[labelled.correct, verdict] as const],
    ),
  );
  const stable = rows.filter(({ verdicts }) => verdicts.every((verdict) => verdict !== null));
  const selfConsistency =
    repeats < 2 || stable.length === 0
      ? null
      : stable.filter(({ verdicts }) => new Set(verdicts).size === 1).length / stable.length;
  const overall = accuracy(agreed.map(({ value }) => value));
  const model = judge.needsModel ? options.modelFor?.(0) : undefined;
  const pairs = rows.map(({ labelled, verdict }) => ({ labelled, verdict }));
  return {
    judge: judge.name,
    fingerprint: fingerprint({ judge: judge.fingerprint, model: model?.fingerprint ?? null }),
    model: model?.id ?? null,
    labelled: { n: cases.length, fingerprint: set },
    repeats,
    accuracy: overall,
    clearCases: accuracy(agreed.filter(({ borderline }) => !borderline).map(({ value }) => value)),
    agreement,
    baseRate: cases.filter(({ correct }) => correct).length / cases.length,
    selfConsistency,
    total: confusion("all", pairs),
    byKind: confusionsBy(pairs, ({ kind }) => kind),
    byStyle: confusionsBy(pairs, ({ style }) => style),
    differing: rows
      .filter(({ labelled, verdict }) => verdict !== labelled.correct)
      .map(({ labelled: { id, kind, borderline, correct, reason }, verdict, reply }) => ({
        id,
        kind,
        borderline,
        label: correct,
        verdict,
        reason,
        reply,
      })),
    costUsd,
    sentence: `${judge.name}${model === undefined ? "" : ` with ${model.id}`} agrees with ${overall.sentence}; ${agreement.sentence}; self-consistency ${percent(selfConsistency)} over ${repeats} repeats`,
  };
}

interface Row {
  borderline: boolean;
  value: JudgementValue;
}

async function judgeCase(
  judge: Judge,
  labelled: LabelledCase,
  repeat: number,
  model: ChatModel | undefined,
  signal: AbortSignal,
) {
  try {
    return await judge.judge(questionOf(labelled), recordOf(labelled, repeat), {
      signal,
      ...(model === undefined ? {} : { model }),
    });
  } catch (error) {
    if (error instanceof ModelError && (error.kind === "budget" || error.kind === "aborted"))
      throw error;
    signal.throwIfAborted();
    const value: JudgementValue = { kind: "unscored", reason: "judge_error" };
    return { value, reply: messageOf(error) };
  }
}

function questionOf({ id, style, question, goldAnswers, answerable }: LabelledCase): Question {
  return {
    id: id as QuestionId,
    dataset: style,
    text: question,
    goldAnswers,
    evidence: [],
    answerable,
    meta: {},
  };
}

function recordOf({ id, style, answer }: LabelledCase, repeat: number): RunRecord {
  return {
    schema: "ritbench.record/1",
    dataset: style,
    method: "labelled",
    model: "labelled",
    questionId: id,
    repeat,
    outcome: "answered",
    answer,
    reasoning: "",
    sources: [],
    flags: [],
    reads: [],
    shownNodes: [],
    toolCalls: {},
    modelCalls: 0,
    usage: noUsage,
    wallMs: 0,
    trace: "",
  };
}

function verdictOf(value: JudgementValue): boolean | null {
  return value.kind === "verdict" ? value.correct : null;
}

type Pair = { labelled: LabelledCase; verdict: boolean | null };

function confusion(name: string, pairs: readonly Pair[]): Confusion {
  const count = (label: boolean, verdict: boolean): number =>
    pairs.filter((pair) => pair.labelled.correct === label && pair.verdict === verdict).length;
  return {
    name,
    n: pairs.length,
    truePositives: count(true, true),
    trueNegatives: count(false, false),
    falsePositives: count(false, true),
    falseNegatives: count(true, false),
    unscored: pairs.filter(({ verdict }) => verdict === null).length,
  };
}

function confusionsBy(
  pairs: readonly Pair[],
  nameOf: (labelled: LabelledCase) => string,
): Confusion[] {
  const names = [...new Set(pairs.map(({ labelled }) => nameOf(labelled)))].sort();
  return names.map((name) =>
    confusion(
      name,
      pairs.filter(({ labelled }) => nameOf(labelled) === name),
    ),
  );
}
