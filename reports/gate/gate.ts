import { percent, points } from "../../core/statistics/words.ts";
import type { MeasureComparison, PairComparison, RunComparison } from "../compare/compare-runs.ts";
import { MEASURES } from "../compare/measures.ts";
import { describeGroup } from "../compare/pairing.ts";
import { pairedBounds, questionsNeeded } from "./paired-bounds.ts";
import type { GateRules } from "./rules.ts";

/** `errors` outweighs `worse` (numbers of a broken run say little), which outweighs `cannot_tell`. */
export type GateVerdict = "fine" | "worse" | "errors" | "cannot_tell";

/** One rule applied to one pair. */
export interface GateCheck {
  pair: string;
  check: string;
  verdict: GateVerdict;
  sentence: string;
}

export interface GateResult {
  verdict: GateVerdict;
  checks: readonly GateCheck[];
  sentence: string;
}

const ORDER: readonly GateVerdict[] = ["errors", "worse", "cannot_tell", "fine"];

/**
 * Applies allowed losses to a comparison, knowing that both runs are noisy: *worse* needs a loss beyond what is
 * allowed that also stands after Holm's correction; *fine* needs an interval that leaves no room for such a loss, or
 * no question lost at all; between the two the questions are too few to tell.
 */
export function applyGate(comparison: RunComparison, rules: GateRules): GateResult {
  const checks = comparison.pairs.flatMap((pair) => [
    ...errorChecks(pair, rules),
    ...(rules.accuracy === undefined
      ? []
      : [accuracyCheck(pair, rules.accuracy.allowedLossPoints / 100, rules)]),
    ...Object.entries(rules.measures).map(([name, { allowedWorsening }]) =>
      measureCheck(pair, name, allowedWorsening, rules),
    ),
  ]);
  const verdict = ORDER.find((one) => checks.some((check) => check.verdict === one)) ?? "fine";
  const counted = ORDER.flatMap((one) => {
    const count = checks.filter((check) => check.verdict === one).length;
    return count === 0 ? [] : [`${count} ${WORDS[one]}`];
  });
  return {
    verdict,
    checks,
    sentence: `${WORDS[verdict]}: of ${checks.length} checks ${counted.join(", ")}`,
  };
}

/** Words for people. */
export const WORDS: { readonly [verdict in GateVerdict]: string } = {
  fine: "fine",
  worse: "worse",
  errors: "too many errors or unscored",
  cannot_tell: "cannot tell",
};

function errorChecks(pair: PairComparison, { errors }: GateRules): GateCheck[] {
  const { both } = pair.questions;
  const over = (count: number, most: number): GateVerdict =>
    both > 0 && count / both > most ? "errors" : "fine";
  const { added } = pair.errors;
  const unscored = pair.unscored.next;
  return [
    check(
      pair,
      "new errors",
      over(added, errors.maxNewShare),
      `${added} of ${both} questions broke now and not before (allowed ${percent(errors.maxNewShare)})`,
    ),
    check(
      pair,
      "unscored",
      over(unscored, errors.maxUnscoredShare),
      `${unscored} of ${both} questions have no verdict now (allowed ${percent(errors.maxUnscoredShare)})`,
    ),
  ];
}

function accuracyCheck(pair: PairComparison, allowed: number, rules: GateRules): GateCheck {
  const { mcnemar, bootstrap } = pair;
  const n = mcnemar?.n ?? bootstrap?.n ?? 0;
  const difference = mcnemar?.difference ?? bootstrap?.mean ?? null;
  if (difference === null) return tooFew(pair, "accuracy", n, rules);
  const observed = `${points(difference)} on ${n} questions, ${points(-allowed)} allowed`;
  if (difference < -allowed && pair.adjustedP < rules.level) {
    return check(
      pair,
      "accuracy",
      "worse",
      `${observed}; the loss stands (p ${round(pair.adjustedP)})`,
    );
  }
  if (n < rules.minQuestions) return tooFew(pair, "accuracy", n, rules);
  if (mcnemar?.onlyBase === 0) {
    return check(pair, "accuracy", "fine", `${observed}; no question was lost`);
  }
  const low = mcnemar === undefined ? bootstrap!.low! : pairedBounds(mcnemar, rules.level).low;
  if (low >= -allowed) {
    return check(pair, "accuracy", "fine", `${observed}; at worst ${points(low)}`);
  }
  const disagreement = mcnemar === undefined ? null : (mcnemar.onlyBase + mcnemar.onlyNew) / n;
  const needed =
    disagreement === null || allowed === 0
      ? ""
      : `; about ${questionsNeeded(disagreement, allowed, rules.level)} questions would tell`;
  return check(
    pair,
    "accuracy",
    "cannot_tell",
    `${observed}; the true change may be as low as ${points(low)}${needed}`,
  );
}

function measureCheck(
  pair: PairComparison,
  name: string,
  allowed: number,
  rules: GateRules,
): GateCheck {
  const found = pair.measures.find((measure) => measure.name === name);
  const label = MEASURES.find((measure) => measure.name === name)?.label ?? name;
  if (found === undefined || found.base === null) {
    return check(pair, label, "cannot_tell", `${label} is not measured on both sides`);
  }
  const { mean, low, high } = worsening(found);
  const room = allowed * Math.abs(found.base);
  const relative = (value: number): string =>
    found.base === 0 ? value.toPrecision(3) : percent(value / Math.abs(found.base!));
  const observed = `${relative(mean)} worse on ${found.difference.n} questions, ${percent(allowed)} allowed`;
  if (mean > room && found.adjustedP < rules.level) {
    return check(pair, label, "worse", `${observed}; it stands (p ${round(found.adjustedP)})`);
  }
  const { n } = found.difference;
  if (n < rules.minQuestions) return tooFew(pair, label, n, rules);
  if (high <= room) return check(pair, label, "fine", `${observed}; at worst ${relative(high)}`);
  const range = `between ${relative(low)} and ${relative(high)}`;
  return check(pair, label, "cannot_tell", `${observed}; the true change may lie ${range}`);
}

/** Difference and interval turned so that more is worse. */
function worsening({ higherIsBetter, difference }: MeasureComparison): {
  mean: number;
  low: number;
  high: number;
} {
  const [mean, low, high] = [difference.mean!, difference.low!, difference.high!];
  return higherIsBetter === true ? { mean: -mean, low: -high, high: -low } : { mean, low, high };
}

function tooFew(
  pair: PairComparison,
  name: string,
  n: number,
  { minQuestions }: GateRules,
): GateCheck {
  return check(
    pair,
    name,
    "cannot_tell",
    `${n} questions are scored on both sides, fewer than the ${minQuestions} that may decide`,
  );
}

function check(
  pair: PairComparison,
  name: string,
  verdict: GateVerdict,
  sentence: string,
): GateCheck {
  const { base, next } = pair;
  const same = describeGroup(base) === describeGroup(next);
  const described = same ? describeGroup(next) : `${describeGroup(next)} against ${base.method}`;
  return { pair: described, check: name, verdict, sentence };
}

function round(p: number): string {
  return p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`;
}
