import type { Time } from "../../models/time.ts";

export interface VirtualTime extends Time {
  /** Ms since the start of the clock. */
  elapsed(): number;
}

const startMs = Date.parse("2026-01-01T00:00:00Z");

/**
 * A clock that jumps to the next sleeper whenever nothing else is left to do: minutes of waiting
 * pass in no time, always in the same order. `random` is the constant 0.5.
 */
export function virtualTime(): VirtualTime {
  let nowMs = startMs;
  let order = 0;
  let sleepers: { atMs: number; order: number; wake: () => void }[] = [];
  let ticking = false;

  const tick = () => {
    ticking = false;
    sleepers.sort((a, b) => a.atMs - b.atMs || a.order - b.order);
    const next = sleepers.shift();
    if (next === undefined) return;
    nowMs = Math.max(nowMs, next.atMs);
    next.wake();
    arrange();
  };
  // Two turns of the event loop let every promise that the last sleeper woke run to its next wait.
  const arrange = () => {
    if (ticking || sleepers.length === 0) return;
    ticking = true;
    setImmediate(() => setImmediate(tick));
  };

  return {
    now: () => nowMs,
    elapsed: () => nowMs - startMs,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const sleeper = { atMs: nowMs + ms, order: order++, wake: resolve };
        sleepers.push(sleeper);
        signal.addEventListener(
          "abort",
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            reject(signal.reason);
          },
          { once: true },
        );
        arrange();
      }),
  };
}
