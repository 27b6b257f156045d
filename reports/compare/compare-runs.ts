import { RitbenchError } from "../../core/errors.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { countProblems, type ProblemCount } from "../../core/run-folder/problem.ts";
import { type MeanDifference, pairedBootstrap } from "../../core/statistics/bootstrap.ts";
import { type Detectable, detectableAccuracy } from "../../core/statistics/detectable.ts";
import { holm } from "../../core/statistics/holm.ts";
import { type PairedAccuracy, pairedAccuracy } from "../../core/statistics/mcnemar.ts";
import type { QuestionMean } from "../../core/statistics/repeats.ts";
import { percent } from "../../core/statistics/words.ts";
import { sharedJudges } from "./judges.ts";
import { type GroupValues, MEASURES, readGroup } from "./measures.ts";
import { type Group, type GroupPair, type PairingOptions, pairGroups } from "./pairing.ts";

export interface CompareOptions extends PairingOptions {
  /** Judge of the verdicts; default: the first one of the base that both runs have. */
  judge?: string;
  seed?: number;
  resamples?: number;
}

/** One measure of a pair: the difference is new minus base, over questions that have it on both sides. */
export interface MeasureComparison {
  name: string;
  label: string;
  higherIsBetter: boolean | null;
  base: number | null;
  next: number | null;
  difference: MeanDifference;
  /** Holm over the pairs of the table. */
  adjustedP: number;
}

/** Two groups compared question by question. */
export interface PairComparison {
  base: Group;
  next: Group;
  questions: { both: number; onlyBase: number; onlyNext: number };
  /** Questions without a verdict on either side, left out of the test. */
  unscored: { base: number; next: number };
  /** Errors on either side; `added` had none in the base. */
  errors: { base: number; next: number; added: number };
  accuracy: { base: number | null; next: number | null };
  /** Exact McNemar; absent with repeats, whose means are compared by bootstrap instead. */
  mcnemar?: PairedAccuracy;
  bootstrap?: MeanDifference;
  p: number;
  adjustedP: number;
  detectable: Detectable;
  measures: readonly MeasureComparison[];
  sentence: string;
}

export interface RunComparison {
  base: string;
  next: string;
  judge: string;
  pairs: readonly PairComparison[];
  /** What makes the comparison less than equal: other corpora, other questions. */
  caveats: readonly string[];
  problems: { base: readonly ProblemCount[]; next: readonly ProblemCount[] };
  /** One per pair, then Holm's. */
  sentences: readonly string[];
}

/**
 * Compares two stored runs, question by question. Reads files only.
 *
 * @throws RitbenchError E_COMPARE_JUDGES when they were judged differently, E_COMPARE_UNJUDGED, E_COMPARE_NOTHING.
 */
export function compareRuns(
  base: StoredRun,
  next: StoredRun,
  options: CompareOptions = {},
): RunComparison {
  const judges = sharedJudges(base, next);
  const judge = options.judge ?? judges[0]!;
  if (!judges.includes(judge)) {
    throw new RitbenchError("E_COMPARE_UNJUDGED", `not both runs were judged by ${judge}`, {
      expected: `one of ${judges.join(", ")}`,
      got: judge,
    });
  }
  const compared = pairGroups(base, next, options).map((pair) =>
    comparePair(
      pair,
      readGroup(base, pair.base, judge, judges),
      readGroup(next, pair.next, judge, judges),
      options,
    ),
  );
  const pairs = adjust(compared);
  const family = holm(pairs.map(({ p }) => p));
  return {
    base: base.manifest.id,
    next: next.manifest.id,
    judge,
    pairs,
    caveats: caveatsOf(base, next),
    problems: { base: countProblems(base.problems), next: countProblems(next.problems) },
    sentences: [
      ...pairs.map(({ sentence }) => sentence),
      ...(pairs.length > 1 ? [family.sentence] : []),
    ],
  };
}

type Unadjusted = Omit<PairComparison, "adjustedP" | "measures"> & {
  measures: readonly Omit<MeasureComparison, "adjustedP">[];
};

function comparePair(
  pair: GroupPair,
  base: GroupValues,
  next: GroupValues,
  options: CompareOptions,
): Unadjusted {
  const both = [...base.questions].filter((id) => next.questions.has(id));
  const verdicts = joined(base.verdict, next.verdict, both);
  const repeated = base.repeats > 1 || next.repeats > 1;
  const bootstrapOptions = {
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.resamples === undefined ? {} : { resamples: options.resamples }),
  };
  const names = namesOf(pair);
  const mcnemar = pairedAccuracy(
    verdicts.map(([before, after]) => [before === 1, after === 1] as const),
    names,
  );
  const bootstrap = repeated ? pairedBootstrap(verdicts, bootstrapOptions) : undefined;
  const disagreement =
    verdicts.length === 0
      ? 0
      : verdicts.filter(([before, after]) => before !== after).length / verdicts.length;
  const accuracy = {
    base: mean(verdicts.map(([before]) => before)),
    next: mean(verdicts.map(([, after]) => after)),
  };
  const told =
    bootstrap === undefined
      ? mcnemar.sentence
      : `${names.new} ${percent(accuracy.next)} against ${names.base} ${percent(accuracy.base)} over repeats; ${bootstrap.sentence}`;
  return {
    ...pair,
    questions: {
      both: both.length,
      onlyBase: base.questions.size - both.length,
      onlyNext: next.questions.size - both.length,
    },
    unscored: { base: withoutMean(base.verdict, both), next: withoutMean(next.verdict, both) },
    errors: {
      base: both.filter((id) => base.errors.has(id)).length,
      next: both.filter((id) => next.errors.has(id)).length,
      added: both.filter((id) => next.errors.has(id) && !base.errors.has(id)).length,
    },
    accuracy,
    ...(bootstrap === undefined ? { mcnemar } : { bootstrap }),
    p: bootstrap?.p ?? mcnemar.p,
    detectable: detectableAccuracy(verdicts.length, disagreement),
    measures: MEASURES.flatMap((measure) => {
      const [before, after] = [base.measures.get(measure.name), next.measures.get(measure.name)];
      const values = before && after ? joined(before, after, both) : [];
      if (values.length === 0) return [];
      const { name, label, higherIsBetter, digits, unit } = measure;
      return [
        {
          name,
          label,
          higherIsBetter,
          base: mean(values.map(([value]) => value)),
          next: mean(values.map(([, value]) => value)),
          difference: pairedBootstrap(values, { ...bootstrapOptions, digits, unit }),
        },
      ];
    }),
    sentence: `${pair.base.dataset}: ${told}`,
  };
}

/** Holm over the table: the accuracies of all pairs are one family, and so is each measure. */
function adjust(pairs: readonly Unadjusted[]): PairComparison[] {
  const accuracies = holm(pairs.map(({ p }) => p)).comparisons;
  const families = new Map(
    MEASURES.map(({ name }) => {
      const ps = pairs.flatMap(({ measures }) =>
        measures.filter((measure) => measure.name === name).map(({ difference }) => difference.p),
      );
      return [name, holm(ps).comparisons.map(({ adjusted }) => adjusted)];
    }),
  );
  return pairs.map((pair, index) => ({
    ...pair,
    adjustedP: accuracies[index]!.adjusted,
    measures: pair.measures.map((measure) => ({
      ...measure,
      adjustedP: families.get(measure.name)!.shift()!,
    })),
  }));
}

function caveatsOf(base: StoredRun, next: StoredRun): string[] {
  return base.manifest.datasets.flatMap((dataset) => {
    const other = next.manifest.datasets.find(({ name }) => name === dataset.name);
    if (other === undefined) return [];
    const parts = (["corpus", "chunks", "retriever", "metadata"] as const).filter(
      (part) => dataset[part] !== other[part],
    );
    const questions =
      dataset.questions?.fingerprint === other.questions?.fingerprint ? [] : ["questions"];
    const differing = [...parts, ...questions];
    return differing.length === 0
      ? []
      : [`${dataset.name}: the runs do not share ${differing.join(", ")}`];
  });
}

function namesOf({ base, next }: GroupPair): { base: string; new: string } {
  const parts = (["method", "model"] as const).filter((part) => base[part] !== next[part]);
  if (parts.length === 0) return { base: `${base.method} (base)`, new: `${next.method} (new)` };
  const name = (group: Group): string => parts.map((part) => group[part]).join(" with ");
  return { base: name(base), new: name(next) };
}

/** Values of the questions that have one on both sides. */
function joined(
  base: ReadonlyMap<string, QuestionMean>,
  next: ReadonlyMap<string, QuestionMean>,
  questions: readonly string[],
): [number, number][] {
  return questions.flatMap((id): [number, number][] => {
    const [before, after] = [base.get(id)?.mean ?? null, next.get(id)?.mean ?? null];
    return before === null || after === null ? [] : [[before, after]];
  });
}

function withoutMean(
  values: ReadonlyMap<string, QuestionMean>,
  questions: readonly string[],
): number {
  return questions.filter((id) => (values.get(id)?.mean ?? null) === null).length;
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
