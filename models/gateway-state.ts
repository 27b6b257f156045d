import type { ModelReply, ModelRole, Sampling } from "../core/model.ts";
import type { Budget } from "./budget.ts";
import type { ResponseCache } from "./cache/response-cache.ts";
import type { Flights } from "./flights.ts";
import type { Lane } from "./lane.ts";
import type { LedgerBook } from "./ledger.ts";
import type { Provider } from "./provider.ts";
import type { RetryPolicy } from "./retry.ts";
import type { Time } from "./time.ts";

/** A model as one caller wants it. */
export interface ModelSpec {
  /** Id or alias: `anthropic:claude-haiku-4-5`, `openai-compatible:qwen3@http://localhost:11434/v1`, `offline:extractive`. */
  id: string;
  role: ModelRole;
  /** Which asking of the same questions this is, from 0; part of the cache key. */
  repeat: number;
  /** Overrides the model's own defaults field by field; a request's sampling overrides both. */
  sampling?: Sampling;
  /** For requests that set no limit of their own. */
  maxTokens?: number;
}

/** How often the response cache answered, and what the first call it could not answer lacked. */
export interface CacheReport {
  hits: number;
  misses: number;
  firstMiss?: { key: string; task: string; reason: string };
}

/** What all models of a gateway share. */
export interface Shared {
  cache: ResponseCache | undefined;
  flights: Flights<ModelReply>;
  ledger: LedgerBook;
  budget: Budget;
  policy: RetryPolicy;
  time: Time;
  report: CacheReport;
  lane(provider: Provider): Lane;
}
