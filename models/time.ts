import { setTimeout as delay } from "node:timers/promises";

/** Clock, sleep and chance of the gateway; tests put virtual ones here. */
export interface Time {
  /** Wall-clock ms since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Monotonic within the process, so that a clock correction cannot make a latency negative. */
export const systemTime: Time = {
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => delay(Math.ceil(ms), undefined, { signal }),
  random: Math.random,
};
