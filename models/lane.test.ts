import { describe, expect, it } from "vitest";
import { virtualTime } from "../tests/support/virtual-time.ts";
import { createLane } from "./lane.ts";
import { ProviderError } from "./provider-error.ts";
import { defaultRetryPolicy, sendWithRetries } from "./retry.ts";

const signal = new AbortController().signal;

/** A server that lets `perSecond` requests through in each second and refuses the rest until the next. */
function limitedServer(perSecond: number, replyMs: number) {
  const time = virtualTime();
  const starts: number[] = [];
  const refusals: { atMs: number; untilMs: number }[] = [];
  let second = -1;
  let passed = 0;
  let early = 0;
  const send = async () => {
    const atMs = time.elapsed();
    starts.push(atMs);
    // What left in the same instant as a refused request could not know of it.
    if (refusals.some((r) => r.atMs < atMs && atMs < r.untilMs)) early += 1;
    const now = Math.floor(atMs / 1000);
    if (now !== second) {
      second = now;
      passed = 0;
    }
    passed += 1;
    if (passed > perSecond) {
      const retryAfterMs = (now + 1) * 1000 - atMs;
      refusals.push({ atMs, untilMs: atMs + retryAfterMs });
      throw new ProviderError("rate_limit", "slow down", { status: 429, retryAfterMs });
    }
    await time.sleep(replyMs, signal);
    return "ok";
  };
  return { time, send, starts, early: () => early };
}

describe("a provider's lane", () => {
  it("finishes 100 calls against 5 a second with few refusals, none before its Retry-After", async () => {
    const server = limitedServer(5, 20);
    const lane = createLane(16, server.time);
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        sendWithRetries(server.send, "m", {
          policy: defaultRetryPolicy,
          lane,
          time: server.time,
          signal,
        }),
      ),
    );
    expect(results.every((r) => r.reply === "ok")).toBe(true);
    expect(server.starts.length).toBeLessThanOrEqual(130);
    expect(server.early()).toBe(0);
  });

  it("halves concurrency once for a burst of refusals and grows back with successes", () => {
    const time = virtualTime();
    const lane = createLane(16, time);
    const burst = time.now();
    for (let i = 0; i < 11; i++) lane.throttled(burst, 1000);
    expect(lane.concurrency).toBe(8);
    lane.throttled(burst + 1000, 1000);
    expect(lane.concurrency).toBe(4);
    for (let i = 0; i < 200; i++) lane.succeeded();
    expect(lane.concurrency).toBe(16);
  });

  it("never runs more attempts at once than it is wide", async () => {
    const time = virtualTime();
    const lane = createLane(3, time);
    let running = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 20 }, () =>
        lane.run(async () => {
          running += 1;
          most = Math.max(most, running);
          await time.sleep(10, signal);
          running -= 1;
        }, signal),
      ),
    );
    expect(most).toBe(3);
  });

  it("lets a waiting call leave when it is aborted, and does not run it", async () => {
    const time = virtualTime();
    const lane = createLane(1, time);
    let ran = 0;
    const first = lane.run(() => time.sleep(1000, signal), signal);
    const controller = new AbortController();
    const second = lane.run(async () => {
      ran += 1;
    }, controller.signal);
    controller.abort(new Error("enough"));
    await expect(second).rejects.toThrow("enough");
    await first;
    expect(ran).toBe(0);
  });
});
