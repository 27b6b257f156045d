import type { Fingerprint } from "./fingerprint.ts";
import type { Json } from "./json.ts";
import type { Outcome } from "./method.ts";
import type { ReadItem } from "./trace.ts";
import type { Usage } from "./usage.ts";

/** What makes a record unique in its run. */
export interface RecordKey {
  dataset: string;
  method: string;
  model: string;
  questionId: string;
  /** 0 for the first time the question is asked. */
  repeat: number;
}

/** The key as one string, for joins and hashes; never a file name (ids are hostile: hash it). */
export function keyOf({ dataset, method, model, questionId, repeat }: RecordKey): string {
  return JSON.stringify([dataset, method, model, questionId, repeat]);
}

/** One line of `records.jsonl`: everything scorers and reports need without the trace. */
export interface RunRecord extends RecordKey {
  schema: "ritbench.record/1";
  outcome: Outcome;
  answer: string;
  reasoning: string;
  sources: readonly string[];
  flags: readonly string[];
  /** Distinct items whose text entered the context, in order of first read. */
  reads: readonly ReadItem[];
  /** Distinct node ids shown as titles only. */
  shownNodes: readonly string[];
  toolCalls: { readonly [tool: string]: number };
  modelCalls: number;
  /** Sum over the answer calls; the judge's money is not here. */
  usage: Usage;
  /** Hypothetical cost at the paper's Haiku price, for offline models only. */
  costAtHaikuUsd?: number;
  /** From the question being asked to its answer, queueing included. Not a latency figure. */
  wallMs: number;
  /** File name inside `traces/`. */
  trace: string;
  error?: { code: string; message: string };
}

/** A verdict, a score, or why there is none. Never NaN, never a default. */
export type JudgementValue =
  | { kind: "verdict"; correct: boolean }
  | { kind: "score"; score: number }
  | { kind: "scores"; scores: { readonly [name: string]: number | null } }
  | { kind: "unscored"; reason: UnscoredReason };

export type UnscoredReason =
  | "parse"
  | "no_gold"
  | "no_answer"
  | "judge_error"
  /** Several judges, and neither verdict has the votes its rule asks for. */
  | "disagreement"
  | "not_applicable"
  | "range";

/** One line of `judgements/<judge>.jsonl`, joined to its record by key. */
export interface Judgement extends RecordKey {
  schema: "ritbench.judgement/1";
  /** Registry name of the judge or scorer. */
  judge: string;
  judgeFingerprint: Fingerprint;
  /** Hash of the record line and question that were judged: an answer replaced since makes the judgement stale. */
  input?: Fingerprint;
  value: JudgementValue;
  /** The judge's raw reply or its explanation. */
  reply?: string;
  usage?: Usage;
  details?: Json;
}

/** `manifest.json` of a run. */
export interface RunManifest {
  schema: "ritbench.run/1";
  id: string;
  name: string;
  /** Hash of what changes answers: not limit, concurrency, cap, folders, program version. */
  identity: Fingerprint;
  /** The resolved config that made the identity, for naming the field that differs. */
  identityConfig: Json;
  /** The whole resolved config. */
  config: Json;
  programVersion: string;
  startedAt: string;
  updatedAt: string;
  status: "running" | "finished" | "interrupted" | "budget" | "failed";
  datasets: readonly ManifestDataset[];
  methods: readonly ManifestMethod[];
  models: readonly {
    id: string;
    offline: boolean;
    fingerprint: Fingerprint;
    resolved: readonly string[];
  }[];
  judges: readonly { name: string; fingerprint: Fingerprint; model?: string }[];
}

export interface ManifestDataset {
  name: string;
  corpus: Fingerprint;
  chunks: Fingerprint;
  retriever: Fingerprint;
  embedder: string;
  metadata: string;
  questions: { total: number; runnable: number; asked: number; fingerprint: Fingerprint };
}

export interface ManifestMethod {
  name: string;
  title: string;
  fingerprint: Fingerprint;
  scoredReads: boolean;
  /** The method's own chunking instead of the data set's chunks: a declared exception from equal footing. */
  ownChunking?: string;
  /** Data sets on which the method does not fit, with the reason. */
  unfit: { readonly [dataset: string]: string };
}
