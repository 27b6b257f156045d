import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Fingerprint, sha256 } from "../fingerprint.ts";
import type { Question } from "../question.ts";
import { keyOf, type RecordKey, type RunManifest, type RunRecord } from "../record.ts";
import type { Trace } from "../trace.ts";
import { type JudgementTable, judgeOfFile, openJudgements } from "./judgements.ts";
import { openLineReader, readFileLines } from "./lines.ts";
import { readManifest } from "./manifest.ts";
import { canonicalOrder, describeKey } from "./order.ts";
import { parseRecordLine } from "./parse.ts";
import { judgementFileName, RUN_FILES, traceFileName } from "./paths.ts";
import { lineProblem, type RunProblem } from "./problem.ts";
import { type IndexedQuestion, indexQuestions, questionKey } from "./questions.ts";
import { readTrace } from "./traces.ts";

/** A run on disk, opened for reading. Records are found by their place in the file, not held in memory. */
export interface StoredRun {
  readonly folder: string;
  readonly manifest: RunManifest;
  /** Everything that was passed over or is missing, each named; grows as traces and judgements are read. */
  readonly problems: readonly RunProblem[];
  /**
   * One key per record in an order that does not depend on how the run went: data set, question in file order,
   * method, model, repeat. Where a question was answered again, the last success counts.
   */
  readonly keys: readonly RecordKey[];
  has(key: RecordKey): boolean;
  /** Whether the key's record is an error, known without reading it. */
  failed(key: RecordKey): boolean;
  record(key: RecordKey): RunRecord | undefined;
  /** All records in the order of `keys`, one at a time. */
  records(): Generator<RunRecord>;
  question(dataset: string, questionId: string): Question | undefined;
  /** Questions stored with the run, in order. */
  questions(): Question[];
  /** The events of a record, or undefined (named in `problems`) when its trace is absent or unreadable. */
  trace(record: RunRecord): Trace | undefined;
  /** Names of the judges that have judgements here. */
  judges(): string[];
  /** Judgements of one judge by the fingerprint the manifest names, else by the last one written. */
  judgements(judge: string, fingerprint?: Fingerprint): JudgementTable;
  /** Hash of what a judge sees of a key: its record line and its question. Undefined without a record. */
  inputOf(key: RecordKey): Fingerprint | undefined;
  close(): void;
}

interface Place {
  key: RecordKey;
  offset: number;
  length: number;
  failed: boolean;
  /** Position of the key among all keys, in the order of their first record. */
  number: number;
}

/**
 * Opens a run folder. Lines that cannot be used are named in `problems` and never fatal.
 *
 * @throws RitbenchError E_RUN_MISSING when the folder holds no manifest.
 */
export function openRun(folder: string): StoredRun {
  const { manifest, problems } = readManifest(folder);
  const questions = indexQuestions(folder, manifest, problems);
  const places = indexRecords(folder, problems);
  const keys = [...places.values()]
    .map((place) => place.key)
    .sort(
      canonicalOrder(
        manifest,
        (key) =>
          questions.get(questionKey(key.dataset, key.questionId))?.ordinal ??
          Number.MAX_SAFE_INTEGER,
      ),
    );
  nameMissing(folder, keys, questions, problems);
  const reader = openLineReader(join(folder, RUN_FILES.records));
  const tables = new Map<string, JudgementTable>();

  function line(key: RecordKey): Buffer | undefined {
    const place = places.get(keyOf(key));
    return place === undefined ? undefined : reader.read(place.offset, place.length);
  }
  function record(key: RecordKey): RunRecord | undefined {
    const bytes = line(key);
    return bytes === undefined ? undefined : (JSON.parse(bytes.toString("utf8")) as RunRecord);
  }
  function inputOf(key: RecordKey): Fingerprint | undefined {
    const bytes = line(key);
    if (bytes === undefined) return undefined;
    const question = questions.get(questionKey(key.dataset, key.questionId));
    return sha256(`${sha256(bytes)} ${question?.hash ?? ""}`).slice(0, 16) as Fingerprint;
  }

  return {
    folder,
    manifest,
    problems,
    keys,
    has: (key) => places.has(keyOf(key)),
    failed: (key) => places.get(keyOf(key))?.failed ?? false,
    record,
    *records() {
      for (const key of keys) yield record(key)!;
    },
    question: (dataset, questionId) => questions.get(questionKey(dataset, questionId))?.question,
    questions: () => [...questions.values()].map((stored) => stored.question),
    trace: (of) => readTrace(folder, of, problems),
    judges() {
      const names = listFiles(join(folder, RUN_FILES.judgements))
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => judgeOfFile(join(folder, RUN_FILES.judgements, file)));
      return names.filter((name) => name !== undefined).sort();
    },
    judgements(judge, fingerprint) {
      const wanted =
        fingerprint ?? manifest.judges.find((entry) => entry.name === judge)?.fingerprint;
      // A table is opened once, and again when its file has grown since.
      const path = join(folder, RUN_FILES.judgements, judgementFileName(judge));
      const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      const name = JSON.stringify([judge, wanted, bytes]);
      const table =
        tables.get(name) ??
        openJudgements(folder, judge, wanted, inputOf, (of) => places.get(of)?.number, problems);
      tables.set(name, table);
      return table;
    },
    inputOf,
    close() {
      reader.close();
      for (const table of tables.values()) table.close();
    },
  };
}

function indexRecords(folder: string, problems: RunProblem[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const line of readFileLines(join(folder, RUN_FILES.records))) {
    const parsed = parseRecordLine(line.bytes);
    if (!parsed.ok) {
      problems.push(lineProblem(RUN_FILES.records, line, parsed));
      continue;
    }
    const { dataset, method, model, questionId, repeat, outcome } = parsed.value;
    const key = { dataset, method, model, questionId, repeat };
    const failed = outcome === "error";
    const earlier = places.get(keyOf(key));
    if (earlier !== undefined && failed && !earlier.failed) continue;
    const number = earlier?.number ?? places.size;
    places.set(keyOf(key), { key, offset: line.offset, length: line.bytes.length, failed, number });
  }
  return places;
}

function nameMissing(
  folder: string,
  keys: readonly RecordKey[],
  questions: ReadonlyMap<string, IndexedQuestion>,
  problems: RunProblem[],
): void {
  const traces = new Set(listFiles(join(folder, RUN_FILES.traces)));
  const seen = new Set<string>();
  for (const key of keys) {
    if (!traces.has(traceFileName(key))) {
      problems.push({ kind: "missing_trace", where: describeKey(key), detail: traceFileName(key) });
    }
    const id = questionKey(key.dataset, key.questionId);
    if (seen.has(id)) continue;
    seen.add(id);
    const where = `${key.dataset} ${key.questionId}`;
    const stored = questions.get(id);
    if (stored === undefined) {
      problems.push({ kind: "no_question", where, detail: "not in questions.jsonl" });
    } else if (stored.question.goldAnswers.length === 0) {
      problems.push({ kind: "no_gold", where, detail: "no gold answers, so no verdict" });
    }
  }
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
