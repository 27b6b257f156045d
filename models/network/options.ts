import type { ProviderIdentity } from "../provider.ts";
import type { Time } from "../time.ts";

/** What a network provider is made of. */
export interface NetworkProviderOptions {
  id: string;
  identity: ProviderIdentity;
  /** Name sent to the vendor. */
  model: string;
  /** API key; a placeholder for servers that want none. */
  key: string;
  contextTokens: number;
  /** The gateway cancels sooner; this keeps a client's own limit from striking first. */
  timeoutMs: number;
  /** Marks the parts of a tool-using conversation that the vendor should keep (Anthropic only). */
  promptCaching: boolean;
  time: Time;
}
