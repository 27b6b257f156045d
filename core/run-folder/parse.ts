import type { Outcome } from "../method.ts";
import type { Question } from "../question.ts";
import type { Judgement, RecordKey, RunRecord } from "../record.ts";

/** A line that was read, or why it was not. */
export type Parsed<T> =
  | { ok: true; value: T }
  | { ok: false; reason: "json" | "version" | "fields"; got: string };

/** One line of `questions.jsonl`: a question as it was asked, and its place in the data set's file order. */
export interface StoredQuestion {
  schema: "ritbench.question/1";
  /** Position among the questions of the data set, from 0. */
  ordinal: number;
  question: Question;
}

const OUTCOMES: ReadonlySet<string> = new Set<Outcome>([
  "answered",
  "empty",
  "truncated",
  "refused",
  "budget_exhausted",
  "context_overflow",
  "error",
]);

const VALUE_KINDS: ReadonlySet<unknown> = new Set(["verdict", "score", "scores", "unscored"]);

type Fields = { readonly [name: string]: unknown };

export function parseRecordLine(bytes: Buffer): Parsed<RunRecord> {
  return parseLine(bytes, "ritbench.record/1", (fields) => {
    const { usage, reads, shownNodes, flags } = fields;
    return (
      hasKey(fields) &&
      OUTCOMES.has(fields.outcome as string) &&
      typeof fields.answer === "string" &&
      typeof fields.trace === "string" &&
      [reads, shownNodes, flags].every(Array.isArray) &&
      isFields(usage) &&
      typeof usage.outputTokens === "number"
    );
  });
}

export function parseJudgementLine(bytes: Buffer): Parsed<Judgement> {
  return parseLine(
    bytes,
    "ritbench.judgement/1",
    (fields) =>
      hasKey(fields) &&
      typeof fields.judge === "string" &&
      typeof fields.judgeFingerprint === "string" &&
      isFields(fields.value) &&
      VALUE_KINDS.has(fields.value.kind),
  );
}

export function parseQuestionLine(bytes: Buffer): Parsed<StoredQuestion> {
  return parseLine(bytes, "ritbench.question/1", ({ ordinal, question }) => {
    if (typeof ordinal !== "number" || !isFields(question)) return false;
    const { id, dataset, text, goldAnswers, evidence } = question;
    return (
      [id, dataset, text].every((field) => typeof field === "string") &&
      [goldAnswers, evidence].every(Array.isArray)
    );
  });
}

function parseLine<T>(bytes: Buffer, schema: string, fits: (fields: Fields) => boolean): Parsed<T> {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return { ok: false, reason: "json", got: bytes.subarray(0, 60).toString("utf8") };
  }
  if (!isFields(value)) return { ok: false, reason: "fields", got: typeof value };
  if (value.schema !== schema) {
    const known = typeof value.schema === "string" && value.schema.startsWith("ritbench.");
    return { ok: false, reason: known ? "version" : "fields", got: String(value.schema) };
  }
  return fits(value)
    ? { ok: true, value: value as T }
    : { ok: false, reason: "fields", got: `fields ${Object.keys(value).slice(0, 12).join(", ")}` };
}

function hasKey(fields: Fields): boolean {
  const { dataset, method, model, questionId, repeat }: Partial<Record<keyof RecordKey, unknown>> =
    fields;
  return (
    [dataset, method, model, questionId].every((part) => typeof part === "string") &&
    typeof repeat === "number"
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
