import { keyOf, type ManifestDataset, type RecordKey, type RunRecord } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { type Accuracy, accuracy } from "../../core/statistics/accuracy.ts";
import { aggregateRepeats, numberOf } from "../../core/statistics/repeats.ts";
import { verdictJudge } from "../leaderboard/summarise.ts";

/** The answers of one method with one model on one data set in one run. */
export interface PaperGroup {
  run: StoredRun;
  dataset: ManifestDataset;
  method: string;
  model: string;
  offline: boolean;
  keys: readonly RecordKey[];
}

/** Every group of the runs, in the order given. */
export function groupsOf(runs: readonly StoredRun[]): PaperGroup[] {
  return runs.flatMap((run) => {
    const groups = new Map<string, RecordKey[]>();
    for (const key of run.keys) {
      const name = JSON.stringify([key.dataset, key.method, key.model]);
      const keys = groups.get(name);
      if (keys === undefined) groups.set(name, [key]);
      else keys.push(key);
    }
    return [...groups.values()].flatMap((keys): PaperGroup[] => {
      const { dataset: name, method, model } = keys[0]!;
      const dataset = run.manifest.datasets.find((entry) => entry.name === name);
      const entry = run.manifest.models.find(({ id }) => id === model);
      if (dataset === undefined || entry === undefined) return [];
      return [{ run, dataset, method, model, offline: entry.offline, keys }];
    });
  });
}

/** Questions of a group that were answered at all. */
export function askedQuestions({ keys }: PaperGroup): number {
  return new Set(keys.map(({ questionId }) => questionId)).size;
}

/** Value of one record for each number a paper measure is made of; null = none. */
type Reading = (record: RunRecord) => number | null;

/** A group's numbers by question, each kind read once. */
export interface GroupNumbers {
  accuracy(): Accuracy;
  /** Right or wrong by question, where there is a verdict (the first repeat's). */
  verdicts(): Map<string, boolean>;
  /** One value per question (repeats averaged), by question id; null where none. */
  perQuestion(measure: string): Map<string, number | null>;
}

export function groupNumbers(group: PaperGroup): GroupNumbers {
  const { run, keys } = group;
  const judge = verdictJudge(run);
  const known = new Map<string, Map<string, number | null>>();
  const score = (of: string, name?: string): Reading => {
    const table = run.judgements(of);
    return (record) => numberOf(table.get(record)?.value, name);
  };
  const verdict = judge === undefined ? undefined : run.judgements(judge);
  const readingOf = (measure: string): Reading => {
    if (measure === "precision" || measure === "recall") return score("evidence", measure);
    if (measure === "tokenRecall") return score("token-recall");
    if (measure.startsWith("ge.")) return score("g-e", measure.slice(3));
    if (measure.startsWith("calls.")) {
      const tool = measure.slice(6);
      return ({ toolCalls }) => toolCalls[tool] ?? 0;
    }
    const plain = PLAIN[measure];
    if (plain === undefined) throw new Error(`no reading for ${measure}`);
    return plain;
  };
  return {
    accuracy: () => accuracy(keys.map((key) => verdict?.get(key)?.value)),
    verdicts() {
      const rows = new Map<string, boolean>();
      for (const key of keys) {
        const value = verdict?.get(key)?.value;
        if (value?.kind === "verdict" && !rows.has(key.questionId)) {
          rows.set(key.questionId, value.correct);
        }
      }
      return rows;
    },
    perQuestion(measure) {
      const read = known.get(measure);
      if (read !== undefined) return read;
      const reading = readingOf(measure);
      const rows = keys.map((key) => {
        const record = run.record(key);
        if (record === undefined) throw new Error(`no record of ${keyOf(key)}`);
        return { questionId: key.questionId, value: reading(record) };
      });
      const values = new Map(
        aggregateRepeats(rows).map(({ questionId, mean }) => [questionId, mean]),
      );
      known.set(measure, values);
      return values;
    },
  };
}

const PLAIN: { readonly [measure: string]: Reading } = {
  // An offline model's money is hypothetical; such groups are marked wherever they are shown.
  costUsd: ({ usage, costAtHaikuUsd }) => costAtHaikuUsd ?? usage.costUsd,
  llmMs: ({ usage }) => usage.llmMs,
  callsTotal: ({ toolCalls }) => Object.values(toolCalls).reduce((sum, count) => sum + count, 0),
  itemsRead: ({ reads }) => reads.length,
};
