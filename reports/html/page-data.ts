import type { FailureKind } from "../../core/analysis/failure.ts";
import type { Json } from "../../core/json.ts";
import type { Outcome } from "../../core/method.ts";
import type { ChatMessage } from "../../core/model.ts";
import type { EvidenceUnit } from "../../core/question.ts";
import type { JudgementValue } from "../../core/record.ts";
import type { TraceEvent } from "../../core/trace.ts";
import type { Usage } from "../../core/usage.ts";

/** What the first page needs: `data/summary.js`. Rows are tuples, since there are as many as records. */
export interface SummaryHead {
  schema: "ritbench.html-summary/1";
  run: { id: string; name: string; status: string; identity: string; programVersion: string };
  leaderboard: LeaderboardData;
  figures: readonly FigureFile[];
  datasets: readonly string[];
  methods: readonly { name: string; title: string; fingerprint: string }[];
  models: readonly string[];
  repeats: number;
  outcomes: readonly Outcome[];
  failures: readonly FailureKind[];
}

export interface LeaderboardData {
  columns: readonly { key: string; label: string; right: boolean }[];
  rows: readonly {
    cells: readonly { text: string; best: boolean }[];
    accuracy: { estimate: number; low: number; high: number } | null;
  }[];
  notes: readonly string[];
}

/** An image beside the page. */
export interface FigureFile {
  file: string;
  title: string;
}

/** `[file, data set, id, text]`: the name of the question's data file without its ending; a position in `datasets`. */
export type QuestionRow = readonly [file: string, dataset: number, id: string, text: string];

/** One record: positions in `questions`, `methods`, `models`, `outcomes` and `failures`; verdict 1, 0, or null where unscored. */
export type RecordRow = readonly [
  question: number,
  method: number,
  model: number,
  repeat: number,
  outcome: number,
  verdict: 0 | 1 | null,
  failure: number,
  inputTokens: number,
  outputTokens: number,
  costUsd: number | null,
  llmMs: number | null,
];

/** All that is known of one question: `data/q-<hash>.js`. */
export interface QuestionData {
  schema: "ritbench.html-question/1";
  dataset: string;
  id: string;
  text: string | null;
  goldAnswers: readonly string[];
  answerable: boolean;
  meta: { readonly [key: string]: string };
  evidence: readonly GoldUnit[];
  /** Whether titles and places come from the corpus; false = ids alone. */
  titled: boolean;
  /** Every node of the trees below, parents before children. */
  nodes: readonly TreeNode[];
  records: readonly RecordData[];
}

/** A gold unit in words, and the nodes in which it lies. */
export interface GoldUnit {
  set: number;
  annotator: string | null;
  unit: EvidenceUnit;
  nodes: readonly number[];
  /** Why it lies nowhere in the corpus. */
  unresolved: string | null;
}

/** `parent` is a position in `nodes`, -1 for the root of a tree. */
export interface TreeNode {
  id: string;
  title: string | null;
  parent: number;
  readable: boolean;
}

export interface RecordData {
  method: string;
  title: string;
  model: string;
  repeat: number;
  outcome: Outcome;
  failure: FailureKind;
  answer: string;
  reasoning: string;
  sources: readonly string[];
  flags: readonly string[];
  toolCalls: { readonly [tool: string]: number };
  modelCalls: number;
  usage: Usage;
  costAtHaikuUsd: number | null;
  error: { code: string; message: string } | null;
  judgements: readonly { judge: string; value: JudgementValue; reply: string | null }[];
  /** Per gold unit of the set the scorer chose: how far it came. */
  units: readonly {
    unit: EvidenceUnit;
    retrieved: boolean | null;
    shown: boolean;
    read: boolean;
  }[];
  /** Nodes laid before the model as titles, one list for each time. */
  shown: readonly (readonly number[])[];
  selected: readonly number[];
  read: readonly { node: number; tokens: number }[];
  /** Null where the trace is missing or unreadable. */
  events: readonly PageEvent[] | null;
}

/**
 * A trace event without its times (a clock's reading is not the same twice) and without what stands elsewhere on the
 * page: the nodes of `shown`, and tool results inside the next prompt.
 */
export type PageEvent =
  | {
      type: "model_call";
      task: string;
      role: string;
      model: string;
      messages: readonly PageMessage[];
      carriedMessages: number;
      tools: readonly string[];
      reply: string;
      toolCalls: readonly { name: string; arguments: Json; invalid: string | null }[];
      stopReason: string;
      usage: Usage;
    }
  | { type: "tool_call"; name: string; arguments: Json; result: string; refused: string | null }
  | { type: "retrieved"; query: string; mode: string; chunks: readonly string[] }
  | { type: "shown"; query: string; nodes: number; selected: number; tokens: number }
  | {
      type: "read";
      items: readonly { kind: string; id: string; node: number | null; tokens: number }[];
    }
  | Omit<Extract<TraceEvent, { type: "limit" | "note" | "error" }>, "atMs">;

/** `asAbove`: the content is the result of the tool call just before. */
export type PageMessage =
  | { role: ChatMessage["role"]; content: string; asAbove?: undefined }
  | { role: "tool"; name: string; asAbove: true };
