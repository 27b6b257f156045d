import type { RunRecord } from "../../core/record.ts";
import type { JudgementTable } from "../../core/run-folder/judgements.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { aggregateRepeats, numberOf, type QuestionMean } from "../../core/statistics/repeats.ts";
import { inputTokens } from "../../core/usage.ts";
import type { Group } from "./pairing.ts";

/** A number per question that can be compared. */
export interface Measure {
  name: string;
  label: string;
  /** Whether more of it is better; null where it is neither. */
  higherIsBetter: boolean | null;
  digits: number;
  unit: string;
  /** Value of one record; null = none. */
  value(record: RunRecord, judgements: (judge: string) => JudgementTable): number | null;
}

const scored =
  (judge: string, name?: string): Measure["value"] =>
  (record, judgements) =>
    numberOf(judgements(judge).get(record)?.value, name);

/** What is compared beside accuracy, by the judge it needs. Evidence F1 is made of means and so has no test. */
export const MEASURES: readonly (Measure & { judge?: string })[] = [
  {
    name: "tokenRecall",
    label: "token recall",
    judge: "token-recall",
    higherIsBetter: true,
    digits: 3,
    unit: "",
    value: scored("token-recall"),
  },
  {
    name: "precision",
    label: "evidence precision",
    judge: "evidence",
    higherIsBetter: true,
    digits: 3,
    unit: "",
    value: scored("evidence", "precision"),
  },
  {
    name: "recall",
    label: "evidence recall",
    judge: "evidence",
    higherIsBetter: true,
    digits: 3,
    unit: "",
    value: scored("evidence", "recall"),
  },
  {
    name: "toolCalls",
    label: "tool calls",
    higherIsBetter: null,
    digits: 2,
    unit: "",
    value: ({ toolCalls }) => Object.values(toolCalls).reduce((sum, count) => sum + count, 0),
  },
  {
    name: "inputTokens",
    label: "input tokens",
    higherIsBetter: false,
    digits: 0,
    unit: "tokens",
    value: ({ usage }) => inputTokens(usage),
  },
  {
    name: "outputTokens",
    label: "output tokens",
    higherIsBetter: false,
    digits: 0,
    unit: "tokens",
    value: ({ usage }) => usage.outputTokens,
  },
  {
    name: "costUsd",
    label: "cost",
    higherIsBetter: false,
    digits: 5,
    unit: "USD",
    value: ({ usage }) => usage.costUsd,
  },
  {
    name: "costAtHaikuUsd",
    label: "cost at Haiku price (hypothetical)",
    higherIsBetter: false,
    digits: 5,
    unit: "USD",
    value: ({ costAtHaikuUsd }) => costAtHaikuUsd ?? null,
  },
  {
    name: "llmMs",
    label: "LLM latency",
    higherIsBetter: false,
    digits: 0,
    unit: "ms",
    value: ({ usage }) => usage.llmMs,
  },
];

/** Per question of a group: the verdict's mean over repeats, every measure's, and whether every repeat broke. */
export interface GroupValues {
  verdict: Map<string, QuestionMean>;
  measures: Map<string, Map<string, QuestionMean>>;
  questions: Set<string>;
  errors: Set<string>;
  repeats: number;
}

/** Reads a group's numbers, one record at a time. */
export function readGroup(
  run: StoredRun,
  group: Group,
  verdictJudge: string,
  judges: readonly string[],
): GroupValues {
  const tables = new Map<string, JudgementTable>();
  const judgements = (judge: string): JudgementTable => {
    const table = tables.get(judge) ?? run.judgements(judge);
    tables.set(judge, table);
    return table;
  };
  const rows = new Map<string, { questionId: string; value: number | null }[]>();
  const add = (name: string, questionId: string, value: number | null): void => {
    const list = rows.get(name);
    if (list === undefined) rows.set(name, [{ questionId, value }]);
    else list.push({ questionId, value });
  };
  const wanted = MEASURES.filter(({ judge }) => judge === undefined || judges.includes(judge));
  const questions = new Set<string>();
  const errors = new Set<string>();
  let repeats = 1;
  for (const key of run.keys) {
    if (key.dataset !== group.dataset || key.method !== group.method || key.model !== group.model)
      continue;
    const record = run.record(key)!;
    repeats = Math.max(repeats, key.repeat + 1);
    questions.add(key.questionId);
    if (record.outcome === "error") errors.add(key.questionId);
    add("verdict", key.questionId, numberOf(judgements(verdictJudge).get(key)?.value));
    for (const measure of wanted) {
      // A broken question has no cost or latency worth comparing.
      const value = record.outcome === "error" ? null : measure.value(record, judgements);
      add(measure.name, key.questionId, value);
    }
  }
  const means = (name: string): Map<string, QuestionMean> =>
    new Map(aggregateRepeats(rows.get(name) ?? []).map((row) => [row.questionId, row]));
  return {
    verdict: means("verdict"),
    measures: new Map(wanted.map(({ name }) => [name, means(name)])),
    questions,
    errors,
    repeats,
  };
}
