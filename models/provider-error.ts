import type { ModelErrorKind } from "../core/model-error.ts";
import type { TokenCounts } from "./provider.ts";

export interface ProviderErrorDetails {
  /** HTTP status, where there was a response. */
  status?: number;
  /** Wait the server asked for, in ms from the time the error was made. */
  retryAfterMs?: number;
  /** What was billed all the same, where the failed reply said so. */
  usage?: TokenCounts;
  cause?: unknown;
}

/**
 * One failed attempt, already sorted into a kind; the retry layer decides what follows. The
 * message is the vendor's own, with keys removed.
 */
export class ProviderError extends Error {
  readonly kind: ModelErrorKind;
  readonly details: ProviderErrorDetails;

  constructor(kind: ModelErrorKind, message: string, details: ProviderErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = "ProviderError";
    this.kind = kind;
    this.details = details;
  }
}
