import { inputTokens } from "../../../core/usage.ts";
import { type Estimate, extrapolate } from "./extrapolate.ts";
import { addLedgers, type BuildLedger, noCalls } from "./ledger.ts";
import type { BuildManifest } from "./manifest.ts";
import type { BuildRequest, BuildUnit } from "./request.ts";
import { runBuild } from "./run-build.ts";

/** What a whole build will have cost, the units that are there included. */
export interface BuildForecast {
  /** Units in all, and those measured (the sample and what was there before). */
  total: number;
  measured: number;
  calls: Estimate;
  inputTokens: Estimate;
  outputTokens: Estimate;
  /** At list prices; null = a price is unknown. */
  costUsd: Estimate | null;
  /** Sum of the calls' latency; null for models without one. */
  llmMs: Estimate | null;
  /** Time until the rest is done at the pace of the sample; null when nothing had to be measured. */
  restWallMs: number | null;
  /** What the forecast itself has spent so far is in this ledger; its units are part of the build. */
  manifest: BuildManifest;
}

const SAMPLE = 8;

/**
 * Builds a few units for good and extrapolates from them, by size, what the whole build costs. The sample is spread
 * over the sizes: the middle unit of each of `sample` equal parts of the units in the order of their size.
 *
 * @throws RitbenchError as `runBuild`
 */
export async function forecastBuild<U extends BuildUnit, R>(
  request: BuildRequest<U, R>,
  sample: number = SAMPLE,
): Promise<BuildForecast> {
  const now = request.now ?? (() => performance.now());
  const before = await runBuild({ ...request, only: new Set() });
  const rest: { key: string; size: number }[] = [];
  for await (const { key, size } of request.units()) {
    if (before.get(key) === undefined) rest.push({ key, size });
  }
  await before.close();
  const chosen = spreadSample(rest, sample);
  const startedMs = now();
  const build = await runBuild({ ...request, only: new Set(chosen) });
  const elapsedMs = now() - startedMs;
  try {
    const sizes: number[] = [];
    const ledgers: BuildLedger[] = [];
    const left = { count: 0, size: 0 };
    const isChosen = new Set(chosen);
    let chosenSize = 0;
    for await (const { key, size } of request.units()) {
      const record = build.get(key);
      if (record === undefined) {
        left.count++;
        left.size += size;
        continue;
      }
      sizes.push(size);
      ledgers.push(record.ledger);
      if (isChosen.has(key)) chosenSize += size;
    }
    const meanSize = left.count === 0 ? 0 : left.size / left.count;
    const estimate = (figure: (ledger: BuildLedger) => number): Estimate => {
      const y = ledgers.map(figure);
      const spent = y.reduce((sum, value) => sum + value, 0);
      const more = extrapolate({ x: sizes, y }, left.count, meanSize);
      return {
        value: spent + more.value,
        low: more.low === null ? null : spent + more.low,
        high: more.high === null ? null : spent + more.high,
      };
    };
    const sum = ledgers.reduce(addLedgers, noCalls);
    return {
      total: sizes.length + left.count,
      measured: sizes.length,
      calls: estimate(({ calls, replays }) => calls + replays),
      inputTokens: estimate((ledger) => inputTokens(ledger.live) + inputTokens(ledger.replayed)),
      outputTokens: estimate(({ live, replayed }) => live.outputTokens + replayed.outputTokens),
      costUsd: known(sum.live.costUsd, sum.replayed.costUsd)
        ? estimate(({ live, replayed }) => (live.costUsd ?? 0) + (replayed.costUsd ?? 0))
        : null,
      llmMs:
        sum.live.llmMs === null && sum.replayed.llmMs === null
          ? null
          : estimate(({ live, replayed }) => (live.llmMs ?? 0) + (replayed.llmMs ?? 0)),
      restWallMs: chosenSize === 0 ? null : (elapsedMs * left.size) / chosenSize,
      manifest: build.manifest,
    };
  } finally {
    await build.close();
  }
}

function known(...values: readonly (number | null)[]): boolean {
  return values.every((value) => value !== null);
}

/** The middle unit of each of `count` equal parts of the units in the order of size. */
export function spreadSample(
  units: readonly { key: string; size: number }[],
  count: number,
): string[] {
  const sorted = units
    .map((unit, order) => ({ ...unit, order }))
    .sort((a, b) => a.size - b.size || a.order - b.order);
  const parts = Math.min(count, sorted.length);
  return Array.from(
    { length: parts },
    (_, i) => sorted[Math.floor(((i + 0.5) * sorted.length) / parts)]!.key,
  );
}
