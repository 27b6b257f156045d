import { points, pValue, signed } from "../../core/statistics/words.ts";
import { percent } from "../table/format.ts";
import type { Row, Table } from "../table/table.ts";
import type { PairComparison, RunComparison } from "./compare-runs.ts";

/** The comparison as one table: a line per pair for accuracy, then one per measure. */
export function comparisonTable(comparison: RunComparison): Table {
  const { base, next, judge } = comparison;
  return {
    title: `${next} against ${base}`,
    columns: [
      { key: "dataset", label: "Data set" },
      { key: "sides", label: "Method" },
      { key: "measure", label: "Measure" },
      { key: "baseValue", label: "Base", align: "right" },
      { key: "nextValue", label: "New", align: "right" },
      { key: "difference", label: "Difference", align: "right" },
      { key: "n", label: "n", align: "right" },
      { key: "p", label: "p", align: "right", dispensable: 1 },
      { key: "adjustedP", label: "p (Holm)", align: "right" },
    ],
    rows: comparison.pairs.flatMap(pairRows),
    notes: [
      ...comparison.sentences,
      ...comparison.pairs.map(({ detectable }) => detectable.sentence),
      `verdicts by ${judge}; differences are new minus base over questions scored on both sides`,
      ...comparison.caveats,
      ...comparison.problems.base.map(({ sentence }) => `${base}: ${sentence}`),
      ...comparison.problems.next.map(({ sentence }) => `${next}: ${sentence}`),
    ],
  };
}

function pairRows(pair: PairComparison): Row[] {
  const { base, next, accuracy } = pair;
  const place = { dataset: base.dataset, sides: sidesOf(base, next) };
  const known = accuracy.base !== null && accuracy.next !== null;
  const n = pair.mcnemar?.n ?? pair.bootstrap?.n ?? 0;
  return [
    {
      ...place,
      measure: "accuracy",
      baseValue: accuracy.base === null ? null : percent(accuracy.base),
      nextValue: accuracy.next === null ? null : percent(accuracy.next),
      difference: known ? points(accuracy.next! - accuracy.base!) : null,
      n,
      p: pValue(pair.p),
      adjustedP: pValue(pair.adjustedP),
    },
    ...pair.measures.map(({ label, base: before, next: after, difference, adjustedP }) => {
      const digits = digitsFor(before, after);
      return {
        ...place,
        measure: label,
        baseValue: before === null ? null : before.toFixed(digits),
        nextValue: after === null ? null : after.toFixed(digits),
        difference: difference.mean === null ? null : signed(difference.mean, digits),
        n: difference.n,
        p: pValue(difference.p),
        adjustedP: pValue(adjustedP),
      };
    }),
    {
      ...place,
      measure: "errors",
      baseValue: pair.errors.base,
      nextValue: pair.errors.next,
      difference: signed(pair.errors.next - pair.errors.base, 0),
      n: pair.questions.both,
      p: null,
      adjustedP: null,
    },
  ];
}

/** Only what differs is named twice, and models only where they differ. */
function sidesOf(base: PairComparison["base"], next: PairComparison["base"]): string {
  const name = ({ method, model }: PairComparison["base"]): string =>
    base.model === next.model ? method : `${method} (${model})`;
  return name(base) === name(next) ? name(base) : `${name(base)} → ${name(next)}`;
}

/** Enough decimals for about three figures. */
function digitsFor(...values: readonly (number | null)[]): number {
  const largest = Math.max(...values.map((value) => Math.abs(value ?? 0)));
  if (largest >= 100) return 0;
  return largest >= 1 || largest === 0 ? 2 : Math.min(6, 2 - Math.floor(Math.log10(largest)));
}
