import type { CorpusSink } from "./corpus/corpus.ts";
import type { Json } from "./json.ts";
import type { Question } from "./question.ts";

/** A fault of the data itself, found by `data validate`. */
export interface DataFinding {
  kind:
    | "evidence_unresolved"
    | "page_outside"
    | "document_missing"
    | "contradictory"
    | "duplicate_question"
    | "tree_repaired"
    | "encoding"
    | "other";
  /** Question, document or node id. */
  subject: string;
  detail: string;
}

/** A source that `data fetch` can bring: data, not code. */
export interface FetchFile {
  url: string;
  /** Where it goes below the data set's folder. */
  path: string;
  sha256?: string;
  /** Git blob id (SHA-1 over `blob <size>\0` + content), where only that is known. */
  gitBlob?: string;
  bytes?: number;
  /** Members to unpack from a .tgz, by name. */
  unpack?: readonly string[];
}

/** What a loader gets: where the files lie, its options, and a place to cache what it derives (page text of PDFs). */
export interface DatasetContext {
  /** The data set's own folder. Nothing is ever written there. */
  folder: string;
  /** `filings`, `split`, and the like, as the config gives them. */
  options: { readonly [key: string]: Json };
  cacheFolder: string;
  signal: AbortSignal;
  /** A line of progress for slow steps. */
  progress(message: string): void;
}

/** One benchmark data set: how its native files become a forest and questions. */
export interface Dataset {
  readonly name: string;
  readonly title: string;
  /** Raised when the loader's output changes. */
  readonly version: number;
  /** Whether one document is one page of a single portal (EntDocs). */
  readonly singleTree: boolean;
  /** Column of `Question.meta` whose values tables may be split by, where there is one. */
  readonly splits: readonly string[];
  /** Files under `folder` that decide the result, for the cache key: relative path and size (and hash where cheap). */
  sources(
    context: DatasetContext,
  ): Promise<readonly { path: string; bytes: number; modifiedMs: number }[]>;
  /** Streams the forest in document order. */
  writeCorpus(sink: CorpusSink, context: DatasetContext): Promise<void>;
  /** All questions in file order, those that cannot be run included and marked. */
  questions(context: DatasetContext): Promise<Question[]>;
  /** Faults seen while loading that are not visible in corpus and questions alone. */
  findings?(context: DatasetContext): Promise<DataFinding[]>;
  /** Counts of the paper that need the loader to be checked, one sentence each, for `data stats`. */
  besidePaper?(context: DatasetContext): Promise<string[]>;
  /** Official sources; empty when unreleased (then `unreleased` says what to supply). */
  readonly fetchFiles: readonly FetchFile[];
  readonly unreleased?: string;
}
