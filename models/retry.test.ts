import { describe, expect, it } from "vitest";
import type { ModelErrorKind } from "../core/model-error.ts";
import { virtualTime } from "../tests/support/virtual-time.ts";
import { createLane } from "./lane.ts";
import { ProviderError, type ProviderErrorDetails } from "./provider-error.ts";
import { defaultRetryPolicy, type RetryPolicy, sendWithRetries } from "./retry.ts";
import { googleRetryDelayMs, retryAfterMs } from "./retry-after.ts";

const failure = (kind: ModelErrorKind, details: ProviderErrorDetails = {}) =>
  new ProviderError(kind, "loud noise", details);

function harness(outcomes: (Error | number)[], policy: Partial<RetryPolicy> = {}) {
  const time = virtualTime();
  const startsMs: number[] = [];
  const never = new AbortController().signal;
  const send = async () => {
    startsMs.push(time.elapsed());
    const outcome = outcomes[startsMs.length - 1] ?? outcomes.at(-1)!;
    if (outcome instanceof Error) throw outcome;
    await time.sleep(outcome, never);
    return "reply";
  };
  const full = { ...defaultRetryPolicy, ...policy };
  const lane = createLane(4, time, full.retryAfterCeilingMs);
  const run = (signal = never) =>
    sendWithRetries(send, "test:model", { policy: full, lane, time, signal });
  return { run, startsMs, time, lane };
}

describe("the retry layer", () => {
  it("keeps waiting out of the latency: 429 for 2 s, then a reply in 100 ms", async () => {
    const { run, time } = harness([failure("rate_limit", { retryAfterMs: 2000 }), 100]);
    const { llmMs, waitMs, attempts } = await run();
    expect({ llmMs, waitMs, attempts }).toEqual({ llmMs: 100, waitMs: 2000, attempts: 2 });
    expect(time.elapsed()).toBe(llmMs + waitMs);
  });

  it.each([
    [0, 1],
    [2, 3],
    [6, 7],
  ])("maxRetries %i makes exactly %i requests", async (maxRetries, requests) => {
    const { run, startsMs } = harness([failure("server", { status: 500 })], { maxRetries });
    await expect(run()).rejects.toMatchObject({ kind: "server", code: "E_MODEL_SERVER" });
    expect(startsMs).toHaveLength(requests);
  });

  it.each(["auth", "bad_request", "quota", "context_overflow"] as const)(
    "does not retry %s",
    async (kind) => {
      const { run, startsMs } = harness([failure(kind)]);
      await expect(run()).rejects.toMatchObject({ kind });
      expect(startsMs).toEqual([0]);
    },
  );

  it.each(["rate_limit", "server", "network", "timeout"] as const)("retries %s", async (kind) => {
    const { run, startsMs } = harness([failure(kind), 10]);
    expect((await run()).attempts).toBe(2);
    expect(startsMs).toHaveLength(2);
  });

  it("backs off exponentially up to its bound, jittered in the upper half", async () => {
    const { run, startsMs } = harness([failure("network")], {
      backoffMs: 1000,
      maxBackoffMs: 4000,
      maxRetries: 4,
    });
    await expect(run()).rejects.toThrow("after 5 attempts");
    // The virtual chance is 0.5: three quarters of 1, 2, 4, 4 seconds.
    const gaps = startsMs.slice(1).map((start, i) => start - startsMs[i]!);
    expect(gaps).toEqual([750, 1500, 3000, 3000]);
  });

  it("fails fast and names the reset time when the pause is above the ceiling", async () => {
    const { run, startsMs, time } = harness([
      failure("rate_limit", { retryAfterMs: 3_600_000 }),
      10,
    ]);
    await expect(run()).rejects.toThrow("2026-01-01T01:00:00.000Z");
    expect(time.elapsed()).toBe(0);
    await expect(run()).rejects.toThrow("2026-01-01T01:00:00.000Z");
    expect(startsMs, "the second call is not sent before the reset").toHaveLength(1);
  });

  it("reports what failed attempts were billed", async () => {
    const usage = {
      uncachedInputTokens: 10,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 5,
      reasoningTokens: 0,
    };
    const { run } = harness([failure("server", { usage })], { maxRetries: 1 });
    await expect(run()).rejects.toMatchObject({
      usage: { uncachedInputTokens: 20, outputTokens: 10, costUsd: null, attempts: 2 },
    });
  });

  it("stops a backoff when it is aborted", async () => {
    const controller = new AbortController();
    const { run, startsMs, time } = harness([failure("network")], { backoffMs: 60_000 });
    void time.sleep(1000, new AbortController().signal).then(() => controller.abort());
    await expect(run(controller.signal)).rejects.toMatchObject({ kind: "aborted" });
    expect(startsMs).toHaveLength(1);
  });

  it("lets a programming fault through untouched", async () => {
    const fault = new RangeError("bug");
    await expect(harness([fault]).run()).rejects.toBe(fault);
  });
});

describe("Retry-After", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const headers = (pairs: Record<string, string>) => (name: string) => pairs[name];

  it.each([
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    [{ "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, 0],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 250],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-1" }, undefined],
    [{}, undefined],
  ])("%j is %s ms", (pairs, expected) => {
    expect(retryAfterMs(headers(pairs as Record<string, string>), now)).toBe(expected);
  });

  it("reads Google's retryDelay", () => {
    const info = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "12.5s" };
    expect(googleRetryDelayMs([{ "@type": "other" }, info])).toBe(12_500);
    expect(googleRetryDelayMs([{ retryDelay: 12 }])).toBeUndefined();
    expect(googleRetryDelayMs(undefined)).toBeUndefined();
  });
});
