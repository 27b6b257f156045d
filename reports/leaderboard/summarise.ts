import type { Outcome } from "../../core/method.ts";
import type { Judgement, RecordKey, RunRecord } from "../../core/record.ts";
import type { JudgementTable } from "../../core/run-folder/judgements.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { type Accuracy, questionAccuracy } from "../../core/statistics/accuracy.ts";
import { inputTokens } from "../../core/usage.ts";

/** A mean over questions (repeats averaged first) and how many questions had a value. */
export interface Mean {
  value: number | null;
  n: number;
}

/** Everything a table says of one method with one model on one data set. */
export interface LeaderboardRow {
  dataset: string;
  model: string;
  method: string;
  /** As tables print it: `RIT-RAG`. */
  title: string;
  /** Why the method was not run here; then everything below is empty. */
  unfit: string | undefined;
  questions: number;
  records: number;
  outcomes: { readonly [outcome in Outcome]?: number };
  accuracy: Accuracy;
  tokenRecall: Mean;
  /** Means of precision and recall; F1 of these two means (notes 9.4), not the mean of F1s. */
  precision: Mean;
  recall: Mean;
  f1OfMeans: number | null;
  meanF1: Mean;
  toolCalls: Mean;
  inputTokens: Mean;
  outputTokens: Mean;
  /** List price per question; null when a price is unknown. */
  costUsd: Mean;
  /** With the vendor's price for cached tokens. */
  cachedCostUsd: Mean;
  /** Hypothetical cost of an offline model at the paper's Haiku price. */
  costAtHaikuUsd: Mean;
  /** Sum of the model calls' latency per question; null for models without latency. */
  llmMs: Mean;
  /** Records some of whose calls came from the response cache: their latency is the original one. */
  replayed: number;
}

/** Names under which the scorers' judgements are stored. */
const TOKEN_RECALL = "token-recall";
const EVIDENCE = "evidence";

/** Name of the judge that gives the verdicts of a run: the judging pass names it first. */
export function verdictJudge({ manifest }: Pick<StoredRun, "manifest">): string | undefined {
  return manifest.judges[0]?.name;
}

/** One row per data set, model and method, in the manifest's order; rows of methods that do not fit included. */
export function summariseRun(run: StoredRun): LeaderboardRow[] {
  const { manifest } = run;
  const verdicts = verdictJudge(run);
  const tables = {
    verdict: verdicts === undefined ? undefined : run.judgements(verdicts),
    tokenRecall: run.judgements(TOKEN_RECALL),
    evidence: run.judgements(EVIDENCE),
  };
  const groups = new Map<string, RecordKey[]>();
  for (const key of run.keys) {
    const group = groupKey(key);
    const keys = groups.get(group);
    if (keys === undefined) groups.set(group, [key]);
    else keys.push(key);
  }
  return manifest.datasets.flatMap((dataset) =>
    manifest.models.flatMap((model) =>
      manifest.methods.flatMap((method) => {
        const place = { dataset: dataset.name, model: model.id, method: method.name };
        const keys = groups.get(groupKey(place)) ?? [];
        const unfit = method.unfit[dataset.name];
        if (keys.length === 0 && unfit === undefined) return [];
        return [{ ...place, title: method.title, unfit, ...summarise(run, keys, tables) }];
      }),
    ),
  );
}

function groupKey({ dataset, model, method }: Pick<RecordKey, "dataset" | "model" | "method">) {
  return JSON.stringify([dataset, model, method]);
}

interface Tables {
  verdict: JudgementTable | undefined;
  tokenRecall: JudgementTable;
  evidence: JudgementTable;
}

type Summary = Omit<LeaderboardRow, "dataset" | "model" | "method" | "title" | "unfit">;

function summarise(run: StoredRun, keys: readonly RecordKey[], tables: Tables): Summary {
  const outcomes: { [outcome in Outcome]?: number } = {};
  const sums = byName(() => questionMeans());
  let replayed = 0;
  for (const key of keys) {
    const record = run.record(key)!;
    outcomes[record.outcome] = (outcomes[record.outcome] ?? 0) + 1;
    if (record.usage.replayed) replayed++;
    for (const [name, value] of Object.entries(measuresOf(record))) sums(name).add(key, value);
    sums("tokenRecall").add(key, scoreOf(tables.tokenRecall.get(key)));
    for (const name of ["precision", "recall", "f1"]) {
      sums(name).add(key, scoreOf(tables.evidence.get(key), name));
    }
  }
  const [precision, recall] = [sums("precision").mean(), sums("recall").mean()];
  return {
    questions: new Set(keys.map(({ questionId }) => questionId)).size,
    records: keys.length,
    outcomes,
    accuracy: questionAccuracy(
      keys.map((key) => ({ questionId: key.questionId, value: tables.verdict?.get(key)?.value })),
    ),
    tokenRecall: sums("tokenRecall").mean(),
    precision,
    recall,
    f1OfMeans: harmonic(precision.value, recall.value),
    meanF1: sums("f1").mean(),
    toolCalls: sums("toolCalls").mean(),
    inputTokens: sums("inputTokens").mean(),
    outputTokens: sums("outputTokens").mean(),
    costUsd: sums("costUsd").mean("all"),
    cachedCostUsd: sums("cachedCostUsd").mean("all"),
    costAtHaikuUsd: sums("costAtHaikuUsd").mean(),
    llmMs: sums("llmMs").mean(),
    replayed,
  };
}

function measuresOf(record: RunRecord): { [name: string]: number | null } {
  const { usage, toolCalls } = record;
  return {
    toolCalls: Object.values(toolCalls).reduce((sum, count) => sum + count, 0),
    inputTokens: inputTokens(usage),
    outputTokens: usage.outputTokens,
    costUsd: usage.costUsd,
    cachedCostUsd: usage.cachedCostUsd,
    costAtHaikuUsd: record.costAtHaikuUsd ?? null,
    llmMs: usage.llmMs,
  };
}

function scoreOf(judgement: Judgement | undefined, name?: string): number | null {
  const value = judgement?.value;
  if (value?.kind === "score") return value.score;
  if (value?.kind === "scores" && name !== undefined) return value.scores[name] ?? null;
  return null;
}

interface QuestionMeans {
  add(key: RecordKey, value: number | null): void;
  /** `all`: one missing value makes the mean unknown (money); else missing values are left out and n says so. */
  mean(rule?: "all"): Mean;
}

/**
 * Means by question first, so that a question asked several times weighs as one. Keys come in the run's order, in
 * which the answers to a question stand together: only one question's values are held at a time.
 */
function questionMeans(): QuestionMeans {
  let question: string | undefined;
  let [sum, count] = [0, 0];
  let [meansSum, means] = [0, 0];
  let missing = 0;
  const finishQuestion = (): void => {
    if (count > 0) {
      meansSum += sum / count;
      means++;
    }
    [sum, count] = [0, 0];
  };
  return {
    add({ questionId }, value) {
      if (questionId !== question) finishQuestion();
      question = questionId;
      if (value === null) {
        missing++;
        return;
      }
      sum += value;
      count++;
    },
    mean(rule) {
      finishQuestion();
      if (means === 0 || (rule === "all" && missing > 0)) return { value: null, n: 0 };
      return { value: meansSum / means, n: means };
    },
  };
}

function byName<T>(make: () => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
}

function harmonic(precision: number | null, recall: number | null): number | null {
  if (precision === null || recall === null) return null;
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}
