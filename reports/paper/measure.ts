import { bootstrapMean } from "../../core/statistics/bootstrap.ts";
import { bootstrapOfMeans } from "../../core/statistics/bootstrap-of-means.ts";
import type { GroupNumbers } from "./group.ts";

/** Our number for a cell of the paper, in the paper's unit. */
export interface Measured {
  value: number;
  /** Null for counts, which have no interval, and where none is defined. */
  low: number | null;
  high: number | null;
  /** Questions it rests on; null for counts of a corpus. */
  n: number | null;
  /** How the interval was made. */
  interval: "Wilson" | "bootstrap" | "none";
}

/** Fewer resamples than elsewhere: a paper table has hundreds of cells, and three figures are enough. */
const RESAMPLES = 2000;

/** Measures that come from answers: of a group alone. Undefined = this group does not have it (not scored yet, no price). */
export function measureGroup(measure: string, numbers: GroupNumbers): Measured | undefined {
  switch (measure) {
    case "accuracy": {
      const { estimate, low, high, n } = numbers.accuracy();
      if (estimate === null || low === null || high === null) return undefined;
      return scaled({ value: estimate, low, high, n, interval: "Wilson" }, 100);
    }
    case "precision":
    case "recall":
      return meanOf(numbers.perQuestion(measure), 100);
    case "f1":
      return ofTwo(numbers, "precision", "recall", harmonic, 100);
    case "costCents":
      return meanOf(numbers.perQuestion("costUsd"), 100, "all");
    case "latencySeconds":
      return meanOf(numbers.perQuestion("llmMs"), 1 / 1000);
    case "itemsPerReadCall":
      return ofTwo(numbers, "itemsRead", "calls.get_content", ratio, 1);
    default:
      return meanOf(numbers.perQuestion(measure), 1);
  }
}

/** Judge or scorer that a measure needs beside the run itself. */
export function scorerOf(measure: string): string | undefined {
  if (measure.startsWith("ge.")) return "g-e";
  if (measure === "tokenRecall") return "token-recall";
  return ["precision", "recall", "f1"].includes(measure) ? "evidence" : undefined;
}

/** @param rule `all`: one question without a value makes the mean unknown (money). */
function meanOf(
  values: ReadonlyMap<string, number | null>,
  scale: number,
  rule?: "all",
): Measured | undefined {
  const present = [...values.values()].filter((value) => value !== null);
  if (present.length === 0 || (rule === "all" && present.length < values.size)) return undefined;
  const { mean, low, high, n } = bootstrapMean(present, { resamples: RESAMPLES });
  return scaled({ value: mean!, low, high, n, interval: "bootstrap" }, scale);
}

function ofTwo(
  numbers: GroupNumbers,
  first: string,
  second: string,
  statistic: (means: readonly number[]) => number | null,
  scale: number,
): Measured | undefined {
  const seconds = numbers.perQuestion(second);
  const rows = [...numbers.perQuestion(first)].flatMap(([id, a]): number[][] => {
    const b = seconds.get(id) ?? null;
    return a === null || b === null ? [] : [[a, b]];
  });
  const { value, low, high, n } = bootstrapOfMeans(rows, statistic, { resamples: RESAMPLES });
  if (value === null) return undefined;
  return scaled({ value, low, high, n, interval: "bootstrap" }, scale);
}

function harmonic([p, r]: readonly number[]): number | null {
  return p! + r! === 0 ? null : (2 * p! * r!) / (p! + r!);
}

function ratio([a, b]: readonly number[]): number | null {
  return b === 0 ? null : a! / b!;
}

function scaled({ value, low, high, ...rest }: Measured, scale: number): Measured {
  return {
    value: value * scale,
    low: low === null ? null : low * scale,
    high: high === null ? null : high * scale,
    ...rest,
  };
}
