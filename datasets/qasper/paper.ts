import { z } from "zod";
import { parseRecord } from "../parsing/jsonl.ts";

/** A paper of either layout, as one shape. */
export interface Paper {
  id: string;
  title: string;
  abstract: string;
  sections: readonly PaperSection[];
  questions: readonly PaperQuestion[];
}

export interface PaperSection {
  /** `A ::: B` for B below A; null, blank or nothing but separators where the source lost the heading. */
  name: string | null;
  paragraphs: readonly string[];
}

export interface PaperQuestion {
  id: string;
  question: string;
  /** One for each annotator; none where the gold is not at hand. */
  answers: readonly AnnotatorAnswer[];
}

export interface AnnotatorAnswer {
  annotator?: string;
  unanswerable: boolean;
  spans: readonly string[];
  freeForm: string;
  /** Null unless the answer is yes or no. */
  yesNo: boolean | null;
  evidence: readonly string[];
}

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const texts = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? []);

const answerFields = z.object({
  unanswerable: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  extractive_spans: texts,
  yes_no: z
    .boolean()
    .nullish()
    .transform((value) => value ?? null),
  free_form_answer: text,
  evidence: texts,
});

const answerRows = z.array(
  z.object({
    answer: answerFields,
    annotation_id: z.string().optional(),
    worker_id: z.string().optional(),
  }),
);
const answerColumns = z.object({
  answer: z.array(answerFields),
  annotation_id: z.array(z.string()).optional(),
  worker_id: z.array(z.string()).optional(),
});

const sectionRows = z.array(
  z.object({ section_name: z.string().nullish(), paragraphs: z.array(z.string()) }),
);
const sectionColumns = z.object({
  section_name: z.array(z.string().nullable()),
  paragraphs: z.array(z.array(z.string())),
});

const questionRows = z.array(
  z.object({
    question: z.string(),
    question_id: z.string(),
    answers: z.union([answerRows, answerColumns]).optional(),
  }),
);
const questionColumns = z.object({
  question: z.array(z.string()),
  question_id: z.array(z.string()),
  answers: z.array(z.union([answerRows, answerColumns])).optional(),
});

const paperRecord = z.object({
  id: z.string().optional(),
  title: text,
  abstract: text,
  full_text: z.union([sectionRows, sectionColumns]),
  qas: z.union([questionRows, questionColumns]),
});

/**
 * A paper from a record of the original layout (rows) or of the columnar one (a list for each field), also mixed.
 *
 * @param id Key of the record where it stands outside it; else the record's own `id`.
 * @throws RitbenchError E_DATA_FORMAT that names `where`.
 */
export function paperOf(record: unknown, where: string, id?: string): Paper {
  const fields = parseRecord(paperRecord, record, where);
  const paperId = id ?? parseRecord(z.string(), fields.id, `${where} field id`);
  return {
    id: paperId,
    title: fields.title.trim() || paperId,
    abstract: fields.abstract,
    sections: sectionsOf(fields.full_text),
    questions: questionsOf(fields.qas),
  };
}

function sectionsOf(
  source: z.infer<typeof sectionRows> | z.infer<typeof sectionColumns>,
): PaperSection[] {
  if (Array.isArray(source)) {
    return source.map(({ section_name, paragraphs }) => ({
      name: section_name ?? null,
      paragraphs,
    }));
  }
  return source.paragraphs.map((paragraphs, i) => ({
    name: source.section_name[i] ?? null,
    paragraphs,
  }));
}

function questionsOf(
  source: z.infer<typeof questionRows> | z.infer<typeof questionColumns>,
): PaperQuestion[] {
  if (Array.isArray(source)) {
    return source.map((row) => ({
      id: row.question_id,
      question: row.question,
      answers: answersOf(row.answers ?? []),
    }));
  }
  return source.question.map((question, i) => ({
    id: source.question_id[i] ?? "",
    question,
    answers: answersOf(source.answers?.[i] ?? []),
  }));
}

function answersOf(
  source: z.infer<typeof answerRows> | z.infer<typeof answerColumns>,
): AnnotatorAnswer[] {
  if (Array.isArray(source)) {
    return source.map((row) => answerOf(row.answer, row.worker_id ?? row.annotation_id));
  }
  return source.answer.map((answer, i) =>
    answerOf(answer, source.worker_id?.[i] ?? source.annotation_id?.[i]),
  );
}

function answerOf(
  fields: z.infer<typeof answerFields>,
  annotator: string | undefined,
): AnnotatorAnswer {
  return {
    ...(annotator !== undefined && { annotator }),
    unanswerable: fields.unanswerable,
    spans: fields.extractive_spans,
    freeForm: fields.free_form_answer,
    yesNo: fields.yes_no,
    evidence: fields.evidence,
  };
}
