/** Which questions a method answered correctly, by question id; questions without a verdict are absent. */
export type Verdicts = ReadonlyMap<string, boolean>;

/** Questions that exactly the named methods got right. */
export interface VennRegion {
  methods: readonly string[];
  questions: readonly string[];
}

/** A line of Appendix H: questions on which one baseline was right and the other wrong, or both wrong. */
export interface ComplementarityCase {
  right: readonly string[];
  wrong: readonly string[];
  questions: number;
  /** Of these, answered correctly by the target. */
  targetCorrect: number;
}

export interface Complementarity {
  target: string;
  /** Questions that all methods have a verdict on. */
  n: number;
  /** Questions some method has no verdict on, left out. */
  leftOut: number;
  /** Every combination of methods, none included, the fuller ones first. */
  regions: readonly VennRegion[];
  cases: readonly ComplementarityCase[];
}

/** Overlap of the sets of correctly answered questions: Venn regions, and the target beside two baselines. */
export function complementarity(
  target: { name: string; verdicts: Verdicts },
  baselines: readonly [{ name: string; verdicts: Verdicts }, { name: string; verdicts: Verdicts }],
): Complementarity {
  const methods = [target, ...baselines];
  const all = new Set(methods.flatMap(({ verdicts }) => [...verdicts.keys()]));
  const shared = [...all].filter((id) => methods.every(({ verdicts }) => verdicts.has(id)));
  const [first, second] = baselines;
  const names = methods.map(({ name }) => name);
  const combinations = [7, 6, 5, 3, 4, 2, 1, 0].map((bits) =>
    names.filter((_, i) => bits & (4 >> i)),
  );
  const caseOf = (right: readonly string[], wrong: readonly string[]): ComplementarityCase => {
    const matching = shared.filter((id) =>
      baselines.every(({ name, verdicts }) => verdicts.get(id) === right.includes(name)),
    );
    const targetCorrect = matching.filter((id) => target.verdicts.get(id)).length;
    return { right, wrong, questions: matching.length, targetCorrect };
  };
  return {
    target: target.name,
    n: shared.length,
    leftOut: all.size - shared.length,
    regions: combinations.map((combination) => ({
      methods: combination,
      questions: shared.filter((id) =>
        methods.every(({ name, verdicts }) => verdicts.get(id) === combination.includes(name)),
      ),
    })),
    cases: [
      caseOf([first.name], [second.name]),
      caseOf([second.name], [first.name]),
      caseOf([], [first.name, second.name]),
    ],
  };
}
