import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Json } from "../../core/json.ts";
import type { Question } from "../../core/question.ts";
import { type Judgement, keyOf, type RunManifest, type RunRecord } from "../../core/record.ts";
import { judgementFileName, RUN_FILES, traceFileName } from "../../core/run-folder/paths.ts";
import type { TraceEventInput } from "../../core/trace.ts";
import { noUsage } from "../../core/usage.ts";

/** What one method said of one question. */
export interface WrittenAnswer {
  record?: Partial<RunRecord>;
  /** Absent = no trace is written. */
  events?: readonly TraceEventInput[];
  /** The verdict; null = unscored. */
  correct: boolean | null;
  reply?: string;
  /** Details of the evidence scorer. */
  units?: Json;
}

export interface WrittenRun {
  folder: string;
  name?: string;
  status?: RunManifest["status"];
  corpus?: Corpus;
  methods: readonly { name: string; title: string }[];
  questions: readonly Question[];
  answer(question: Question, method: string, number: number): WrittenAnswer;
}

const MODEL = "toy:model";
const JUDGE = "toy-judge";

/** Writes a run folder by hand, line by line: any size, any content, without running anything. */
export function writeRunFolder(run: WrittenRun): string {
  const { folder, questions, methods } = run;
  for (const name of [RUN_FILES.traces, RUN_FILES.judgements])
    mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, RUN_FILES.manifest), JSON.stringify(manifestOf(run)));
  writeLines(join(folder, RUN_FILES.questions), questionLines(questions));
  const verdicts = openLines(join(folder, RUN_FILES.judgements, judgementFileName(JUDGE)));
  const evidence = openLines(join(folder, RUN_FILES.judgements, judgementFileName("evidence")));
  const records = openLines(join(folder, RUN_FILES.records));
  for (const [number, question] of questions.entries()) {
    for (const { name } of methods) {
      const answer = run.answer(question, name, number);
      const record = recordOf(question, name, answer);
      records.add(record);
      if (answer.events !== undefined) writeTrace(folder, record, answer.events);
      verdicts.add(verdictOf(record, answer));
      if (answer.units !== undefined) evidence.add(evidenceOf(record, answer.units));
    }
  }
  for (const file of [verdicts, evidence, records]) file.close();
  return folder;
}

function manifestOf({ name = "written", status, corpus, methods, questions }: WrittenRun): object {
  const count = questions.length;
  const manifest: RunManifest = {
    schema: "ritbench.run/1",
    id: name,
    name,
    identity: fingerprint(name),
    identityConfig: {},
    config: { repeats: 1 },
    programVersion: "0.1.0",
    startedAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
    status: status ?? "finished",
    datasets: [...new Set(questions.map(({ dataset }) => dataset))].map((dataset) => ({
      name: dataset,
      corpus: corpus?.summary.hash ?? fingerprint("no corpus"),
      chunks: fingerprint("chunks"),
      retriever: fingerprint("retriever"),
      embedder: "toy",
      metadata: "titles",
      questions: {
        total: count,
        runnable: count,
        asked: questions.filter((question) => question.dataset === dataset).length,
        fingerprint: fingerprint("questions"),
      },
    })),
    methods: methods.map((method) => ({
      ...method,
      fingerprint: fingerprint(method.name),
      scoredReads: true,
      unfit: {},
    })),
    models: [{ id: MODEL, offline: false, fingerprint: fingerprint(MODEL), resolved: [] }],
    judges: [{ name: JUDGE, fingerprint: fingerprint(JUDGE) }],
  };
  return manifest;
}

function* questionLines(questions: readonly Question[]): Generator<object> {
  for (const [ordinal, question] of questions.entries()) {
    yield { schema: "ritbench.question/1", ordinal, question };
  }
}

function recordOf({ id, dataset }: Question, method: string, { record }: WrittenAnswer): RunRecord {
  const key = { dataset, method, model: MODEL, questionId: id as string, repeat: 0 };
  return {
    schema: "ritbench.record/1",
    ...key,
    outcome: "answered",
    answer: `The answer of ${method}.`,
    reasoning: "",
    sources: [],
    flags: [],
    reads: [],
    shownNodes: [],
    toolCalls: {},
    modelCalls: 1,
    usage: { ...noUsage, uncachedInputTokens: 1200, outputTokens: 80, llmMs: 900, costUsd: 0.002 },
    wallMs: 1000,
    trace: traceFileName(key),
    ...record,
  };
}

function writeTrace(folder: string, record: RunRecord, events: readonly TraceEventInput[]): void {
  const trace = {
    schema: "ritbench.trace/1",
    key: keyOf(record),
    events: events.map((event, i) => ({ ...event, atMs: i * 10 })),
  };
  writeFileSync(join(folder, RUN_FILES.traces, traceFileName(record)), JSON.stringify(trace));
}

function verdictOf(record: RunRecord, { correct, reply }: WrittenAnswer): Judgement {
  return {
    ...keyFields(record),
    schema: "ritbench.judgement/1",
    judge: JUDGE,
    judgeFingerprint: fingerprint(JUDGE),
    value: correct === null ? { kind: "unscored", reason: "parse" } : { kind: "verdict", correct },
    ...(reply === undefined ? {} : { reply }),
  };
}

function evidenceOf(record: RunRecord, units: Json): Judgement {
  return {
    ...keyFields(record),
    schema: "ritbench.judgement/1",
    judge: "evidence",
    judgeFingerprint: fingerprint("evidence"),
    value: { kind: "scores", scores: { precision: 0.5, recall: 1, f1: 0.667 } },
    details: { units },
  };
}

function keyFields({ dataset, method, model, questionId, repeat }: RunRecord) {
  return { dataset, method, model, questionId, repeat };
}

function openLines(path: string): { add(value: object): void; close(): void } {
  const file = openSync(path, "w");
  return {
    add: (value) => void writeSync(file, `${JSON.stringify(value)}\n`),
    close: () => closeSync(file),
  };
}

function writeLines(path: string, values: Iterable<object>): void {
  const file = openLines(path);
  for (const value of values) file.add(value);
  file.close();
}
