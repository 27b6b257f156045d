import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RitbenchError } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import { readFileLines } from "../../core/run-folder/lines.ts";

/** A question, its golds and an answer whose correctness people have settled. */
export interface LabelledCase {
  id: string;
  /** Data set whose style and rules it follows. */
  style: string;
  /** What makes it easy or hard: `paraphrase`, `near-miss`, `sign`, `vague`, ... */
  kind: string;
  question: string;
  goldAnswers: readonly string[];
  answer: string;
  correct: boolean;
  /** Cases on which careful readers may differ. */
  borderline: boolean;
  answerable: boolean;
  reason: string;
}

export interface LabelledSet {
  cases: readonly LabelledCase[];
  /** Results are comparable only over the same set. */
  fingerprint: Fingerprint;
}

const FIELDS: readonly (readonly [keyof LabelledCase, string])[] = [
  ["id", "string"],
  ["style", "string"],
  ["kind", "string"],
  ["question", "string"],
  ["answer", "string"],
  ["correct", "boolean"],
  ["borderline", "boolean"],
  ["answerable", "boolean"],
  ["reason", "string"],
];

/**
 * The frozen set of this project, or one of the user's own in the same form.
 *
 * @throws RitbenchError E_LABELLED_SET naming file, line and field.
 */
export function readLabelledSet(
  path: string = join(fileURLToPath(new URL(".", import.meta.url)), "labelled.jsonl"),
): LabelledSet {
  const cases: LabelledCase[] = [];
  for (const { bytes, number } of readFileLines(path)) {
    cases.push(parseCase(bytes.toString("utf8"), `${path}:${number}`));
  }
  if (cases.length === 0) throw faulty(path, "at least one case", "no lines");
  const twice = cases.find(
    ({ id }, index) => cases.findIndex((other) => other.id === id) !== index,
  );
  if (twice !== undefined) throw faulty(path, "an id per case", `${twice.id} twice`);
  return { cases, fingerprint: fingerprint(cases) };
}

function parseCase(line: string, where: string): LabelledCase {
  let value: Partial<Record<keyof LabelledCase, unknown>>;
  try {
    value = JSON.parse(line) as typeof value;
  } catch {
    throw faulty(where, "one JSON object a line", line.slice(0, 60));
  }
  for (const [field, type] of FIELDS) {
    if (typeof value?.[field] !== type)
      throw faulty(where, `${field}: ${type}`, typeof value?.[field]);
  }
  const golds = value.goldAnswers;
  if (
    !Array.isArray(golds) ||
    golds.length === 0 ||
    golds.some((gold) => typeof gold !== "string")
  ) {
    throw faulty(where, "goldAnswers: a list of texts", JSON.stringify(golds) ?? "nothing");
  }
  return value as LabelledCase;
}

function faulty(where: string, expected: string, got: string): RitbenchError {
  return new RitbenchError("E_LABELLED_SET", "the labelled set cannot be used", {
    where,
    expected,
    got,
    next: "mend the line; judges/check/labelled.jsonl shows the form",
  });
}
