import type { RecordKey } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";

/** The records of one question, in the run's order. */
export interface QuestionGroup {
  dataset: string;
  questionId: string;
  keys: readonly RecordKey[];
}

/** Questions with their records, one at a time: a run's keys keep a question's records together. */
export function* questionGroups(run: Pick<StoredRun, "keys">): Generator<QuestionGroup> {
  let keys: RecordKey[] = [];
  for (const key of run.keys) {
    const last = keys[0];
    if (last !== undefined && !sameQuestion(last, key)) {
      yield { dataset: last.dataset, questionId: last.questionId, keys };
      keys = [];
    }
    keys.push(key);
  }
  const last = keys[0];
  if (last !== undefined) yield { dataset: last.dataset, questionId: last.questionId, keys };
}

function sameQuestion(a: RecordKey, b: RecordKey): boolean {
  return a.dataset === b.dataset && a.questionId === b.questionId;
}
