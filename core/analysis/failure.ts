import type { Judgement, JudgementValue, RunRecord } from "../record.ts";

/** Where a question was lost. The first nine are the taxonomy; the rest say why none of them applies. */
export type FailureKind =
  | "not_retrieved"
  /** In a ranking, but not among what was laid before the model. */
  | "retrieved_not_shown"
  | "shown_not_read"
  | "read_but_wrong"
  | "budget"
  | "context"
  | "truncated"
  | "refused"
  | "error"
  | "judge_unsure"
  | "empty"
  /** Wrong, and the question has no gold evidence that could say where. */
  | "wrong_no_evidence"
  /** No gold answer, or not judged at all. */
  | "not_judged"
  | "correct";

export interface FailureInput {
  record: Pick<RunRecord, "outcome">;
  verdict: JudgementValue | undefined;
  /** The evidence scorer's judgement of the record, with its units. */
  evidence: Pick<Judgement, "details"> | undefined;
}

/**
 * What went wrong with a question, from stored files alone. A correct answer is correct however it ended; then the
 * outcome decides; then the first stage at which a gold unit was lost (the earliest one over all units).
 */
export function classifyFailure({ record, verdict, evidence }: FailureInput): FailureKind {
  if (verdict?.kind === "verdict" && verdict.correct) return "correct";
  switch (record.outcome) {
    case "error":
      return "error";
    case "refused":
      return "refused";
    case "truncated":
      return "truncated";
    case "context_overflow":
      return "context";
    case "budget_exhausted":
      return "budget";
    case "empty":
      return "empty";
    case "answered":
      break;
  }
  if (verdict?.kind === "unscored" && verdict.reason !== "no_gold") return "judge_unsure";
  if (verdict?.kind !== "verdict") return "not_judged";
  const units = unitsOf(evidence);
  if (units.length === 0) return "wrong_no_evidence";
  const lost = units.filter(({ read }) => !read);
  if (lost.length === 0) return "read_but_wrong";
  if (lost.every(({ shown }) => shown)) return "shown_not_read";
  return lost.every(({ shown, retrieved }) => shown || retrieved === true)
    ? "retrieved_not_shown"
    : "not_retrieved";
}

interface Unit {
  read: boolean;
  shown: boolean;
  retrieved: boolean | null;
}

function unitsOf(evidence: FailureInput["evidence"]): readonly Unit[] {
  const details = evidence?.details as { units?: readonly Unit[] } | null | undefined;
  return Array.isArray(details?.units) ? (details.units as Unit[]) : [];
}

/** Counts of one method. */
export interface FailureRow {
  method: string;
  total: number;
  counts: { readonly [kind in FailureKind]?: number };
}

/** A line per method, in the order of first appearance. */
export function failureTable(rows: Iterable<{ method: string; kind: FailureKind }>): FailureRow[] {
  const methods = new Map<string, { [kind in FailureKind]?: number }>();
  for (const { method, kind } of rows) {
    const counts = methods.get(method) ?? {};
    methods.set(method, counts);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return [...methods].map(([method, counts]) => ({
    method,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
  }));
}
