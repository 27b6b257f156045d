import type { Fingerprint } from "../core/fingerprint.ts";
import type { AssistantMessage, ModelRequest, ModelRole, StopReason } from "../core/model.ts";
import type { Usage } from "../core/usage.ts";

/**
 * Tokens of one reply in the one shape all vendors are brought to: `uncached + cacheRead + cacheWrite`
 * is the whole prompt, `outputTokens` includes `reasoningTokens`.
 */
export type TokenCounts = Pick<
  Usage,
  | "uncachedInputTokens"
  | "cacheReadTokens"
  | "cacheWriteTokens"
  | "outputTokens"
  | "reasoningTokens"
>;

/** A request as a provider gets it: sampling and token limit are resolved, `signal` travels beside it. */
export interface ProviderRequest extends Omit<ModelRequest, "signal" | "cacheable"> {
  role: ModelRole;
  /** 0 for the first time a question is asked. */
  repeat: number;
}

export interface ProviderReply {
  message: AssistantMessage;
  stopReason: StopReason;
  usage: TokenCounts;
  /** Model id as the provider reports it. */
  resolvedModel?: string;
  /** Set by providers that play back stored calls: the original call's usage, taken over as it is. */
  recorded?: Usage;
}

/** What a cached reply depends on besides the request: two providers with equal identities share replies. */
export interface ProviderIdentity {
  provider: string;
  /** Name sent to the vendor, aliases resolved. */
  model: string;
  baseUrl: string;
}

/**
 * Where replies come from. The gateway around it owns cache, retries, concurrency, prices and
 * ledger, so `send` makes exactly one attempt. Network providers throw `ProviderError`
 * (provider-error.ts); a `ModelError` passes through the gateway as it is.
 *
 * @example an offline provider is `{ id, contextTokens, offline: true, version: "1", send }`
 */
export interface Provider {
  /** `anthropic:claude-haiku-4-5`, `offline:extractive`. */
  readonly id: string;
  /** Size of the model's window in tokens. */
  readonly contextTokens: number;
  /** True for stand-ins (offline, scripted): their calls have no latency (`llmMs: null`) and cost 0. */
  readonly offline: boolean;
  /** Version of a stand-in's rules or the hash of its script; part of the model's fingerprint. */
  readonly version?: string;
  /** Absent = replies are never cached. */
  readonly identity?: ProviderIdentity;
  /** Fingerprint to show instead of the gateway's own (a replayed run keeps its model's). */
  readonly fingerprint?: Fingerprint;
  /** Loads what the first call needs, so that its latency is the model's alone. Awaited before every call. */
  ready?(): Promise<void>;
  send(request: ProviderRequest, options: { signal: AbortSignal }): Promise<ProviderReply>;
}

/**
 * Makes the provider of a model id with the factory's prefix: `name` is what follows the first
 * colon (`extractive` of `offline:extractive`). Synchronous; slow work belongs in the first `send`.
 */
export type ProviderFactory = (name: string) => Provider;
