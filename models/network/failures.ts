import { messageOf } from "../../core/errors.ts";
import type { ModelErrorKind } from "../../core/model-error.ts";
import { ProviderError } from "../provider-error.ts";
import { googleRetryDelayMs, retryAfterMs } from "../retry-after.ts";

interface VendorFault {
  name?: unknown;
  message?: unknown;
  status?: unknown;
  code?: unknown;
  type?: unknown;
  headers?: unknown;
  error?: unknown;
  errorDetails?: unknown;
  cause?: unknown;
}

const overflow =
  /context_length_exceeded|maximum context length|prompt is too long|exceeds? the (?:model'?s )?(?:maximum )?(?:context|input token)|input token count .*exceeds|exceed context limit|context size has been exceeded|Input tokens exceed/i;
const quota =
  /insufficient[_ ]quota|billing|credit balance|out of credits|quota (?:has been )?exhausted|PerDay|per day/i;
const network =
  /fetch failed|terminated|socket|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EAI_AGAIN|ENOTFOUND|UND_ERR|Connection error|network|premature close|other side closed|Error fetching from|Unexpected end of JSON|in JSON at position|is not valid JSON|Failed to parse/i;

/**
 * Sorts whatever a vendor's client threw into a {@link ProviderError}. `secret` is cut out of the
 * message; the original error is not kept, because clients attach request headers to it.
 */
export function toProviderError(thrown: unknown, secret: string, nowMs: number): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const fault = (typeof thrown === "object" && thrown !== null ? thrown : {}) as VendorFault;
  const message = tidy(describe(thrown, fault), secret);
  // ContextOverflowError and the Google client hide the status in what they wrap.
  const inner = (
    typeof fault.cause === "object" && fault.cause !== null ? fault.cause : {}
  ) as VendorFault;
  const status = numberOf(fault.status) ?? numberOf(inner.status);
  const wait =
    retryAfterMs(headerReader(fault.headers ?? inner.headers), nowMs) ??
    googleRetryDelayMs(fault.errorDetails);
  return new ProviderError(kindOf(fault, status, message), message, {
    ...(status === undefined ? {} : { status }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  });
}

function kindOf(fault: VendorFault, status: number | undefined, message: string): ModelErrorKind {
  if (fault.name === "ContextOverflowError" || status === 413) return "context_overflow";
  if (status === 400 && overflow.test(message)) return "context_overflow";
  if (status === 429 || status === 402) {
    const codes = JSON.stringify([fault.code, fault.type, fault.error, fault.errorDetails]);
    return status === 402 || quota.test(`${message} ${codes}`) ? "quota" : "rate_limit";
  }
  if (status === 401 || status === 403) return "auth";
  if (status === 408 || status === 409) return "server";
  if (status !== undefined && status >= 500) return "server";
  if (status !== undefined && status >= 400) return "bad_request";
  if (fault.name === "TimeoutError" || fault.name === "APIConnectionTimeoutError") return "timeout";
  if (network.test(message) || fault.name === "SyntaxError") return "network";
  // A 200 whose body is JSON but no reply: the client trips over the missing fields.
  if (fault.name === "TypeError") return "server";
  return "bad_request";
}

function describe(thrown: unknown, fault: VendorFault): string {
  const inner = (
    typeof fault.cause === "object" && fault.cause !== null ? fault.cause : {}
  ) as VendorFault;
  const own =
    vendorMessage(fault) ??
    vendorMessage(inner) ??
    messageOf(thrown).split("\n\nTroubleshooting URL")[0]!;
  if (fault.name === "TypeError" && /undefined|null/.test(own))
    return "the reply has no message in it";
  const cause = fault.cause;
  return cause instanceof Error && !own.includes(cause.message) ? `${own} (${cause.message})` : own;
}

/** The sentence inside an error body, where the client kept the body; Google's without the address in front. */
function vendorMessage({ error, message, errorDetails, status }: VendorFault): string | undefined {
  const body = (typeof error === "object" && error !== null ? error : {}) as VendorFault;
  const inner = (
    typeof body.error === "object" && body.error !== null ? body.error : body
  ) as VendorFault;
  const prefix = typeof status === "number" ? `${status} ` : "";
  if (typeof inner.message === "string") return `${prefix}${inner.message}`;
  const google = /Error fetching from \S+ \[(\d+) [^\]]*\] (.*)$/s.exec(String(message));
  if (google === null) return undefined;
  const details = errorDetails === undefined ? "" : ` ${JSON.stringify(errorDetails)}`;
  return `${google[1]} ${google[2]!.replace(details, "")}`;
}

/** One line of bounded length without the key, whole or as part of a URL. */
function tidy(message: string, secret: string): string {
  const clean = secret === "" ? message : message.replaceAll(secret, "[key]");
  return clean
    .replace(/([?&]key=)[^&\s]+/g, "$1[key]")
    .replace(/\s+/g, " ")
    .slice(0, 500);
}

function headerReader(headers: unknown): (name: string) => string | null | undefined {
  if (headers instanceof Headers) return (name) => headers.get(name);
  if (typeof headers !== "object" || headers === null) return () => undefined;
  const record = headers as Record<string, unknown>;
  return (name) => (typeof record[name] === "string" ? record[name] : undefined);
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
