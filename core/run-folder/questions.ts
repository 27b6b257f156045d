import { join } from "node:path";
import { sha256 } from "../fingerprint.ts";
import type { Question } from "../question.ts";
import type { RunManifest } from "../record.ts";
import { readFileLines } from "./lines.ts";
import { compareText, positions } from "./order.ts";
import { parseQuestionLine } from "./parse.ts";
import { RUN_FILES } from "./paths.ts";
import { lineProblem, type RunProblem } from "./problem.ts";

/** A stored question with the hash of its line. */
export interface IndexedQuestion {
  question: Question;
  ordinal: number;
  hash: string;
}

/** Stored questions by data set (in the manifest's order) and ordinal. */
export function indexQuestions(
  folder: string,
  manifest: RunManifest,
  problems: RunProblem[],
): Map<string, IndexedQuestion> {
  const rows: IndexedQuestion[] = [];
  for (const line of readFileLines(join(folder, RUN_FILES.questions))) {
    const parsed = parseQuestionLine(line.bytes);
    if (parsed.ok) rows.push({ ...parsed.value, hash: sha256(line.bytes) });
    else problems.push(lineProblem(RUN_FILES.questions, line, parsed));
  }
  const position = positions(manifest.datasets.map((dataset) => dataset.name));
  rows.sort(
    (a, b) =>
      position(a.question.dataset) - position(b.question.dataset) ||
      compareText(a.question.dataset, b.question.dataset) ||
      a.ordinal - b.ordinal,
  );
  return new Map(rows.map((row) => [questionKey(row.question.dataset, row.question.id), row]));
}

/** A question of a run as one string. */
export function questionKey(dataset: string, questionId: string): string {
  return JSON.stringify([dataset, questionId]);
}
