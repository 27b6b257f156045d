import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { DatasetContext } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import { readJsonl } from "../parsing/jsonl.ts";
import { existingFile } from "../parsing/sources.ts";

export const NAME = "financebench";

/** Where one filing's pieces lie, relative to the data set's folder; at least one of the three is there. */
export interface FilingFiles {
  /** Name of the filing, as the questions use it. */
  name: string;
  /** JSON Lines of `{page, text}`, zipped or not. */
  pages?: string;
  pdf?: string;
  /** Ready-made PageIndex tree. */
  tree?: string;
}

export interface FinanceBenchFiles {
  questions: string;
  /** Absent in neither layout; the loader works without it. */
  information?: string;
  /** By name, in code-unit order. */
  filings: ReadonlyMap<string, FilingFiles>;
}

const QUESTIONS = "financebench_open_source.jsonl";
const INFORMATION = "financebench_document_information.jsonl";

const KINDS = [
  { folder: "pages", field: "pages", suffixes: [".jsonl.gz", ".jsonl"] },
  { folder: "pdfs", field: "pdf", suffixes: [".pdf"] },
  { folder: "pageindex-trees", field: "tree", suffixes: ["_structure.json", ".json"] },
] as const;

/**
 * The files of the official layout (`data/*.jsonl`, `pdfs/`) or with the JSON Lines at the top, page texts in
 * `pages/` and trees in `pageindex-trees/`.
 *
 * @throws RitbenchError E_DATA_MISSING without folder or questions
 */
export async function findFiles(folder: string): Promise<FinanceBenchFiles> {
  const top = await existingFile(folder, [QUESTIONS, `data/${QUESTIONS}`]);
  if (top === undefined) {
    throw new RitbenchError("E_DATA_MISSING", "the questions of FinanceBench are absent", {
      where: folder,
      expected: `${QUESTIONS} or data/${QUESTIONS}`,
      next: `ritbench data fetch ${NAME}`,
    });
  }
  const information = await existingFile(folder, [INFORMATION, `data/${INFORMATION}`]);
  const filings = new Map<string, FilingFiles>();
  for (const { folder: subfolder, field, suffixes } of KINDS) {
    for (const file of await filesIn(join(folder, subfolder))) {
      const suffix = suffixes.find((ending) => file.endsWith(ending));
      if (suffix === undefined || file.length === suffix.length) continue;
      const name = file.slice(0, -suffix.length);
      const filing = filings.get(name) ?? { name };
      filing[field] ??= `${subfolder}/${file}`;
      filings.set(name, filing);
    }
  }
  const ordered = [...filings].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    questions: top,
    ...(information !== undefined && { information }),
    filings: new Map(ordered),
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const facts = await stat(folder).catch(() => undefined);
  if (!facts?.isDirectory()) return [];
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry) => entry.name)
    .sort();
}

const evidenceItem = z.object({
  doc_name: z.string().nullish(),
  /** The name the upstream README gives the field. */
  evidence_doc_name: z.string().nullish(),
  evidence_page_num: z.int().nullish(),
});

const questionRow = z.object({
  financebench_id: z.string().min(1),
  doc_name: z.string(),
  company: z.string().nullish(),
  question_type: z.string().nullish(),
  question_reasoning: z.string().nullish(),
  question: z.string(),
  answer: z.string().nullish(),
  evidence: z.array(evidenceItem).nullish(),
});
export type QuestionRow = z.infer<typeof questionRow>;

const informationRow = z.object({
  doc_name: z.string(),
  company: z.string().nullish(),
  gics_sector: z.string().nullish(),
  doc_type: z.string().nullish(),
  doc_period: z.union([z.string(), z.number()]).nullish(),
  doc_link: z.string().nullish(),
});
export type InformationRow = z.infer<typeof informationRow>;

export async function readQuestionRows(
  files: FinanceBenchFiles,
  { folder, signal }: DatasetContext,
): Promise<QuestionRow[]> {
  return collect(readJsonl(join(folder, files.questions), questionRow, signal));
}

/** Rows on documents, one or more a document. */
export async function readInformation(
  files: FinanceBenchFiles,
  { folder, signal }: DatasetContext,
): Promise<Map<string, InformationRow[]>> {
  const byName = new Map<string, InformationRow[]>();
  if (files.information === undefined) return byName;
  for (const row of await collect(
    readJsonl(join(folder, files.information), informationRow, signal),
  )) {
    byName.set(row.doc_name, [...(byName.get(row.doc_name) ?? []), row]);
  }
  return byName;
}

async function collect<T>(rows: AsyncIterable<{ value: T }>): Promise<T[]> {
  const values: T[] = [];
  for await (const { value } of rows) values.push(value);
  return values;
}
