/**
 * The wait a response asks for, in ms from `nowMs`: `retry-after-ms`, `Retry-After` in seconds or
 * as an HTTP date. Undefined when there is none or it cannot be read.
 */
export function retryAfterMs(
  header: (name: string) => string | null | undefined,
  nowMs: number,
): number | undefined {
  const exact = numberOf(header("retry-after-ms"));
  if (exact !== undefined) return exact;
  const value = header("retry-after")?.trim();
  if (value === undefined || value === "") return undefined;
  const seconds = numberOf(value);
  if (seconds !== undefined) return seconds * 1000;
  // Date.parse reads a bare number as a year.
  const date = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Google's wait: `retryDelay: "12.5s"` in the `RetryInfo` detail of an error body. */
export function googleRetryDelayMs(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay: unknown = detail?.retryDelay;
    const match = typeof delay === "string" ? /^(\d+(?:\.\d+)?)s$/.exec(delay) : null;
    if (match) return Number(match[1]) * 1000;
  }
  return undefined;
}

function numberOf(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) && value >= 0 ? value : undefined;
}
