import { setMaxListeners } from "node:events";
import { fingerprint } from "../core/fingerprint.ts";
import type { ChatModel, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/model-error.ts";
import type { Usage } from "../core/usage.ts";
import { type CacheKey, cacheKey } from "./cache/key.ts";
import type { StoredReply } from "./cache/response-cache.ts";
import type { ResolvedModel } from "./catalog.ts";
import { worstCaseUsd } from "./forecast.ts";
import type { ModelSpec, Shared } from "./gateway-state.ts";
import { dearer } from "./ledger.ts";
import { costOf } from "./price.ts";
import type { Provider, ProviderReply, ProviderRequest } from "./provider.ts";
import { type Attempted, abortError, sendWithRetries, sumTokens } from "./retry.ts";

const never = new AbortController().signal;

/** A model bound to its role, repeat and settings, calling through the gateway's shared parts. */
export function boundModel(
  spec: ModelSpec,
  provider: Provider,
  resolved: ResolvedModel | undefined,
  shared: Shared,
): ChatModel {
  const defaults = resolved?.defaults(spec.role) ?? { sampling: {} };
  const sampling = { ...defaults.sampling, ...spec.sampling };
  const maxTokens = spec.maxTokens ?? defaults.maxTokens;
  const { id } = provider;

  const complete = ({ signal: _, cacheable: __, ...request }: ModelRequest): ProviderRequest => {
    const limit = request.maxTokens ?? maxTokens;
    const { tools, ...rest } = request;
    return {
      ...rest,
      ...(tools === undefined || tools.length === 0 ? {} : { tools }),
      sampling: { ...sampling, ...request.sampling },
      ...(limit === undefined ? {} : { maxTokens: limit }),
      role: spec.role,
      repeat: spec.repeat,
    };
  };

  return {
    id,
    fingerprint:
      provider.fingerprint ??
      fingerprint({
        id,
        identity: provider.identity ?? null,
        version: provider.version ?? null,
        sampling,
        maxTokens: maxTokens ?? null,
      }),
    contextTokens: provider.contextTokens,
    offline: provider.offline,
    async call(request) {
      const signal = request.signal ?? never;
      const full = complete(request);
      if (signal.aborted) throw abortError(id, signal);
      setMaxListeners(0, signal);
      try {
        const reply = await (provider.identity === undefined
          ? callDirect(provider, full, signal, shared)
          : callCached(
              provider,
              resolved,
              full,
              cacheKey(provider.identity, full),
              request.cacheable ?? (() => true),
              signal,
              shared,
            ));
        shared.ledger.answered(spec.role, id, reply.usage);
        return reply;
      } catch (error) {
        shared.ledger.failed(spec.role, id);
        if (signal.aborted && !(error instanceof ModelError)) throw abortError(id, signal);
        throw error;
      }
    },
  };
}

/** Stand-ins and replays: no cache, no queue, no price. */
async function callDirect(
  provider: Provider,
  request: ProviderRequest,
  signal: AbortSignal,
  { time }: Shared,
): Promise<ModelReply> {
  const startedMs = time.now();
  const reply = await provider.send(request, { signal });
  const usage: Usage = reply.recorded ?? {
    ...reply.usage,
    llmMs: provider.offline ? null : time.now() - startedMs,
    waitMs: 0,
    replayed: false,
    attempts: 1,
    costUsd: provider.offline ? 0 : null,
    cachedCostUsd: provider.offline ? 0 : null,
  };
  return modelReply(reply, usage);
}

async function callCached(
  provider: Provider,
  resolved: ResolvedModel | undefined,
  request: ProviderRequest,
  key: CacheKey,
  cacheable: (reply: ModelReply) => boolean,
  signal: AbortSignal,
  shared: Shared,
): Promise<ModelReply> {
  const { cache, report, flights } = shared;
  const stored = cache?.get(key.id);
  if (stored !== undefined) {
    report.hits += 1;
    return replayedReply(stored);
  }
  const { value, joined } = await flights.fly(key.id, signal, async (flightSignal, landed) => {
    if (cache !== undefined) {
      report.misses += 1;
      report.firstMiss ??= { key: key.id, task: request.task, reason: cache.whyMissing(key) };
    }
    const reply = await callLive(provider, resolved, request, flightSignal, shared);
    const keep = reply.stopReason !== "refusal" && reply.stopReason !== "length";
    if (cache !== undefined && keep && cacheable(reply)) {
      landed(cache.put(key, { ...reply, storedAt: new Date(shared.time.now()).toISOString() }));
    }
    return reply;
  });
  if (!joined) return value;
  report.hits += 1;
  return { ...value, usage: { ...value.usage, replayed: true } };
}

async function callLive(
  provider: Provider,
  resolved: ResolvedModel | undefined,
  request: ProviderRequest,
  signal: AbortSignal,
  shared: Shared,
): Promise<ModelReply> {
  const { budget, ledger, policy, time } = shared;
  const price = resolved?.price;
  const estimateUsd = price === undefined ? 0 : worstCaseUsd(request, price);
  await provider.ready?.();
  const settle = await budget.reserve(request.role, estimateUsd, signal);
  let spentUsd = 0;
  try {
    const attempted = await sendWithRetries(
      (attemptSignal) => provider.send(request, { signal: attemptSignal }),
      provider.id,
      { policy, lane: shared.lane(provider), time, signal },
    );
    const usage = usageOf(attempted, price);
    spentUsd = dearer(usage) ?? 0;
    if (attempted.billed.length > 0) {
      const extra = billedUsage(sumTokens(attempted.billed), price);
      spentUsd += dearer(extra) ?? 0;
      ledger.billed(request.role, provider.id, extra);
    }
    return modelReply(attempted.reply, usage);
  } catch (error) {
    if (!(error instanceof ModelError) || error.usage === undefined) throw error;
    const usage = { ...error.usage, ...costOf(error.usage, price) };
    spentUsd = dearer(usage) ?? 0;
    ledger.billed(request.role, provider.id, usage);
    throw new ModelError(error.kind, error.message, error.details, usage);
  } finally {
    settle(spentUsd);
  }
}

function usageOf(
  { reply, attempts, llmMs, waitMs }: Attempted,
  price: ResolvedModel["price"],
): Usage {
  return {
    ...reply.usage,
    llmMs,
    waitMs,
    replayed: false,
    attempts,
    ...costOf(reply.usage, price),
  };
}

function billedUsage(tokens: ProviderReply["usage"], price: ResolvedModel["price"]): Usage {
  return {
    ...tokens,
    llmMs: null,
    waitMs: 0,
    replayed: false,
    attempts: 0,
    ...costOf(tokens, price),
  };
}

function modelReply(
  { message, stopReason, resolvedModel }: ProviderReply,
  usage: Usage,
): ModelReply {
  return { message, stopReason, usage, ...(resolvedModel === undefined ? {} : { resolvedModel }) };
}

/** A stored reply keeps the time and cost of its original call and says that it is one. */
export function replayedReply({ storedAt: _, usage, ...reply }: StoredReply): ModelReply {
  return { ...reply, usage: { ...usage, replayed: true } };
}
