/**
 * Tokens and time of one model call. `inputTokens = uncachedInputTokens + cacheReadTokens + cacheWriteTokens`
 * for every vendor; `outputTokens` includes `reasoningTokens`.
 */
export interface Usage {
  uncachedInputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  reasoningTokens: number;
  /** Time inside successful requests, without retry waits; null where the model has no latency (offline, scripted). */
  llmMs: number | null;
  /** Time spent waiting for retries and rate limits. */
  waitMs: number;
  /** True when the reply came from the response cache: its time and cost are those of the original call. */
  replayed: boolean;
  /** HTTP requests made, failed ones included. */
  attempts: number;
  /** List price of all tokens; null = unknown price, never 0 by default. */
  costUsd: number | null;
  /** What the same call cost with the vendor's price for cached tokens; null = unknown. */
  cachedCostUsd: number | null;
}

export const noUsage: Usage = {
  uncachedInputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  llmMs: null,
  waitMs: 0,
  replayed: false,
  attempts: 0,
  costUsd: 0,
  cachedCostUsd: 0,
};

/** All prompt tokens of a call, cached or not. */
export function inputTokens(usage: Usage): number {
  return usage.uncachedInputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

/** Sum of several calls. Unknown cost of one makes the sum unknown; latency is null only when no call had one. */
export function sumUsage(usages: Iterable<Usage>): Usage {
  let sum: Usage = noUsage;
  for (const usage of usages) {
    sum = {
      uncachedInputTokens: sum.uncachedInputTokens + usage.uncachedInputTokens,
      cacheReadTokens: sum.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: sum.cacheWriteTokens + usage.cacheWriteTokens,
      outputTokens: sum.outputTokens + usage.outputTokens,
      reasoningTokens: sum.reasoningTokens + usage.reasoningTokens,
      llmMs: sum.llmMs === null ? usage.llmMs : sum.llmMs + (usage.llmMs ?? 0),
      waitMs: sum.waitMs + usage.waitMs,
      replayed: sum.replayed || usage.replayed,
      attempts: sum.attempts + usage.attempts,
      costUsd: addKnown(sum.costUsd, usage.costUsd),
      cachedCostUsd: addKnown(sum.cachedCostUsd, usage.cachedCostUsd),
    };
  }
  return sum;
}

function addKnown(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
