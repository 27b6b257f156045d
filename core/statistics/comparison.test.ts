import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bootstrapMean, pairedBootstrap } from "./bootstrap.ts";
import { detectableAccuracy, detectableMean } from "./detectable.ts";
import { holm } from "./holm.ts";
import { cohensKappa } from "./kappa.ts";
import { exactMcNemar, pairedAccuracy } from "./mcnemar.ts";
import { aggregateRepeats, numberOf } from "./repeats.ts";

describe("pairedAccuracy", () => {
  const table = (both: number, base: number, next: number, none: number): [boolean, boolean][] => [
    ...Array<[boolean, boolean]>(both).fill([true, true]),
    ...Array<[boolean, boolean]>(base).fill([true, false]),
    ...Array<[boolean, boolean]>(next).fill([false, true]),
    ...Array<[boolean, boolean]>(none).fill([false, false]),
  ];

  it("matches the exact value on a hand-made 2x2 table", () => {
    // 1 against 9 of 10 discordant: 2 (C(10,0) + C(10,1)) / 1024 = 22 / 1024.
    const result = pairedAccuracy(table(5, 1, 9, 5));
    expect(result.p).toBeCloseTo(22 / 1024, 12);
    expect(result.difference).toBeCloseTo(0.4, 12);
    expect(result.sentence).toBe(
      "better: new 70.0% against base 30.0% on 20 questions (+40.0 points; 9 only with new, 1 only with base; exact McNemar p = 0.021)",
    );
  });

  it("calls identical runs no difference", () => {
    const result = pairedAccuracy(table(7, 0, 0, 3));
    expect(result).toMatchObject({ p: 1, difference: 0 });
    expect(result.sentence).toMatch(/^no difference: new 70.0% against base 70.0% on 10 questions/);
  });

  it("says worse, not shown, and nothing to compare", () => {
    expect(pairedAccuracy(table(5, 9, 1, 5)).sentence).toMatch(/^worse/);
    expect(pairedAccuracy(table(5, 2, 1, 5)).sentence).toMatch(/^no difference shown/);
    expect(pairedAccuracy([])).toMatchObject({ n: 0, difference: null, p: 1 });
  });

  it("is symmetric, within 0 and 1, and does not overflow", () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), (b, c) => {
        const p = exactMcNemar(b, c);
        expect(p).toBe(exactMcNemar(c, b));
        expect(p).toBeGreaterThanOrEqual(0);
        expect(p).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("bootstrap", () => {
  it("repeats exactly with its seed and differs with another", () => {
    const values = [1.13, 5.71, 2.37, 8.91, 3.07, 9.53, 4.19];
    expect(bootstrapMean(values)).toEqual(bootstrapMean(values));
    expect(bootstrapMean(values, { seed: 2 }).low).not.toBe(bootstrapMean(values, { seed: 1 }).low);
  });

  it("has no width when all values agree, and no mean without values", () => {
    expect(bootstrapMean([2, 2, 2])).toMatchObject({ mean: 2, low: 2, high: 2 });
    expect(bootstrapMean([])).toMatchObject({ n: 0, mean: null, low: null, high: null });
  });

  it("finds a clear shift and none between identical sides", () => {
    const shifted = Array.from({ length: 30 }, (_, i) => [i, i + 1 + (i % 3) / 10] as const);
    const up = pairedBootstrap(shifted);
    expect(up.sentence).toMatch(/^higher: mean difference \+1\.100/);
    expect(up.p).toBeLessThan(0.001);
    const same = pairedBootstrap(shifted.map(([base]) => [base, base] as const));
    expect(same).toMatchObject({ mean: 0, p: 1 });
    expect(same.sentence).toMatch(/^no difference/);
  });

  it("covers the mean of what it is given, whatever the order of sides", () => {
    const values = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), {
      minLength: 3,
      maxLength: 20,
    });
    fc.assert(
      fc.property(values, (list) => {
        const { mean, low, high } = bootstrapMean(list, { resamples: 500 });
        expect(low!).toBeLessThanOrEqual(high!);
        expect(Number.isFinite(mean)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

describe("holm", () => {
  it("steps down as on paper", () => {
    // 0.01 x 4, 0.03 x 3, 0.04 x 2 raised to 0.09, 0.20 x 1.
    const { comparisons, sentence } = holm([0.04, 0.01, 0.2, 0.03]);
    expect(comparisons.map(({ adjusted }) => Number(adjusted.toFixed(6)))).toEqual([
      0.09, 0.04, 0.2, 0.09,
    ]);
    expect(comparisons.map(({ significant }) => significant)).toEqual([false, true, false, false]);
    expect(sentence).toBe("1 of 4 differences stand at 0.05 after Holm's correction");
  });

  it("never lowers a p and keeps their order", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1 }), (ps) => {
        const { comparisons } = holm(ps);
        comparisons.forEach(({ p, adjusted }) => {
          expect(adjusted).toBeGreaterThanOrEqual(p);
          expect(adjusted).toBeLessThanOrEqual(1);
          for (const other of comparisons)
            if (other.p < p) expect(other.adjusted).toBeLessThanOrEqual(adjusted);
        });
      }),
    );
  });
});

describe("minimum detectable difference", () => {
  it("solves Connor's equation", () => {
    // The two sides of d sqrt(200) = z sqrt(0.2) + z sqrt(0.2 - d^2) at the solution, about 0.0878.
    const { difference } = detectableAccuracy(200, 0.2);
    const d = difference!;
    expect(d * Math.sqrt(200)).toBeCloseTo(
      1.959964 * Math.sqrt(0.2) + 0.841621 * Math.sqrt(0.2 - d * d),
      5,
    );
    expect(d).toBeCloseTo(0.0878, 3);
  });

  it("is (1.960 + 0.842) standard errors of a mean", () => {
    expect(detectableMean(100, 1).difference).toBeCloseTo((1.959964 + 0.841621) / 10, 5);
  });

  it("shrinks with n, grows with disagreement, and knows when n is too small", () => {
    expect(detectableAccuracy(1372, 0.2).difference!).toBeLessThan(
      detectableAccuracy(129, 0.2).difference!,
    );
    expect(detectableAccuracy(129, 0.3).difference!).toBeGreaterThan(
      detectableAccuracy(129, 0.1).difference!,
    );
    expect(detectableAccuracy(129, 0).difference!).toBeGreaterThan(0);
    expect(detectableAccuracy(3, 0.2).difference).toBeNull();
    expect(detectableMean(0, 1).difference).toBeNull();
  });
});

describe("cohensKappa", () => {
  it("matches the textbook table", () => {
    // 20 both yes, 15 both no, 5 and 10 mixed: po 0.7, pe 0.5, kappa 0.4.
    const rows = [
      ...Array(20).fill([true, true]),
      ...Array(15).fill([false, false]),
      ...Array(5).fill([true, false]),
      ...Array(10).fill([false, true]),
    ] as [boolean, boolean][];
    expect(cohensKappa(rows)).toMatchObject({ n: 50, agreement: 0.7 });
    expect(cohensKappa(rows).kappa).toBeCloseTo(0.4, 12);
  });

  it("gives a constant rater 0, and no kappa where both are constant", () => {
    expect(
      cohensKappa([
        [true, true],
        [false, true],
        [true, true],
      ]).kappa,
    ).toBe(0);
    expect(
      cohensKappa([
        [true, true],
        [true, true],
      ]),
    ).toMatchObject({ agreement: 1, kappa: null });
    expect(cohensKappa([])).toMatchObject({ agreement: null, kappa: null });
  });
});

describe("aggregateRepeats", () => {
  it("averages within a question and leaves unscored repeats out of its mean", () => {
    const rows = [
      { questionId: "a", value: 1 },
      { questionId: "b", value: null },
      { questionId: "a", value: 0 },
      { questionId: "a", value: null },
    ];
    expect(aggregateRepeats(rows)).toEqual([
      { questionId: "a", mean: 0.5, scored: 2, repeats: 3 },
      { questionId: "b", mean: null, scored: 0, repeats: 1 },
    ]);
  });

  it("reads verdicts, scores and named scores as numbers, and nothing else", () => {
    expect(numberOf({ kind: "verdict", correct: false })).toBe(0);
    expect(numberOf({ kind: "score", score: 0.3 })).toBe(0.3);
    expect(numberOf({ kind: "scores", scores: { recall: 0.5, f1: null } }, "recall")).toBe(0.5);
    expect(numberOf({ kind: "scores", scores: { f1: null } }, "f1")).toBeNull();
    expect(numberOf({ kind: "unscored", reason: "parse" })).toBeNull();
    expect(numberOf(undefined)).toBeNull();
  });
});
