import type { RunProgress } from "../pipelines/run/progress.ts";
import { dollars, duration } from "../reports/table/format.ts";
import type { Io } from "./io.ts";

/** A line that is redrawn on a terminal, and written anew now and then where standard error is a file. */
export interface ProgressLine {
  update(text: string): void;
  /** Writes the last text for good and starts a new line. */
  finish(): void;
}

/** Longest silence between two plain lines. */
const PLAIN_LINE_MS = 10_000;
const REDRAW_MS = 100;

/** @param now milliseconds of a clock that does not run backwards. */
export function progressLine(io: Io, now: () => number = () => performance.now()): ProgressLine {
  let last = "";
  let written = "";
  let writtenAt = Number.NEGATIVE_INFINITY;
  const draw = (): void => {
    io.err(io.terminal ? `\r${last.slice(0, io.columns - 1)}\u001b[K` : `${last}\n`);
    written = last;
    writtenAt = now();
  };
  return {
    update(text) {
      last = text;
      if (now() - writtenAt >= (io.terminal ? REDRAW_MS : PLAIN_LINE_MS)) draw();
    },
    finish() {
      if (last !== written) draw();
      if (io.terminal && last !== "") io.err("\n");
      last = "";
      written = "";
    },
  };
}

/** `120/387 answered  3.1/s  ETA 1m 26s  $0.42  2 errors`. */
export function describeProgress(progress: RunProgress, verb = "answered"): string {
  const { done, total, kept, errors, rate, etaSeconds, costUsd } = progress;
  return [
    `${done + kept}/${total + kept} ${verb}`,
    kept === 0 ? "" : `${kept} kept from before`,
    rate === null ? "" : rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`,
    etaSeconds === null || done === total ? "" : `ETA ${duration(etaSeconds)}`,
    costUsd === null ? "cost unknown" : dollars(costUsd),
    errors === 0 ? "" : `${errors} ${errors === 1 ? "error" : "errors"}`,
  ]
    .filter((part) => part !== "")
    .join("  ");
}
