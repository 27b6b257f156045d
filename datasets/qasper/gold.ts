import type { DataFinding } from "../../core/dataset.ts";
import { type DocumentId, nodeIdOf } from "../../core/ids.ts";
import type { EvidenceSet, EvidenceUnit } from "../../core/question.ts";
import type { AnnotatorAnswer, Paper, PaperQuestion } from "./paper.ts";
import type { PaperTree } from "./tree.ts";

/** What an annotator gave: QASPER's four kinds, and `empty` for a row without any answer. */
export type AnswerType = "extractive" | "abstractive" | "boolean" | "unanswerable" | "empty";

/** Mark of a figure or table among the evidence; its text is a caption that no section holds. */
const FLOAT_MARK = "FLOAT SELECTED";

/** Gold answer of a question that no annotator answers, in the words of QASPER's own evaluator. */
const UNANSWERABLE = "Unanswerable";

/** Unanswerable wins over a filled-in answer, as in QASPER's own evaluator; such rows are reported. */
export function answerType(answer: AnnotatorAnswer): AnswerType {
  if (answer.unanswerable) return "unanswerable";
  if (spansOf(answer).length > 0) return "extractive";
  if (answer.freeForm.trim() !== "") return "abstractive";
  return answer.yesNo === null ? "empty" : "boolean";
}

/** The answer in words; undefined where the annotator gave none. */
export function answerText(answer: AnnotatorAnswer): string | undefined {
  switch (answerType(answer)) {
    case "extractive":
      return spansOf(answer).join(", ");
    case "abstractive":
      return answer.freeForm.trim();
    case "boolean":
      return answer.yesNo === true ? "Yes" : "No";
    default:
      return undefined;
  }
}

function spansOf(answer: AnnotatorAnswer): string[] {
  return answer.spans.map((span) => span.trim()).filter((span) => span !== "");
}

export interface QuestionGold {
  answers: string[];
  evidence: EvidenceSet[];
  /** At least one annotator answers, or none is known (A13). */
  answerable: boolean;
  /** Kind most annotators who answer gave; the first of them on a tie. */
  type: AnswerType | "unknown";
  /** `text`, `float` (figures and tables only), `text+float` or `none`. */
  evidenceKind: string;
}

/** Gold of a question from the annotators that answer it; figures and tables are no text evidence (A11). */
export function goldOf(question: PaperQuestion, paper: Paper, tree: PaperTree): QuestionGold {
  const answering = question.answers.filter((answer) => answerText(answer) !== undefined);
  const types = (answering.length > 0 ? answering : question.answers).map(answerType);
  const items = answering.flatMap((answer) => evidenceItems(answer));
  const kinds = [
    items.some((item) => !isFloat(item)) && "text",
    items.some(isFloat) && "float",
  ].filter((kind) => kind !== false);
  return {
    answers:
      answering.length > 0
        ? textsOf(answering)
        : question.answers.map(() => UNANSWERABLE).slice(0, 1),
    evidence: answering.flatMap((answer) => {
      const units = evidenceItems(answer)
        .filter((item) => !isFloat(item))
        .map((item) => unitOf(item, paper, tree));
      if (units.length === 0) return [];
      return [{ ...(answer.annotator !== undefined && { annotator: answer.annotator }), units }];
    }),
    answerable: answering.length > 0 || question.answers.length === 0,
    type: mostFrequent(types) ?? "unknown",
    evidenceKind: kinds.join("+") || "none",
  };
}

/** Faults of a question's gold: rows that contradict themselves, evidence that the paper does not hold. */
export function goldFindings(
  question: PaperQuestion,
  paper: Paper,
  tree: PaperTree,
): DataFinding[] {
  const findings: DataFinding[] = [];
  for (const answer of question.answers) {
    const who = answer.annotator === undefined ? "an annotator" : `annotator ${answer.annotator}`;
    if (answer.unanswerable && answerText({ ...answer, unanswerable: false }) !== undefined) {
      findings.push({
        kind: "contradictory",
        subject: question.id,
        detail: `${who} marks the question unanswerable and answers it; taken as unanswerable`,
      });
    }
    if (answerType(answer) === "empty") {
      findings.push({
        kind: "contradictory",
        subject: question.id,
        detail: `${who} neither answers nor marks the question unanswerable; left out`,
      });
    }
    for (const item of evidenceItems(answer)) {
      if (isFloat(item) || holdsParagraph(paper, item) || tree.ordinals.has(item)) continue;
      findings.push({
        kind: "evidence_unresolved",
        subject: question.id,
        detail: `no paragraph or section of ${paper.id} reads "${item.slice(0, 80)}"`,
      });
    }
  }
  return findings;
}

function textsOf(answers: readonly AnnotatorAnswer[]): string[] {
  return [...new Set(answers.map((answer) => answerText(answer)!))];
}

function evidenceItems(answer: AnnotatorAnswer): string[] {
  return [...new Set(answer.evidence.map((item) => item.trim()).filter((item) => item !== ""))];
}

function isFloat(item: string): boolean {
  return item.startsWith(FLOAT_MARK);
}

/** A paragraph where the paper has it; else the section of that name; else the text as it is, to be matched by overlap. */
function unitOf(item: string, paper: Paper, tree: PaperTree): EvidenceUnit {
  const section = holdsParagraph(paper, item) ? undefined : tree.ordinals.get(item);
  if (section !== undefined) return { kind: "node", nodeId: nodeIdOf(paper.id, section) };
  return { kind: "paragraph", documentId: paper.id as DocumentId, text: item };
}

function holdsParagraph(paper: Paper, text: string): boolean {
  return (
    paper.abstract.trim() === text ||
    paper.sections.some(({ paragraphs }) => paragraphs.some((item) => item.trim() === text))
  );
}

function mostFrequent<T>(values: readonly T[]): T | undefined {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: T | undefined;
  for (const [value, count] of counts) {
    if (best === undefined || count > counts.get(best)!) best = value;
  }
  return best;
}
