import { setMaxListeners } from "node:events";
import { messageOf } from "../core/errors.ts";
import { ModelError, type ModelErrorKind } from "../core/model-error.ts";
import type { Usage } from "../core/usage.ts";
import { type Lane, LaneClosed } from "./lane.ts";
import type { ProviderReply, TokenCounts } from "./provider.ts";
import { ProviderError } from "./provider-error.ts";
import type { Time } from "./time.ts";

export interface RetryPolicy {
  /** 0 makes exactly one request per call. */
  maxRetries: number;
  /** First backoff; doubles with every retry, with full jitter above one half. */
  backoffMs: number;
  maxBackoffMs: number;
  /** A server that asks to wait longer than this fails the call at once. */
  retryAfterCeilingMs: number;
  /** One attempt's time limit. */
  timeoutMs: number;
}

export const defaultRetryPolicy: RetryPolicy = {
  maxRetries: 6,
  backoffMs: 1_000,
  maxBackoffMs: 60_000,
  retryAfterCeilingMs: 120_000,
  timeoutMs: 300_000,
};

export interface Attempted<Reply = ProviderReply> {
  reply: Reply;
  attempts: number;
  /** Duration of the successful request alone. */
  llmMs: number;
  /** Everything else since the first attempt was admitted: failed attempts, backoff, rate limits. */
  waitMs: number;
  /** Usage that failed attempts were billed for, where they said so. */
  billed: readonly TokenCounts[];
}

const retryable: ReadonlySet<ModelErrorKind> = new Set([
  "rate_limit",
  "server",
  "network",
  "timeout",
]);

/**
 * The one retry layer: at most `maxRetries + 1` requests, each in its lane's turn and time limit.
 *
 * @throws ModelError after the last attempt, or at once where a retry cannot help.
 */
export async function sendWithRetries<Reply = ProviderReply>(
  send: (signal: AbortSignal) => Promise<Reply>,
  model: string,
  {
    policy,
    lane,
    time,
    signal,
  }: { policy: RetryPolicy; lane: Lane; time: Time; signal: AbortSignal },
): Promise<Attempted<Reply>> {
  // One signal stops a whole run: its many listeners are no leak.
  setMaxListeners(0, signal);
  const billed: TokenCounts[] = [];
  let firstMs: number | undefined;
  let refusal = "it refused an earlier call";
  for (let attempts = 1; ; attempts++) {
    let startedMs = 0;
    try {
      return await lane.run(async (started) => {
        startedMs = started;
        firstMs ??= started;
        const reply = await withTimeout(send, policy.timeoutMs, signal);
        const endedMs = time.now();
        lane.succeeded();
        const llmMs = endedMs - started;
        return { reply, attempts, llmMs, waitMs: started - firstMs, billed };
      }, signal);
    } catch (error) {
      if (signal.aborted) throw abortError(model, signal);
      if (error instanceof LaneClosed) {
        const spent = {
          attempts: attempts - 1,
          waitMs: time.now() - (firstMs ?? time.now()),
          billed,
        };
        throw tooLong(model, error.untilMs, refusal, policy, spent, time);
      }
      if (!(error instanceof ProviderError)) throw error;
      if (error.details.usage !== undefined) billed.push(error.details.usage);
      const waitMs = waitBefore(error, attempts, policy, time);
      const spent = { attempts, waitMs: time.now() - (firstMs ?? startedMs), billed };
      if (error.kind === "rate_limit") {
        lane.throttled(startedMs, waitMs);
        refusal = error.message;
      }
      if (!retryable.has(error.kind) || attempts > policy.maxRetries) {
        throw finalError(error, model, spent);
      }
      if (waitMs > policy.retryAfterCeilingMs) {
        throw tooLong(model, time.now() + waitMs, error.message, policy, spent, time);
      }
      // A 429's wait is the lane's: it holds everybody back, this call included.
      if (error.kind !== "rate_limit") await sleepOrAbort(waitMs, model, time, signal);
    }
  }
}

function waitBefore(
  error: ProviderError,
  attempts: number,
  policy: RetryPolicy,
  time: Time,
): number {
  if (error.details.retryAfterMs !== undefined) return error.details.retryAfterMs;
  const full = Math.min(policy.maxBackoffMs, policy.backoffMs * 2 ** (attempts - 1));
  return full / 2 + (full / 2) * time.random();
}

/** Runs an attempt under its own signal, so that a timeout cancels the request and nothing else. */
async function withTimeout<Reply>(
  send: (signal: AbortSignal) => Promise<Reply>,
  timeoutMs: number,
  outer: AbortSignal,
): Promise<Reply> {
  const controller = new AbortController();
  const cancel = () => controller.abort(outer.reason);
  outer.addEventListener("abort", cancel, { once: true });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderError("timeout", `no reply within ${timeoutMs} ms`));
      controller.abort();
    }, timeoutMs);
    controller.signal.addEventListener("abort", () => reject(controller.signal.reason), {
      once: true,
    });
  });
  try {
    outer.throwIfAborted();
    return await Promise.race([send(controller.signal), late]);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener("abort", cancel);
  }
}

async function sleepOrAbort(ms: number, model: string, time: Time, signal: AbortSignal) {
  try {
    await time.sleep(ms, signal);
  } catch {
    throw abortError(model, signal);
  }
}

interface Spent {
  attempts: number;
  waitMs: number;
  billed: readonly TokenCounts[];
}

function finalError(error: ProviderError, model: string, spent: Spent): ModelError {
  const tried = spent.attempts === 1 ? "" : ` (after ${spent.attempts} attempts)`;
  return new ModelError(
    error.kind,
    `${error.message}${tried}`,
    { where: model, ...nextStep(error.kind), cause: error },
    billedUsage(spent),
  );
}

function tooLong(
  model: string,
  untilMs: number,
  refusal: string,
  policy: RetryPolicy,
  spent: Spent,
  time: Time,
): ModelError {
  const until = new Date(untilMs).toISOString();
  return new ModelError(
    "rate_limit",
    `the provider asks to wait until ${until}: ${refusal}`,
    {
      where: model,
      expected: `a wait of at most ${policy.retryAfterCeilingMs / 1000} s`,
      got: `${Math.round((untilMs - time.now()) / 1000)} s`,
      next: `run the same command again after ${until}`,
    },
    billedUsage(spent),
  );
}

export function abortError(model: string, signal: AbortSignal): ModelError {
  const reason = signal.reason instanceof DOMException ? "" : `: ${messageOf(signal.reason)}`;
  return new ModelError("aborted", `the call was stopped${reason}`, { where: model });
}

function nextStep(kind: ModelErrorKind): { next?: string } {
  if (kind === "auth")
    return { next: "check the provider's API key; `ritbench doctor` shows which are set" };
  if (kind === "quota")
    return { next: "raise the account's quota or wait for its reset, then run the same command" };
  return {};
}

/** Tokens of failed attempts; its cost is filled in by the gateway, which knows the price. */
function billedUsage({ billed, attempts, waitMs }: Spent): Usage | undefined {
  if (billed.length === 0) return undefined;
  return {
    ...sumTokens(billed),
    llmMs: null,
    waitMs,
    replayed: false,
    attempts,
    costUsd: null,
    cachedCostUsd: null,
  };
}

export function sumTokens(counts: readonly TokenCounts[]): TokenCounts {
  const sum = (pick: (c: TokenCounts) => number) => counts.reduce((total, c) => total + pick(c), 0);
  return {
    uncachedInputTokens: sum((c) => c.uncachedInputTokens),
    cacheReadTokens: sum((c) => c.cacheReadTokens),
    cacheWriteTokens: sum((c) => c.cacheWriteTokens),
    outputTokens: sum((c) => c.outputTokens),
    reasoningTokens: sum((c) => c.reasoningTokens),
  };
}
