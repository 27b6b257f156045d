import type { Corpus } from "../core/corpus/corpus.ts";
import type { DataFinding } from "../core/dataset.ts";
import { createEvidenceMatcher, type Resolution } from "../core/evidence/matcher.ts";
import type { EvidenceUnit, Question } from "../core/question.ts";
import { type PaperCounts, paperCounts } from "./paper-counts.ts";

/** What `data validate` says of a data set. */
export interface ValidationReport {
  dataset: string;
  counts: {
    documents: number;
    questions: number;
    runnable: number;
    notRunnable: number;
    /** Runnable questions whose gold says that the corpus holds no answer. */
    unanswerable: number;
    withoutGoldAnswer: number;
    withoutGoldEvidence: number;
    /** Gold units of runnable questions, and those that lie somewhere in the corpus. */
    evidenceUnits: number;
    resolvedUnits: number;
    /** Runnable questions with evidence of which at least one set resolves whole, in part, or not at all. */
    fullyResolved: number;
    partlyResolved: number;
    unresolved: number;
  };
  findings: DataFinding[];
  /** Findings by kind. */
  findingCounts: { readonly [kind: string]: number };
  /** The paper's totals of the same corpus; null where it has none. */
  paper: Pick<PaperCounts, "documents" | "questions"> | null;
}

/**
 * Checks questions against their corpus: gold evidence that lies nowhere, pages outside their document, absent
 * documents, the same question twice, and rows that contradict themselves or each other.
 *
 * @param loader name of the loader, by which the paper's totals are found
 * @param loaderFindings what the loader met on the way
 */
export function validateDataset(
  corpus: Corpus,
  questions: readonly Question[],
  loader: string,
  loaderFindings: readonly DataFinding[] = [],
): ValidationReport {
  const findings: DataFinding[] = [...loaderFindings, ...questionFindings(questions)];
  const runnable = questions.filter(({ notRunnable }) => notRunnable === undefined);
  for (const { id, notRunnable } of questions) {
    if (notRunnable !== undefined) {
      findings.push({ kind: "document_missing", subject: id, detail: notRunnable });
    }
  }
  const matcher = createEvidenceMatcher(corpus);
  let evidenceUnits = 0;
  let resolvedUnits = 0;
  const states = { full: 0, part: 0, none: 0 };
  for (const question of runnable) {
    const shares: number[] = [];
    for (const { units } of question.evidence) {
      const resolutions = units.map((unit) => ({ unit, resolution: matcher.resolve(unit) }));
      const resolved = resolutions.filter(({ resolution }) => resolution.resolved).length;
      evidenceUnits += units.length;
      resolvedUnits += resolved;
      if (units.length > 0) shares.push(resolved / units.length);
      for (const { unit, resolution } of resolutions) {
        if (!resolution.resolved) findings.push(unresolvedFinding(question, unit, resolution));
      }
    }
    if (shares.length === 0) continue;
    const best = Math.max(...shares);
    states[best === 1 ? "full" : best > 0 ? "part" : "none"]++;
  }
  const paper = paperCounts[loader];
  return {
    dataset: corpus.summary.dataset,
    counts: {
      documents: corpus.summary.documentCount,
      questions: questions.length,
      runnable: runnable.length,
      notRunnable: questions.length - runnable.length,
      unanswerable: runnable.filter(({ answerable }) => !answerable).length,
      withoutGoldAnswer: runnable.filter(({ goldAnswers }) => goldAnswers.length === 0).length,
      withoutGoldEvidence: runnable.filter(({ evidence }) => !hasUnits(evidence)).length,
      evidenceUnits,
      resolvedUnits,
      fullyResolved: states.full,
      partlyResolved: states.part,
      unresolved: states.none,
    },
    findings,
    findingCounts: countKinds(findings),
    paper: paper === undefined ? null : { documents: paper.documents, questions: paper.questions },
  };
}

function hasUnits(sets: Question["evidence"]): boolean {
  return sets.some(({ units }) => units.length > 0);
}

function unresolvedFinding(
  { id }: Question,
  unit: EvidenceUnit,
  resolution: Extract<Resolution, { resolved: false }>,
): DataFinding {
  const kinds: { readonly [reason: string]: DataFinding["kind"] } = {
    document_missing: "document_missing",
    page_outside: "page_outside",
  };
  const kind = kinds[resolution.reason] ?? "evidence_unresolved";
  return { kind, subject: id, detail: `gold ${unit.kind}: ${resolution.detail}` };
}

/** Faults that the questions show by themselves. */
function questionFindings(questions: readonly Question[]): DataFinding[] {
  const findings: DataFinding[] = [];
  const ids = new Set<string>();
  const byText = new Map<string, Question[]>();
  for (const question of questions) {
    const { id, answerable, goldAnswers } = question;
    if (ids.has(id)) {
      findings.push({ kind: "duplicate_question", subject: id, detail: "the id is used twice" });
    }
    ids.add(id);
    const text = normalised(question.text);
    if (text === "") findings.push({ kind: "other", subject: id, detail: "the question is blank" });
    else byText.set(text, [...(byText.get(text) ?? []), question]);
    if (answerable && goldAnswers.length > 0 && goldAnswers.every((gold) => gold.trim() === "")) {
      findings.push({
        kind: "contradictory",
        subject: id,
        detail: "is marked answerable, and its gold answers are blank",
      });
    }
  }
  for (const [first, ...others] of byText.values()) {
    for (const other of others) findings.push(twinFinding(first!, other));
  }
  return findings;
}

/** Two questions of one wording are duplicates, or contradict each other where the gold differs. */
function twinFinding(first: Question, other: Question): DataFinding {
  const golds = ({ goldAnswers }: Question) => goldAnswers.map(normalised).sort().join("\n");
  const same = golds(first) === golds(other) && first.answerable === other.answerable;
  return {
    kind: same ? "duplicate_question" : "contradictory",
    subject: other.id,
    detail: `asks the same as ${first.id}${same ? "" : ", and its gold differs"}`,
  };
}

function normalised(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}

function countKinds(findings: readonly DataFinding[]): { [kind: string]: number } {
  const counts: { [kind: string]: number } = {};
  for (const { kind } of findings) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
