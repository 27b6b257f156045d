import pLimit from "p-limit";
import type { Time } from "./time.ts";

/** Upper bound for the learned gap between two requests. */
const longestGapMs = 30_000;
/** How much closer requests move after each success: 3 % recovers from a limit within some dozens of calls. */
const gapDecay = 0.97;
const shortestGapMs = 2;

/** The provider wants a longer pause than anybody here waits. */
export class LaneClosed extends Error {
  readonly untilMs: number;
  constructor(untilMs: number) {
    super("the provider asks for a longer pause");
    this.untilMs = untilMs;
  }
}

/** A provider's queue: how many requests at once, how close together, and not before when. */
export interface Lane {
  /**
   * Runs one attempt in its turn. Rejects with the signal's reason when aborted while waiting, and
   * with {@link LaneClosed} when the provider's pause is longer than the lane's ceiling.
   */
  run<T>(attempt: (startedAtMs: number) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The provider said "too many": nothing starts within `waitMs` from now, and fewer at once afterwards. */
  throttled(startedAtMs: number, waitMs: number): void;
  succeeded(): void;
  readonly concurrency: number;
}

/**
 * Concurrency by additive increase and halving; the pace is learned from the 429s: what the
 * provider let through between two refusals is the rate at which requests are spaced.
 */
export function createLane(
  maxConcurrency: number,
  time: Time,
  ceilingMs = Number.POSITIVE_INFINITY,
): Lane {
  const limit = pLimit(maxConcurrency);
  let allowed = maxConcurrency;
  let notBefore = 0;
  let nextStart = 0;
  let gapMs = 0;
  // One burst of refusals counts once: only requests started after the last gate opened are news.
  let windowStart: number | undefined;
  let episodeStart = 0;
  let passed = 0;

  const setAllowed = (value: number) => {
    allowed = Math.min(maxConcurrency, Math.max(1, value));
    const whole = Math.floor(allowed);
    if (limit.concurrency !== whole) limit.concurrency = whole;
  };

  const turn = async (signal: AbortSignal): Promise<number> => {
    for (;;) {
      signal.throwIfAborted();
      const now = time.now();
      if (notBefore - now > ceilingMs) throw new LaneClosed(notBefore);
      const start = Math.max(now, notBefore, nextStart);
      if (start > now) {
        // A place in the line is taken before sleeping, so that sleepers do not all wake at once.
        nextStart = start + gapMs;
        await time.sleep(start - now, signal);
        if (time.now() < notBefore) continue;
      } else {
        nextStart = now + gapMs;
      }
      windowStart ??= time.now();
      return time.now();
    }
  };

  return {
    get concurrency() {
      return limit.concurrency;
    },
    run(attempt, signal) {
      return new Promise((resolve, reject) => {
        const leave = () => reject(signal.reason);
        signal.addEventListener("abort", leave, { once: true });
        limit(async () => attempt(await turn(signal)))
          .then(resolve, reject)
          .finally(() => signal.removeEventListener("abort", leave));
      });
    },
    throttled(startedAtMs, waitMs) {
      const now = time.now();
      notBefore = Math.max(notBefore, now + waitMs);
      nextStart = Math.max(nextStart, notBefore);
      if (startedAtMs >= episodeStart) {
        setAllowed(allowed / 2);
        const window = notBefore - (windowStart ?? now);
        gapMs = Math.min(longestGapMs, passed > 0 ? window / passed : Math.max(waitMs, gapMs * 2));
        episodeStart = notBefore;
        windowStart = notBefore;
        passed = 0;
      }
    },
    succeeded() {
      passed += 1;
      gapMs = gapMs * gapDecay < shortestGapMs ? 0 : gapMs * gapDecay;
      setAllowed(allowed + 1 / allowed);
    },
  };
}
