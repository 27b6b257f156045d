import type { StoredRun } from "./open-run.ts";
import { questionKey } from "./questions.ts";

/** A stored run as if only the first `limit` of its questions of each data set, in file order, had been asked. */
export function firstQuestions(run: StoredRun, limit: number | undefined): StoredRun {
  if (limit === undefined) return run;
  const counts = new Map<string, number>();
  const questions = run.questions().filter(({ dataset }) => {
    const count = (counts.get(dataset) ?? 0) + 1;
    counts.set(dataset, count);
    return count <= limit;
  });
  const chosen = new Set(questions.map(({ dataset, id }) => questionKey(dataset, id)));
  const keys = run.keys.filter(({ dataset, questionId }) =>
    chosen.has(questionKey(dataset, questionId)),
  );
  const datasets = run.manifest.datasets.map((dataset) => ({
    ...dataset,
    questions: { ...dataset.questions, asked: Math.min(dataset.questions.asked, limit) },
  }));
  return {
    ...run,
    manifest: { ...run.manifest, datasets },
    keys,
    *records() {
      for (const key of keys) yield run.record(key)!;
    },
    questions: () => questions,
  };
}
