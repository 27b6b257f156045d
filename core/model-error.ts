import { type ErrorDetails, RitbenchError } from "./errors.ts";
import type { Usage } from "./usage.ts";

/** Why a model call gave no reply; decides the question's outcome and whether a later attempt makes sense. */
export type ModelErrorKind =
  | "context_overflow"
  | "rate_limit"
  | "quota"
  | "auth"
  | "bad_request"
  | "server"
  | "network"
  | "timeout"
  | "budget"
  | "aborted"
  | "missing_reply";

/**
 * A model call that failed for good after the gateway's retries. `usage` is what was billed all the same, where known.
 *
 * @example if (error instanceof ModelError && error.kind === "rate_limit") await later();
 */
export class ModelError extends RitbenchError {
  readonly kind: ModelErrorKind;
  readonly usage: Usage | undefined;

  constructor(kind: ModelErrorKind, what: string, details: ErrorDetails = {}, usage?: Usage) {
    super(`E_MODEL_${kind.toUpperCase()}`, what, details);
    this.name = "ModelError";
    this.kind = kind;
    this.usage = usage;
  }
}
