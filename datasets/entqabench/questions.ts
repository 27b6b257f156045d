import { isAbsolute, join } from "node:path";
import { z } from "zod";
import type { DocumentId, QuestionId } from "../../core/ids.ts";
import { packageFile } from "../../core/package-file.ts";
import type { Question } from "../../core/question.ts";
import { readJsonl } from "../parsing/jsonl.ts";

/** Questions written for portals that have none, by the name of their folder. */
const questionsByFolder: Readonly<Record<string, string>> = {
  "ibm-cloud-docs": "configs/questions/ibm-cloud-docs.jsonl",
  "powershell-docs": "configs/questions/powershell-docs.jsonl",
};

const row = z.object({
  id: z.string(),
  question: z.string(),
  answers: z.array(z.string()),
  /** Gold pages, by id or by place in the portal. */
  pages: z.array(z.string()).default([]),
  nuggets: z.array(z.string()).optional(),
  unanswerable: z.boolean().default(false),
});
export type QuestionRow = z.infer<typeof row>;

/**
 * Path of the portal's questions: the option's file (relative to the folder), else the folder's own, else those
 * written for a portal of that name; undefined where there are none.
 */
export function questionsPath(
  folder: string,
  option: string | undefined,
  own: string | undefined,
): string | undefined {
  if (option !== undefined) return isAbsolute(option) ? option : join(folder, option);
  if (own !== undefined) return join(folder, own);
  const written = questionsByFolder[folder.split(/[\\/]/).findLast((part) => part !== "") ?? ""];
  return written === undefined ? undefined : packageFile(written);
}

export async function readQuestionRows(path: string, signal: AbortSignal): Promise<QuestionRow[]> {
  const rows: QuestionRow[] = [];
  for await (const { value } of readJsonl(path, row, signal)) rows.push(value);
  return rows;
}

/** A gold page as the corpus knows it. */
export interface GoldPage {
  id: string;
  product: string;
}

export function questionOf(
  source: QuestionRow,
  dataset: string,
  pages: ReadonlyMap<string, GoldPage>,
): Question {
  const absent = source.pages.find((page) => !pages.has(page.toLowerCase()));
  const gold = source.pages.flatMap((page) => pages.get(page.toLowerCase()) ?? []);
  const products = new Set(gold.map((page) => page.product));
  return {
    id: source.id as QuestionId,
    dataset,
    text: source.question.trim(),
    goldAnswers: source.answers,
    evidence:
      gold.length === 0
        ? []
        : [
            {
              units: [...new Set(gold.map((page) => page.id))].map((id) => ({
                kind: "document",
                documentId: id as DocumentId,
              })),
            },
          ],
    answerable: !source.unanswerable,
    ...(source.nuggets !== undefined && { nuggets: source.nuggets }),
    ...(absent !== undefined && { notRunnable: `page ${absent} is not in the corpus` }),
    meta: {
      product:
        products.size === 1 ? [...products][0]! : products.size === 0 ? "unknown" : "several",
      pages: String(source.pages.length),
    },
  };
}
