import { ModelError } from "../../core/model-error.ts";
import type { ResolvedModel } from "../catalog.ts";
import type { Provider } from "../provider.ts";
import type { Time } from "../time.ts";
import { anthropicProvider } from "./anthropic.ts";
import { googleProvider } from "./google.ts";
import { openaiProvider } from "./openai.ts";
import type { NetworkProviderOptions } from "./options.ts";

const makers: {
  readonly [provider: string]: (options: NetworkProviderOptions) => Provider;
} = {
  anthropic: anthropicProvider,
  openai: openaiProvider,
  "openai-compatible": openaiProvider,
  google: googleProvider,
};

/** The environment variable a provider's key is looked for in, for messages; `cli/` does the reading. */
export const keyVariables: { readonly [provider: string]: string } = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_API_KEY",
  "openai-compatible": "OPENAI_COMPATIBLE_API_KEY",
};

/** Clients insist on a key; this one is no word that an error message could hold. */
const noKey = "no-key-needed";

export interface NetworkContext {
  keys: { readonly [provider: string]: string };
  timeoutMs: number;
  /** True = answer from the cache alone. */
  offline: boolean;
  time: Time;
}

/**
 * The provider of a resolved model. A missing key or the offline switch is reported by `send`, not
 * here: a run answered from the cache needs neither.
 */
export function networkProvider(model: ResolvedModel, context: NetworkContext): Provider {
  const { provider } = model.identity;
  const needsKey = provider !== "openai-compatible";
  const key = context.keys[provider] ?? (needsKey ? undefined : noKey);
  const { id, identity, contextTokens } = model;
  const unable = (error: () => ModelError): Provider => ({
    id,
    identity,
    contextTokens,
    offline: false,
    send: async () => Promise.reject(error()),
  });
  if (context.offline) {
    return unable(
      () =>
        new ModelError("network", "offline: this call is not in the response cache", {
          where: id,
          next: "run once without --offline, or use offline:extractive",
        }),
    );
  }
  if (key === undefined) {
    return unable(
      () =>
        new ModelError("auth", `no API key for ${provider}`, {
          where: id,
          next: `set ${keyVariables[provider]}, or use offline:extractive, which needs none`,
        }),
    );
  }
  return makers[provider]!({
    id,
    identity,
    contextTokens,
    key,
    model: identity.model,
    // A minute of grace: the gateway's own time limit comes first.
    timeoutMs: context.timeoutMs + 60_000,
    promptCaching: model.provider.promptCaching ?? true,
    time: context.time,
  });
}
