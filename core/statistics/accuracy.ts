import type { JudgementValue, UnscoredReason } from "../record.ts";
import { type Proportion, wilson } from "./wilson.ts";

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

function reasons(
  unscored: { readonly [reason in UnscoredReason]?: number },
  options: AccuracyOptions,
): string {
  return Object.entries(unscored)
    .filter(([reason]) => !(options.unscoredAs === "wrong" && reason === "parse"))
    .map(([reason, count]) => `${reason} ${count}`)
    .join(", ");
}
