import type { Corpus } from "./corpus/corpus.ts";
import type { Fingerprint } from "./fingerprint.ts";
import type { Json } from "./json.ts";
import type { ChatModel } from "./model.ts";
import type { Question } from "./question.ts";
import type { JudgementValue, RunRecord } from "./record.ts";
import type { Trace } from "./trace.ts";
import type { Usage } from "./usage.ts";

/** What a judge may use: the judge model (absent for scorers that call none) and the corpus the record was made on. */
export interface JudgeContext {
  model?: ChatModel;
  corpus?: Corpus;
  /** The record's trace, read when asked for; undefined where it is missing. */
  trace?(): Trace | undefined;
  /** False for methods whose reads do not count (graph methods); absent = they do. */
  scoredReads?: boolean;
  signal: AbortSignal;
}

export interface JudgeResult {
  value: JudgementValue;
  reply?: string;
  usage?: Usage;
  details?: Json;
}

/** From a stored record to a judgement: an LLM judge, a rule, or a scorer. Never calls a method. */
export interface Judge {
  /** Registry name: `binary`, `offline:lexical`, `token-recall`, `evidence`. */
  readonly name: string;
  /** Prompt, rules and version. The judge model's own fingerprint is added by the judging pass. */
  readonly fingerprint: Fingerprint;
  readonly needsModel: boolean;
  judge(question: Question, record: RunRecord, context: JudgeContext): Promise<JudgeResult>;
}
