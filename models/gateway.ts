import { RitbenchError } from "../core/errors.ts";
import { type Fingerprint, fingerprint } from "../core/fingerprint.ts";
import type { ChatModel, ModelReply, ModelRequest, ModelRole, Sampling } from "../core/model.ts";
import type { Provider, ProviderFactory, ProviderRequest } from "./provider.ts";

/** A model as one caller wants it. */
export interface ModelSpec {
  /** Id or alias: `anthropic:claude-haiku-4-5`, `openai-compatible:qwen3@http://localhost:11434/v1`, `offline:extractive`. */
  id: string;
  role: ModelRole;
  /** Which asking of the same questions this is, from 0; part of the cache key. */
  repeat: number;
  /** Overrides the model's own defaults field by field; a request's sampling overrides both. */
  sampling?: Sampling;
  maxTokens?: number;
}

export interface GatewayOptions {
  /** Providers by prefix, beside or instead of the built-in ones: `{ offline: makeOffline }`. */
  providers?: { readonly [prefix: string]: ProviderFactory };
}

export interface Gateway {
  /** @throws RitbenchError E_MODEL_UNKNOWN for an id without a provider. */
  model(spec: ModelSpec): ChatModel;
  /** Waits for writes and closes the cache. */
  close(): Promise<void>;
}

/** The one place where model calls are made. */
export function createGateway(options: GatewayOptions): Gateway {
  return {
    model: (spec) => chatModel(spec, providerOf(spec.id, options)),
    close: async () => {},
  };
}

function providerOf(id: string, options: GatewayOptions): Provider {
  const [prefix = "", ...rest] = id.split(":");
  const factory = options.providers?.[prefix];
  if (factory === undefined) {
    throw new RitbenchError("E_MODEL_UNKNOWN", `no provider serves ${id}`);
  }
  return factory(rest.join(":"));
}

function chatModel(spec: ModelSpec, provider: Provider): ChatModel {
  const own: Fingerprint = fingerprint({ id: provider.id, version: provider.version ?? null });
  return {
    id: provider.id,
    fingerprint: provider.fingerprint ?? own,
    contextTokens: provider.contextTokens,
    offline: provider.offline,
    async call({ signal, cacheable: _, ...request }: ModelRequest): Promise<ModelReply> {
      const full: ProviderRequest = { ...request, role: spec.role, repeat: spec.repeat };
      const reply = await provider.send(full, { signal: signal ?? new AbortController().signal });
      return {
        message: reply.message,
        stopReason: reply.stopReason,
        usage: {
          ...reply.usage,
          llmMs: null,
          waitMs: 0,
          replayed: false,
          attempts: 1,
          costUsd: 0,
          cachedCostUsd: 0,
        },
      };
    },
  };
}
