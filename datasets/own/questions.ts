import { join } from "node:path";
import { z } from "zod";
import type { DatasetContext } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import type { DocumentId, NodeId, QuestionId } from "../../core/ids.ts";
import type { EvidenceUnit, Question } from "../../core/question.ts";
import { readJsonl } from "../parsing/jsonl.ts";
import { documentIdOf } from "./files.ts";

const evidence = z.strictObject({
  /** The file's path relative to the folder. */
  document: z.string().optional(),
  /** 0-based. */
  page: z.int().min(0).optional(),
  text: z.string().optional(),
  /** A node id, as `ritbench show` and traces print them. */
  node: z.string().optional(),
});

const row = z.strictObject({
  id: z.union([z.string().min(1), z.number()]).transform(String),
  question: z.string().min(1),
  answers: z.array(z.string()).optional(),
  answer: z.string().optional(),
  evidence: z.array(evidence).optional(),
  nuggets: z.array(z.string()).optional(),
  /** The gold says that the documents hold no answer. */
  unanswerable: z.boolean().optional(),
  split: z.string().optional(),
});

const SHAPE =
  '{"id", "question", "answers": [..] or "answer", "evidence": [{"document", "page" (0-based) or "text", or "node"}], "nuggets": [..], "unanswerable", "split"}; only id and question must be there';

/**
 * The user's own questions, one JSON object a line, in file order.
 *
 * @throws RitbenchError E_DATA_FORMAT that names file and line and the expected fields
 */
export async function readQuestions(
  file: string,
  dataset: string,
  { folder, signal }: DatasetContext,
): Promise<Question[]> {
  const path = join(folder, file);
  const questions: Question[] = [];
  try {
    for await (const { value, line } of readJsonl(path, row, signal)) {
      const units = (value.evidence ?? []).map((item) => unitOf(item, `${path}:${line}`));
      questions.push({
        id: value.id as QuestionId,
        dataset,
        text: value.question.trim(),
        goldAnswers: value.answers ?? (value.answer === undefined ? [] : [value.answer]),
        evidence: units.length === 0 ? [] : [{ units }],
        answerable: value.unanswerable !== true,
        ...(value.split !== undefined && { split: value.split }),
        ...(value.nuggets !== undefined && { nuggets: value.nuggets }),
        meta: { split: value.split ?? "all" },
      });
    }
  } catch (error) {
    if (!(error instanceof RitbenchError) || error.code !== "E_DATA_FORMAT") throw error;
    const { expected } = error.details;
    throw new RitbenchError(error.code, error.message, {
      ...error.details,
      expected: expected === SHAPE ? SHAPE : `${expected ?? "JSON"}. A line is ${SHAPE}`,
      next: "mend the line and run the command again",
    });
  }
  return questions;
}

function unitOf(
  { document, page, text, node }: z.infer<typeof evidence>,
  where: string,
): EvidenceUnit {
  if (node !== undefined) return { kind: "node", nodeId: node as NodeId };
  if (document === undefined) {
    throw new RitbenchError("E_DATA_FORMAT", "evidence names neither a document nor a node", {
      where,
      expected: SHAPE,
    });
  }
  const documentId = documentIdOf(document) as DocumentId;
  if (text !== undefined) return { kind: "paragraph", documentId, text };
  if (page !== undefined) return { kind: "page", documentId, page };
  return { kind: "document", documentId };
}
