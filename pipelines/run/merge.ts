import { join } from "node:path";
import type { RunManifest } from "../../core/record.ts";
import { readFileLines } from "../../core/run-folder/lines.ts";
import { parseQuestionLine, type StoredQuestion } from "../../core/run-folder/parse.ts";
import { RUN_FILES } from "../../core/run-folder/paths.ts";

/** The manifest of a continued run: what is new is added, what only the stored run has stays. */
export function mergeManifest(stored: RunManifest, now: RunManifest): RunManifest {
  return {
    ...now,
    startedAt: stored.startedAt,
    datasets: union(stored.datasets, now.datasets, (entry) => entry.name).map((dataset) => {
      const before = stored.datasets.find((entry) => entry.name === dataset.name);
      const asked = Math.max(dataset.questions.asked, before?.questions.asked ?? 0);
      return { ...dataset, questions: { ...dataset.questions, asked } };
    }),
    methods: union(stored.methods, now.methods, (entry) => entry.name).map((method) => {
      const before = stored.methods.find((entry) => entry.name === method.name);
      return { ...method, unfit: { ...before?.unfit, ...method.unfit } };
    }),
    models: union(stored.models, now.models, (entry) => entry.id).map((model) => {
      const before = stored.models.find((entry) => entry.id === model.id);
      return { ...model, resolved: [...new Set([...(before?.resolved ?? []), ...model.resolved])] };
    }),
    judges: stored.judges,
  };
}

/** Questions stored before and those of this command, by data set and ordinal. */
export function mergeQuestions(
  folder: string,
  now: readonly StoredQuestion[],
): readonly StoredQuestion[] {
  const stored: StoredQuestion[] = [];
  for (const line of readFileLines(join(folder, RUN_FILES.questions))) {
    const parsed = parseQuestionLine(line.bytes);
    if (parsed.ok) stored.push(parsed.value);
  }
  return union(stored, now, ({ question }) => JSON.stringify([question.dataset, question.id]));
}

/** Entries of both in the order stored, then new ones; the newer of two with one key. */
function union<T>(stored: readonly T[], now: readonly T[], keyOf: (entry: T) => string): T[] {
  const all = new Map(stored.map((entry) => [keyOf(entry), entry]));
  for (const entry of now) all.set(keyOf(entry), entry);
  return [...all.values()];
}
