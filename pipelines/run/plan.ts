import { RitbenchError } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { Json } from "../../core/json.ts";
import type { BuildContext, Method, SharedResources } from "../../core/method.ts";
import type { ChatModel } from "../../core/model.ts";
import type { Question } from "../../core/question.ts";
import type { ManifestDataset, ManifestMethod, RecordKey, RunManifest } from "../../core/record.ts";
import type { StoredQuestion } from "../../core/run-folder/parse.ts";

/** A data set as a run needs it: corpus and retriever, its questions, and the methods made for this corpus. */
export interface RunDataset {
  name: string;
  shared: SharedResources;
  /** All questions in file order, those that cannot be run included. */
  questions: readonly Question[];
  /** One instance per corpus: a method with artefacts of its own opens those of this corpus. */
  methods: readonly Method[];
  /** What a method's build gets; without it, methods are used as they are. */
  buildContext?(method: Method): BuildContext;
}

/** A model as a run needs it: one face per repeat, so that repeats are separate calls. */
export interface RunModel {
  id: string;
  offline: boolean;
  fingerprint: Fingerprint;
  forRepeat(repeat: number): ChatModel;
}

export interface PlanOptions {
  name: string;
  /** The whole resolved config, for the record. */
  config: Json;
  /** The part of it that changes answers: no limit, concurrency, cap, folder or program version. */
  identityConfig: Json;
  programVersion: string;
  datasets: readonly RunDataset[];
  models: readonly RunModel[];
  /** How often each question is asked; default 1. */
  repeats?: number;
  /** The first so many runnable questions of each data set, in file order. */
  limit?: number;
  /** Only these question ids. */
  questionIds?: readonly string[];
}

/** One question to ask. */
export interface Job {
  key: RecordKey;
  question: Question;
  dataset: RunDataset;
  method: Method;
  model: RunModel;
}

export interface RunPlan {
  manifest: Omit<RunManifest, "id">;
  /** In the order of data set, question, method, model, repeat. */
  jobs: readonly Job[];
  questions: readonly StoredQuestion[];
  /** Questions left out because they cannot be run here, by data set. */
  notRunnable: { readonly [dataset: string]: number };
  /** Pairs of method and data set that print `n/a (does not fit)`. */
  unfit: readonly { dataset: string; method: string; reason: string }[];
}

/**
 * Lays out a run: which questions are asked of which methods and models.
 *
 * @throws RitbenchError E_RUN_NO_QUESTIONS when nothing would be asked, E_QUESTION_UNKNOWN for an id no data set has.
 */
export function planRun(options: PlanOptions, now: Date = new Date()): RunPlan {
  rejectUnknownIds(options);
  const repeats = options.repeats ?? 1;
  const jobs: Job[] = [];
  const questions: StoredQuestion[] = [];
  const unfit: { dataset: string; method: string; reason: string }[] = [];
  const datasets: ManifestDataset[] = [];
  for (const dataset of options.datasets) {
    const chosen = chooseQuestions(dataset.questions, options);
    questions.push(...chosen);
    datasets.push(manifestDataset(dataset, chosen.length));
    const fitting = dataset.methods.filter((method) => {
      const fit = method.fits?.(dataset.shared.corpus) ?? { fits: true };
      if (!fit.fits) unfit.push({ dataset: dataset.name, method: method.name, reason: fit.reason });
      return fit.fits;
    });
    for (const { question } of chosen) {
      for (const method of fitting) {
        for (const model of options.models) {
          for (let repeat = 0; repeat < repeats; repeat++) {
            const key: RecordKey = {
              dataset: dataset.name,
              method: method.name,
              model: model.id,
              questionId: question.id,
              repeat,
            };
            jobs.push({ key, question, dataset, method, model });
          }
        }
      }
    }
  }
  const notRunnable = Object.fromEntries(
    options.datasets.map(({ name, questions: all }) => [
      name,
      all.filter((question) => question.notRunnable !== undefined).length,
    ]),
  );
  if (jobs.length === 0) throw nothingToAsk(options, notRunnable, unfit);
  const startedAt = now.toISOString();
  return {
    manifest: {
      schema: "ritbench.run/1",
      name: options.name,
      identity: fingerprint({ name: options.name, config: options.identityConfig }),
      identityConfig: options.identityConfig,
      config: options.config,
      programVersion: options.programVersion,
      startedAt,
      updatedAt: startedAt,
      status: "running",
      datasets,
      methods: manifestMethods(options.datasets, unfit),
      models: options.models.map(({ id, offline, fingerprint: own }) => ({
        id,
        offline,
        fingerprint: own,
        resolved: [],
      })),
      judges: [],
    },
    jobs,
    questions,
    notRunnable,
    unfit,
  };
}

function chooseQuestions(
  all: readonly Question[],
  { limit, questionIds }: PlanOptions,
): StoredQuestion[] {
  const wanted = questionIds === undefined ? undefined : new Set(questionIds);
  return all
    .map((question, ordinal) => ({ schema: "ritbench.question/1" as const, ordinal, question }))
    .filter(({ question }) => question.notRunnable === undefined)
    .filter(({ question }) => wanted?.has(question.id) ?? true)
    .slice(0, limit ?? all.length);
}

function manifestDataset(dataset: RunDataset, asked: number): ManifestDataset {
  const { corpus, chunks, retriever, embedder, metadata } = dataset.shared;
  return {
    name: dataset.name,
    corpus: corpus.summary.hash,
    chunks: chunks.fingerprint,
    retriever: retriever.fingerprint,
    embedder: embedder.id,
    metadata: metadata.kind,
    questions: {
      total: dataset.questions.length,
      runnable: dataset.questions.filter((question) => question.notRunnable === undefined).length,
      asked,
      fingerprint: fingerprint(dataset.questions),
    },
  };
}

function manifestMethods(
  datasets: readonly RunDataset[],
  unfit: RunPlan["unfit"],
): ManifestMethod[] {
  const methods = new Map<string, Method>();
  for (const dataset of datasets) {
    for (const method of dataset.methods) {
      if (!methods.has(method.name)) methods.set(method.name, method);
    }
  }
  return [...methods.values()].map(
    ({ name, title, fingerprint: own, scoredReads, ownChunking }) => ({
      name,
      title,
      fingerprint: own,
      scoredReads,
      ...(ownChunking === undefined ? {} : { ownChunking }),
      unfit: Object.fromEntries(
        unfit
          .filter((pair) => pair.method === name)
          .map(({ dataset, reason }) => [dataset, reason]),
      ),
    }),
  );
}

function rejectUnknownIds({ datasets, questionIds }: PlanOptions): void {
  const known = new Set(datasets.flatMap(({ questions }) => questions.map(({ id }) => `${id}`)));
  const unknown = questionIds?.find((id) => !known.has(id));
  if (unknown === undefined) return;
  throw new RitbenchError(
    "E_QUESTION_UNKNOWN",
    `no data set of this run has a question ${unknown}`,
    {
      expected: `one of ${[...known].slice(0, 5).join(", ")}, ...`,
      got: unknown,
      next: "check --questions",
    },
  );
}

function nothingToAsk(
  { datasets, models }: PlanOptions,
  notRunnable: RunPlan["notRunnable"],
  unfit: RunPlan["unfit"],
): RitbenchError {
  const reasons = [
    ...datasets.map(
      ({ name, questions }) =>
        `${name}: ${questions.length} questions, ${notRunnable[name]} not runnable`,
    ),
    ...unfit.map(({ dataset, method, reason }) => `${method} does not fit ${dataset}: ${reason}`),
    ...(models.length === 0 ? ["no model"] : []),
  ];
  return new RitbenchError("E_RUN_NO_QUESTIONS", "there is no question to ask", {
    expected: "at least one runnable question and one method that fits",
    got: reasons.join("; "),
    next: "check the data set's questions with `ritbench data validate`, and --limit, --questions and --methods",
  });
}
