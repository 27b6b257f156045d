/** Where a run stands. Counts are of this start of the program; `kept` are records of earlier ones. */
export interface RunProgress {
  done: number;
  total: number;
  kept: number;
  errors: number;
  inFlight: number;
  /** Questions per second since the start; null before the first one is done. */
  rate: number | null;
  etaSeconds: number | null;
  /** Spent on answers since the start; null = a price is unknown. */
  costUsd: number | null;
}

/** Keeps the figures of a progress line. */
export interface ProgressMeter {
  started(): void;
  /** A question left without a record. */
  dropped(): void;
  finished(failed: boolean, costUsd: number | null): void;
  snapshot(): RunProgress;
}

/** @param now milliseconds. */
export function createMeter(total: number, kept: number, now: () => number): ProgressMeter {
  const start = now();
  let done = 0;
  let errors = 0;
  let inFlight = 0;
  let costUsd: number | null = 0;
  return {
    started() {
      inFlight++;
    },
    dropped() {
      inFlight--;
    },
    finished(failed, cost) {
      inFlight--;
      done++;
      if (failed) errors++;
      costUsd = cost === null || costUsd === null ? null : costUsd + cost;
    },
    snapshot() {
      const seconds = (now() - start) / 1000;
      const rate = done === 0 || seconds <= 0 ? null : done / seconds;
      const etaSeconds = rate === null ? null : (total - done) / rate;
      return { done, total, kept, errors, inFlight, rate, etaSeconds, costUsd };
    },
  };
}
