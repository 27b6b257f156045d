import { nearMiss, RitbenchError } from "../../core/errors.ts";
import type { RecordKey } from "../../core/record.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import { traceText } from "../../reports/trace/trace-text.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { addJsonOption, wholeNumber } from "../options.ts";
import { printJson } from "../output.ts";
import { findRun } from "../run-folders.ts";
import { openRunCorpora } from "../wiring/run-corpora.ts";

interface ShowOptions {
  method?: string;
  model?: string;
  dataset?: string;
  repeat?: number;
  full?: boolean;
  json?: boolean;
}

const SHORT_TEXT = 300;

/** `ritbench show <run> <question>`: the trace of one question in the terminal. */
export const showCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("show")
    .argument("<run>", "run id, the beginning of one, latest, or a folder")
    .argument("<question>", "question id")
    .description("Show how one question was answered: every call, what was shown, what was read.")
    .option("--method <name>", "one method (default: all that answered it)")
    .option("--model <id>", "one model")
    .option("--dataset <name>", "one data set, where several have the id")
    .option("--repeat <n>", "one repeat, from 1", wholeNumber)
    .option("--full", "texts in full instead of their beginnings")
    .addHelpText("after", "\nExample:\n  ritbench show latest fb-001 --method rit-rag\n");
  addJsonOption(command).action((name: string, questionId: string, options: ShowOptions) => {
    const run = openRun(findRun(io, name));
    try {
      const keys = matching(run, questionId, options);
      if (options.json === true) printJson(io, "show", jsonOf(run, keys));
      else io.out(keys.map((key) => textOf(io, run, key, options.full === true)).join("\n"));
    } finally {
      run.close();
    }
    done(exitCode.ok);
  });
};

function matching(run: StoredRun, questionId: string, options: ShowOptions): RecordKey[] {
  const ofQuestion = run.keys.filter((key) => key.questionId === questionId);
  if (ofQuestion.length === 0) {
    const ids = new Set(run.keys.map((key) => key.questionId));
    const near = nearMiss(questionId, ids);
    throw new RitbenchError(
      "E_QUESTION_UNKNOWN",
      `no record of question ${JSON.stringify(questionId)}`,
      {
        where: run.folder,
        expected:
          ids.size === 0
            ? "an answered question; this run has none yet, and its ritbench run command continues it"
            : `one of ${[...ids].slice(0, 5).join(", ")}${ids.size > 5 ? ", ..." : ""}`,
        ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
      },
    );
  }
  const keys = ofQuestion.filter(
    (key) =>
      (options.method === undefined || key.method === options.method) &&
      (options.model === undefined || key.model === options.model) &&
      (options.dataset === undefined || key.dataset === options.dataset) &&
      (options.repeat === undefined || key.repeat === options.repeat - 1),
  );
  if (keys.length > 0) return keys;
  throw new RitbenchError("E_RECORD_MISSING", "the question was answered, but not like that", {
    got: ofQuestion
      .map(({ method, model, dataset }) => `${method} / ${model} / ${dataset}`)
      .join("; "),
    next: "choose among these with --method, --model and --dataset",
  });
}

function textOf(io: Io, run: StoredRun, key: RecordKey, full: boolean): string {
  const record = run.record(key)!;
  const corpora = openRunCorpora(io, run.manifest);
  try {
    return traceText({
      record,
      question: run.question(key.dataset, key.questionId),
      trace: run.trace(record),
      judgements: judgementsOf(run, key),
      titleOf(nodeId) {
        const corpus = corpora.of(key.dataset);
        const node = corpus?.findNode(nodeId);
        return node === undefined ? undefined : corpus?.title(node);
      },
      maxCharacters: full ? Number.POSITIVE_INFINITY : SHORT_TEXT,
    });
  } finally {
    corpora.close();
  }
}

function judgementsOf(run: StoredRun, key: RecordKey) {
  return run.judges().flatMap((judge) => run.judgements(judge).get(key) ?? []);
}

function jsonOf(run: StoredRun, keys: readonly RecordKey[]): { [key: string]: unknown } {
  const rows = keys.map((key) => {
    const record = run.record(key)!;
    return {
      record,
      question: run.question(key.dataset, key.questionId) ?? null,
      trace: run.trace(record) ?? null,
      judgements: judgementsOf(run, key),
    };
  });
  return { run: run.manifest.id, rows, fingerprints: { identity: run.manifest.identity } };
}
