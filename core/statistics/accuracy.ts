import type { JudgementValue, UnscoredReason } from "../record.ts";
import { aggregateRepeats, numberOf } from "./repeats.ts";
import { type Proportion, scoreInterval, wilson } from "./wilson.ts";
import { percent } from "./words.ts";

/** Accuracy over judgements: what could not be scored is counted beside it, never inside. */
export interface Accuracy extends Proportion {
  /** Questions asked, scored or not. `n` is the number scored. */
  total: number;
  unscored: { readonly [reason in UnscoredReason]?: number };
}

export interface AccuracyOptions {
  /** `wrong` counts an unreadable verdict as a wrong answer, as the paper probably did (notes 9.1). */
  unscoredAs?: "excluded" | "wrong";
  confidence?: number;
}

/** Share of correct verdicts; judgements that are no verdicts are counted as unscored(not_applicable). */
export function accuracy(
  values: Iterable<JudgementValue | undefined>,
  options: AccuracyOptions = {},
): Accuracy {
  const unscored: { [reason in UnscoredReason]?: number } = {};
  let correct = 0;
  let scored = 0;
  let total = 0;
  for (const value of values) {
    total++;
    if (value?.kind === "verdict") {
      scored++;
      if (value.correct) correct++;
      continue;
    }
    const reason = value?.kind === "unscored" ? value.reason : "not_applicable";
    unscored[reason] = (unscored[reason] ?? 0) + 1;
    if (options.unscoredAs === "wrong" && reason === "parse") scored++;
  }
  const share = wilson(correct, scored, options.confidence);
  const rest = total - scored;
  const left = rest === 0 ? "" : `; ${rest} of ${total} not scored (${reasons(unscored, options)})`;
  return { ...share, total, unscored, sentence: share.sentence + left };
}

/**
 * Accuracy over questions that were asked several times: repeats are averaged within their question first, so `n`,
 * `total` and the interval are of questions, and `successes` may be fractional. With one repeat equal to
 * {@link accuracy}. `unscored` counts records.
 */
export function questionAccuracy(
  rows: Iterable<{ questionId: string; value: JudgementValue | undefined }>,
  options: AccuracyOptions = {},
): Accuracy {
  const all = [...rows];
  const flat = accuracy(
    all.map(({ value }) => value),
    options,
  );
  const ids = new Set(all.map(({ questionId }) => questionId));
  if (ids.size === all.length) return flat;
  const countsAsWrong = (value: JudgementValue | undefined): boolean =>
    options.unscoredAs === "wrong" && value?.kind === "unscored" && value.reason === "parse";
  const means = aggregateRepeats(
    all.map(({ questionId, value }) => ({
      questionId,
      value: countsAsWrong(value) ? 0 : value?.kind === "verdict" ? numberOf(value) : null,
    })),
  );
  const scored = means.flatMap(({ mean }) => (mean === null ? [] : [mean]));
  const n = scored.length;
  const repeats = Math.max(...means.map((row) => row.repeats));
  const base = { ...flat, n, total: ids.size };
  if (n === 0) {
    return { ...base, successes: 0, sentence: `0 of ${ids.size} questions could be scored` };
  }
  const successes = scored.reduce((sum, mean) => sum + mean, 0);
  const interval = scoreInterval(successes, n, flat.confidence);
  const [share, low, high] = [interval.estimate, interval.low, interval.high].map((x) =>
    percent(x),
  );
  const sentence = `${share} (mean of ${n} questions over up to ${repeats} repeats; ${percent(flat.confidence, 0)} interval ${low} to ${high}, Wilson)`;
  return { ...base, ...interval, successes, sentence };
}

function reasons(
  unscored: { readonly [reason in UnscoredReason]?: number },
  options: AccuracyOptions,
): string {
  return Object.entries(unscored)
    .filter(([reason]) => !(options.unscoredAs === "wrong" && reason === "parse"))
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}
