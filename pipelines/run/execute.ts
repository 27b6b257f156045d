import { setMaxListeners } from "node:events";
import pLimit from "p-limit";
import type { Outcome } from "../../core/method.ts";
import type { RunManifest } from "../../core/record.ts";
import type { RunProblem } from "../../core/run-folder/problem.ts";
import type { Tracer } from "../../core/trace.ts";
import { createTracer } from "../tracing/tracer.ts";
import { ask } from "./outcome.ts";
import type { Job, RunDataset, RunPlan } from "./plan.ts";
import { createMeter, type RunProgress } from "./progress.ts";
import { recordOf, type TokenPrice, traceOf } from "./record.ts";
import type { RunStore } from "./store.ts";

export interface ExecuteOptions {
  plan: RunPlan;
  store: RunStore;
  /** Questions under way at once. */
  concurrency: number;
  signal: AbortSignal;
  /** Ask again what ended in an error; the old row stays until the new one is a success. */
  retryErrors?: boolean;
  onProgress?(progress: RunProgress): void;
  /** The paper's Haiku price, for the hypothetical cost of offline models. */
  hypotheticalPrice?: TokenPrice;
  /** Milliseconds on a clock that does not run backwards. */
  now?: () => number;
}

export interface RunResult {
  id: string;
  folder: string;
  status: Extract<RunManifest["status"], "finished" | "interrupted" | "budget">;
  /** Why the spending cap stopped the run. */
  budget?: string;
  /** Records that the whole plan asks for. */
  planned: number;
  /** Of these, stored by earlier starts. */
  kept: number;
  /** Stored by this start. */
  executed: number;
  /** Errors tried again that failed again; their old rows stand. */
  retriesFailed: number;
  /** Outcomes of what this start stored. */
  outcomes: { readonly [outcome in Outcome]?: number };
  notRunnable: RunPlan["notRunnable"];
  unfit: RunPlan["unfit"];
  problems: readonly RunProblem[];
  costUsd: number | null;
}

/**
 * Asks every question of the plan that the store does not hold yet. A question's failure is its record; only the
 * spending cap, the signal, a failing build and a full disk end the run early, and then everything finished is kept.
 *
 * @throws RitbenchError E_RUN_WRITE when records cannot be stored; whatever a method's build throws.
 */
export async function executeRun(options: ExecuteOptions): Promise<RunResult> {
  const { plan, store, signal } = options;
  const now = options.now ?? (() => performance.now());
  const open = plan.jobs.filter(
    ({ key }) => !store.has(key) || (options.retryErrors === true && store.failed(key)),
  );
  const meter = createMeter(open.length, plan.jobs.length - open.length, now);
  const report = (): void => options.onProgress?.(meter.snapshot());
  const outcomes: { [outcome in Outcome]?: number } = {};
  const halt = new AbortController();
  const stop = AbortSignal.any([signal, halt.signal]);
  // One listener per question under way.
  setMaxListeners(0, stop);
  const resolved = createNameSets();
  let executed = 0;
  let retriesFailed = 0;
  let budget: string | undefined;

  async function run(job: Job): Promise<void> {
    if (stop.aborted || budget !== undefined) return;
    meter.started();
    const tracer = createTracer(now);
    const start = now();
    const asked = await ask(() => answer(job, tracer, stop), stop);
    if (asked.kind !== "record") {
      meter.dropped();
      if (asked.kind === "budget") budget ??= asked.message;
      return;
    }
    if (asked.error !== undefined) {
      const { code, message } = asked.error;
      const last = tracer.events.at(-1);
      const told = last?.type === "error" && last.code === code;
      if (!told) tracer.emit({ type: "error", code, message: asked.stack ?? message });
    }
    const record = recordOf({
      key: job.key,
      answer: asked.answer,
      events: tracer.events,
      wallMs: now() - start,
      ...(asked.error === undefined ? {} : { error: asked.error }),
      ...(asked.usage === undefined ? {} : { failedUsage: asked.usage }),
      ...(job.model.offline && options.hypotheticalPrice !== undefined
        ? { hypothetical: options.hypotheticalPrice }
        : {}),
    });
    for (const event of tracer.events) {
      if (event.type === "model_call") resolved.add(job.model.id, event.model);
    }
    const failed = record.outcome === "error";
    if (failed && store.has(job.key)) retriesFailed++;
    else {
      store.append(record, traceOf(job.key, tracer.events));
      executed++;
      outcomes[record.outcome] = (outcomes[record.outcome] ?? 0) + 1;
    }
    meter.finished(failed, record.usage.costUsd);
    report();
  }

  store.update({ status: "running" });
  report();
  try {
    await buildMethods(open, stop);
    const limit = pLimit(options.concurrency);
    const ends = await Promise.allSettled(
      open.map((job) =>
        limit(() =>
          run(job).catch((error: unknown) => {
            // A store that no longer takes records: what is under way would be lost as well.
            halt.abort(error);
            throw error;
          }),
        ),
      ),
    );
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  } catch (error) {
    if (!signal.aborted || halt.signal.aborted) {
      store.update({ status: "failed" });
      throw error;
    }
  }
  const status = signal.aborted ? "interrupted" : budget === undefined ? "finished" : "budget";
  store.update({ status, models: resolved.into(store.manifest.models) });
  return {
    id: store.id,
    folder: store.folder,
    status,
    ...(budget === undefined ? {} : { budget }),
    planned: plan.jobs.length,
    kept: plan.jobs.length - open.length,
    executed,
    retriesFailed,
    outcomes,
    notRunnable: plan.notRunnable,
    unfit: plan.unfit,
    problems: store.problems,
    costUsd: meter.snapshot().costUsd,
  };
}

function answer(
  { question, dataset, method, model, key }: Job,
  tracer: Tracer,
  signal: AbortSignal,
) {
  // Gold answers and evidence stay here: a method sees id and text alone.
  return method.answer(
    { id: question.id, text: question.text },
    { ...dataset.shared, model: model.forRepeat(key.repeat), tracer, signal },
  );
}

/** Builds what the open questions need, one method after the other. */
async function buildMethods(jobs: readonly Job[], signal: AbortSignal): Promise<void> {
  const done = new Map<RunDataset, Set<string>>();
  for (const { dataset, method } of jobs) {
    const built = done.get(dataset) ?? new Set();
    done.set(dataset, built);
    if (built.has(method.name) || method.build === undefined) continue;
    built.add(method.name);
    signal.throwIfAborted();
    const context = dataset.buildContext?.(method);
    if (context !== undefined) await method.build(context);
  }
}

/** Model ids as providers reported them, by the id that was asked for. */
function createNameSets() {
  const names = new Map<string, Set<string>>();
  return {
    add(model: string, name: string) {
      const known = names.get(model) ?? new Set();
      names.set(model, known.add(name));
    },
    into: (models: RunManifest["models"]): RunManifest["models"] =>
      models.map((entry) => ({
        ...entry,
        resolved: [...new Set([...entry.resolved, ...(names.get(entry.id) ?? [])])].sort(),
      })),
  };
}
