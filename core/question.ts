import type { DocumentId, NodeId, QuestionId } from "./ids.ts";

/** One gold unit. Pages are 0-based. A paragraph is matched in the text of its document (A11). */
export type EvidenceUnit =
  | { kind: "document"; documentId: DocumentId }
  | { kind: "page"; documentId: DocumentId; page: number }
  | { kind: "node"; nodeId: NodeId }
  | { kind: "paragraph"; documentId: DocumentId; text: string };

/** One evaluation item. A method sees `id` and `text` only. */
export interface Question {
  id: QuestionId;
  dataset: string;
  /** The benchmark whose conventions hold, where `dataset` is another name for it (a stand-in's folder). */
  benchmark?: string;
  /** As every method gets it, with the data set's prefix where there is one (A14). */
  text: string;
  goldAnswers: readonly string[];
  /** Gold units, one set per annotator (A12); no sets = no gold evidence. */
  evidence: readonly EvidenceSet[];
  /** False where the gold says that the corpus holds no answer. */
  answerable: boolean;
  split?: string;
  /** Facts an answer must hold, for completeness. */
  nuggets?: readonly string[];
  /** Why the question cannot be run here (its document is absent); counted, never judged. */
  notRunnable?: string;
  /** Columns to split results by: question type, product, kind of tree. */
  meta: { readonly [key: string]: string };
}

export interface EvidenceSet {
  annotator?: string;
  units: readonly EvidenceUnit[];
}
