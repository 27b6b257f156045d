import { sha256 } from "../fingerprint.ts";
import { keyOf, type RecordKey } from "../record.ts";

/** Names inside a run folder. */
export const RUN_FILES = {
  manifest: "manifest.json",
  records: "records.jsonl",
  questions: "questions.jsonl",
  traces: "traces",
  judgements: "judgements",
  report: "report",
  lock: "run.lock",
} as const;

/** File name of a record's trace below `traces/`: a hash, since ids come from documents and may hold `../`. */
export function traceFileName(key: RecordKey): string {
  return `${sha256(keyOf(key))}.json`;
}

/** File name of a judge's judgements below `judgements/`; two names never share a file. */
export function judgementFileName(judge: string): string {
  const plain = judge.replace(/[^A-Za-z0-9.-]+/g, "_").slice(0, 80);
  return plain === judge ? `${judge}.jsonl` : `${plain}-${sha256(judge).slice(0, 8)}.jsonl`;
}
