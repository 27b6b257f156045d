import type { DatasetContext } from "../../core/dataset.ts";
import type { DocumentId, QuestionId } from "../../core/ids.ts";
import type { EvidenceUnit, Question } from "../../core/question.ts";
import {
  type FinanceBenchFiles,
  type InformationRow,
  NAME,
  type QuestionRow,
  readInformation,
  readQuestionRows,
} from "./files.ts";
import { inspectFiling } from "./filing.ts";

/** Filings a question needs: its own and those of its evidence. */
export function filingsOf(row: QuestionRow): Set<string> {
  return new Set([row.doc_name, ...(row.evidence ?? []).map((item) => evidenceFiling(item, row))]);
}

type EvidenceItem = NonNullable<QuestionRow["evidence"]>[number];

function evidenceFiling(item: EvidenceItem, row: QuestionRow): string {
  return item.doc_name ?? item.evidence_doc_name ?? row.doc_name;
}

/** All questions in file order; those whose filing has no text here say so in `notRunnable`. */
export async function readQuestions(
  files: FinanceBenchFiles,
  context: DatasetContext,
): Promise<Question[]> {
  const rows = await readQuestionRows(files, context);
  const information = await readInformation(files, context);
  const states = new Map<string, Awaited<ReturnType<typeof inspectFiling>>>();
  for (const name of new Set(rows.flatMap((row) => [...filingsOf(row)]))) {
    states.set(name, await inspectFiling(files.filings.get(name), name, context));
  }
  return rows.map((row): Question => {
    const absent = [...filingsOf(row)].flatMap((name) => {
      const state = states.get(name)!;
      return "absent" in state ? [`${name}: ${state.absent}`] : [];
    });
    const state = states.get(row.doc_name)!;
    const units = pageUnits(row);
    return {
      id: row.financebench_id as QuestionId,
      dataset: NAME,
      text: row.question.trim(),
      goldAnswers: row.answer == null ? [] : [row.answer.trim()],
      evidence: units.length === 0 ? [] : [{ units }],
      answerable: true,
      meta: metaOf(
        row,
        information.get(row.doc_name)?.[0],
        "absent" in state ? "none" : state.treeKind,
      ),
      ...(absent.length > 0 && { notRunnable: `the filing is absent (${absent.join("; ")})` }),
    };
  });
}

/** Gold pages, each once: several items may quote one page. */
function pageUnits(row: QuestionRow): EvidenceUnit[] {
  const units = new Map<string, EvidenceUnit>();
  for (const item of row.evidence ?? []) {
    if (item.evidence_page_num == null) continue;
    const documentId = evidenceFiling(item, row) as DocumentId;
    const page = item.evidence_page_num;
    units.set(JSON.stringify([documentId, page]), { kind: "page", documentId, page });
  }
  return [...units.values()];
}

function metaOf(
  row: QuestionRow,
  information: InformationRow | undefined,
  treeKind: string,
): Question["meta"] {
  const fields: [string, string | number | null | undefined][] = [
    ["document", row.doc_name],
    ["treeKind", treeKind],
    ["questionType", row.question_type],
    ["questionReasoning", reasoningOf(row.question_reasoning)],
    ["company", row.company ?? information?.company],
    ["documentType", information?.doc_type],
    ["documentPeriod", information?.doc_period],
    ["sector", information?.gics_sector],
  ];
  return Object.fromEntries(
    fields.flatMap(([key, value]) => (value == null || value === "" ? [] : [[key, String(value)]])),
  );
}

/** The source joins kinds of reasoning by " OR ", in mixed case, at times with nothing after the last. */
export function reasoningOf(raw: string | null | undefined): string | undefined {
  const kinds = (raw ?? "")
    .split(/\bOR\b/)
    .map((kind) => kind.trim())
    .filter((kind) => kind !== "")
    .map((kind) => kind[0]!.toUpperCase() + kind.slice(1));
  return kinds.length === 0 ? undefined : [...new Set(kinds)].sort().join(" OR ");
}
