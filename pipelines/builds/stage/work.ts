import { setMaxListeners } from "node:events";
import { messageOf, RitbenchError } from "../../../core/errors.ts";
import { fingerprint } from "../../../core/fingerprint.ts";
import { ModelError } from "../../../core/model-error.ts";
import { fitsO200k } from "../../../core/o200k.ts";
import { createMeter } from "../../run/progress.ts";
import { addLedgers } from "./ledger.ts";
import {
  type BuildCounts,
  type BuildStatus,
  readBuildManifest,
  writeBuildManifest,
} from "./manifest.ts";
import { recordedModel } from "./recorded-model.ts";
import type { BuildRequest, BuildUnit, UnitResult } from "./request.ts";
import { doneUnits } from "./soundness.ts";
import { tallyOf } from "./tally.ts";
import type { UnitRecord, UnitStore } from "./unit-store.ts";

const FEW_TOKENS = 49;
/** Units in a row whose calls fail: no accident any more. */
const HOPELESS_FAILURES = 25;
const SAVE_EVERY_MS = 5_000;

/** Processes the units that the store lacks and keeps `build.json` true. The caller holds the lock. */
export async function processUnits<U extends BuildUnit, R>(
  request: BuildRequest<U, R>,
  store: UnitStore,
): Promise<void> {
  const { folder, what, model, total, signal, retryFailed = false, only } = request;
  const now = request.now ?? (() => performance.now());
  const date = request.date ?? (() => new Date());
  const startedAt = readBuildManifest(folder)?.startedAt ?? date().toISOString();
  const tally = tallyOf(store, total);
  const planned = only?.size ?? total;
  const kept = keptUnits(store, tally.counts(), request);
  const meter = createMeter(planned - kept, kept, now);
  const halt = new AbortController();
  const stop = AbortSignal.any([signal, halt.signal]);
  setMaxListeners(0, stop);
  let ended: { error: unknown } | undefined;
  let savedMs = Number.NEGATIVE_INFINITY;
  let failuresInRow = 0;

  const save = (status: BuildStatus, stopped?: string): void => {
    savedMs = now();
    writeBuildManifest(folder, {
      schema: "ritbench.build/1",
      fingerprint: fingerprint(what),
      what,
      offline: model.offline,
      unit: request.unit,
      status,
      ...(stopped !== undefined && { stopped }),
      counts: tally.counts(),
      ledger: addLedgers(tally.ledger(), store.openLedger()),
      problems: tally.problems(),
      startedAt,
      updatedAt: date().toISOString(),
    });
  };
  const end = (error: unknown): void => {
    ended ??= { error };
    // At the cap, what is under way may still finish with replies it has; other ends stop everything.
    if (!isBudget(error)) halt.abort(error);
  };

  async function processUnit(unit: U): Promise<void> {
    const before = store.has(unit.key) ? store.get(unit.key) : undefined;
    meter.started();
    let mine: { error: unknown } | undefined;
    const recorded = recordedModel(model, unit.key, store, stop, (error) => {
      mine ??= { error };
    });
    let result: UnitResult<R> | { error: RitbenchError } | undefined;
    try {
      result = await request.process(unit, { model: recorded, signal: stop });
    } catch (error) {
      if (error instanceof RitbenchError) result = { error };
      else mine ??= { error };
    }
    if (mine !== undefined || result === undefined) {
      meter.dropped();
      if (!stop.aborted && mine !== undefined) end(mine.error);
      return;
    }
    const cost = store.openLedger(unit.key);
    const record = recordOf(unit, result);
    const failed = isBad(record);
    const stored: UnitRecord = {
      ...(before !== undefined && failed ? before : record),
      ledger: before === undefined ? cost : addLedgers(before.ledger, cost),
    };
    store.finish(stored);
    tally.add(stored, cost, before);
    meter.finished(failed, cost.live.costUsd);
    request.onProgress?.(meter.snapshot());
    const callError = "error" in result && result.error instanceof ModelError && result.error;
    failuresInRow = callError === false ? 0 : failuresInRow + 1;
    if (callError !== false && failuresInRow >= HOPELESS_FAILURES) {
      end(hopeless(request, callError.message));
    }
    if (now() - savedMs >= SAVE_EVERY_MS) save("running");
  }

  save("running");
  request.onProgress?.(meter.snapshot());
  const next = puller(request.units(), (unit) => {
    if (only !== undefined && !only.has(unit.key)) return false;
    return !store.has(unit.key) || (retryFailed && isBad(store.get(unit.key)!));
  });
  const worker = async (): Promise<void> => {
    while (!stop.aborted && ended === undefined) {
      const unit = await next();
      if (unit === undefined) return;
      await processUnit(unit);
    }
  };
  const ends = await Promise.allSettled(
    Array.from({ length: Math.max(1, request.concurrency) }, () =>
      worker().catch((error: unknown) => {
        end(error);
        throw error;
      }),
    ),
  );
  const broken = ends.find((one) => one.status === "rejected");
  if (broken !== undefined) ended ??= { error: broken.reason };
  if (ended !== undefined) {
    if (isBudget(ended.error)) return save("budget", messageOf(ended.error));
    save("failed", messageOf(ended.error));
    throw ended.error;
  }
  if (signal.aborted) return save("interrupted", "interrupted");
  if (only === undefined || doneUnits({ counts: tally.counts() }) >= total) return save("finished");
  save("interrupted", "only a sample was built");
}

function keptUnits(
  store: UnitStore,
  counts: BuildCounts,
  { only, retryFailed }: Pick<BuildRequest<BuildUnit, unknown>, "only" | "retryFailed">,
): number {
  if (only !== undefined) return [...only].filter((key) => store.has(key)).length;
  const done = doneUnits({ counts });
  return retryFailed === true ? done - counts.failed - counts.empty : done;
}

function recordOf<R>(
  unit: BuildUnit,
  result: UnitResult<R> | { error: RitbenchError },
): Omit<UnitRecord, "ledger"> {
  const { key } = unit;
  if ("error" in result) {
    const { code, message } = result.error;
    return { key, outcome: "failed", records: 0, error: { code, message } };
  }
  const { value, records } = result;
  if (records > 0) return { key, outcome: "extracted", records, value };
  if (fitsO200k(unit.text(), FEW_TOKENS)) return { key, outcome: "blank", records, value };
  const error = { code: "E_UNIT_EMPTY", message: "no record from a text of 50 tokens or more" };
  return { key, outcome: "empty", records, value, error };
}

function isBad({ outcome }: Pick<UnitRecord, "outcome">): boolean {
  return outcome === "failed" || outcome === "empty";
}

function isBudget(error: unknown): boolean {
  return error instanceof ModelError && error.kind === "budget";
}

function hopeless({ what, folder }: BuildRequest<BuildUnit, unknown>, got: string): RitbenchError {
  return new RitbenchError(
    "E_BUILD_HOPELESS",
    `${HOPELESS_FAILURES} units of the ${what.kind} build in a row failed on their model calls`,
    {
      where: folder,
      got,
      next: "mend the cause, then give the same command again with --retry-failed",
    },
  );
}

/** Hands out the chosen units one by one to callers that ask at the same time. */
function puller<U>(
  units: Iterable<U> | AsyncIterable<U>,
  chosen: (unit: U) => boolean,
): () => Promise<U | undefined> {
  const wanted = (async function* () {
    for await (const unit of units) if (chosen(unit)) yield unit;
  })();
  return async () => {
    const { value, done } = await wanted.next();
    return done ? undefined : value;
  };
}
