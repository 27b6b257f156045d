import { z } from "zod";
import { readJsonl } from "../parsing/jsonl.ts";
import type { AnnotatorAnswer, Paper } from "./paper.ts";

/** Gold answers of all annotators for some of the test questions, without text or evidence. */
export const GOLD_FILE = "qasper_test_gold_answers_30.jsonl.gz";

const guessedRecord = z.object({
  doc_id: z.string(),
  title: z.string(),
  abstract: z.string().nullish(),
  questions: z.array(
    z.object({
      question_id: z.string(),
      question: z.string(),
      first_annotator_free_form: z.string().nullish(),
    }),
  ),
  sections_guess: z.array(z.object({ section_name: z.string().nullable(), text: z.string() })),
});

const goldRecord = z.object({
  question_id: z.string(),
  gold_answers: z.array(
    z.object({
      type: z.enum(["extractive", "abstractive", "boolean", "none"]),
      text: z.string(),
    }),
  ),
});

export function isGuessedRecord(record: object): boolean {
  return "sections_guess" in record;
}

/**
 * Papers whose sections were recovered from flat text: each section is one paragraph. Gold answers come from
 * `goldPath` where it has the question, else from the one free-form answer that the record may hold; there is no
 * gold evidence.
 */
export async function* guessedPapers(
  path: string,
  goldPath: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Paper> {
  const gold =
    goldPath === undefined
      ? new Map<string, AnnotatorAnswer[]>()
      : await readGold(goldPath, signal);
  for await (const { value } of readJsonl(path, guessedRecord, signal)) {
    yield {
      id: value.doc_id,
      title: value.title.trim() || value.doc_id,
      abstract: value.abstract ?? "",
      sections: value.sections_guess.map((section) => ({
        name: section.section_name,
        paragraphs: [section.text],
      })),
      questions: value.questions.map((question) => ({
        id: question.question_id,
        question: question.question,
        answers:
          gold.get(question.question_id) ??
          (question.first_annotator_free_form
            ? [freeForm(question.first_annotator_free_form)]
            : []),
      })),
    };
  }
}

async function readGold(
  path: string,
  signal: AbortSignal,
): Promise<Map<string, AnnotatorAnswer[]>> {
  const gold = new Map<string, AnnotatorAnswer[]>();
  for await (const { value } of readJsonl(path, goldRecord, signal)) {
    const answers = value.gold_answers.map(({ type, text }) => {
      if (type === "none") return { ...freeForm(""), unanswerable: true };
      if (type === "boolean")
        return { ...freeForm(""), yesNo: text.trim().toLowerCase() === "yes" };
      return type === "extractive" ? { ...freeForm(""), spans: [text] } : freeForm(text);
    });
    gold.set(value.question_id, answers);
  }
  return gold;
}

function freeForm(text: string): AnnotatorAnswer {
  return { unanswerable: false, spans: [], freeForm: text, yesNo: null, evidence: [] };
}
