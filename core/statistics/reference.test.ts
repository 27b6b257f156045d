import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bootstrapMean } from "./bootstrap.ts";
import { holm } from "./holm.ts";
import { cohensKappa } from "./kappa.ts";
import { exactMcNemar } from "./mcnemar.ts";
import { normalQuantile } from "./normal.ts";
import { seededRandom, xoshiro128 } from "./random.ts";
import { wilson } from "./wilson.ts";

/** Numbers of independent implementations; `reference/make.py` says which and how. */
const reference = JSON.parse(
  readFileSync(new URL("./reference/reference.json", import.meta.url), "utf8"),
) as {
  made_with: { [name: string]: string };
  wilson: {
    rows: { successes: number; n: number; confidence: number; low: number; high: number }[];
  };
  mcnemar: { rows: { b: number; c: number; p: number }[] };
  holm: { rows: { ps: number[]; adjusted: number[]; reject: boolean[] }[] };
  kappa: { rows: { first: string[]; second: string[]; kappa: number }[] };
  bootstrap: {
    rows: {
      name: string;
      values: number[];
      resamples: number;
      seed: number;
      confidence: number;
      mean: number;
      low: number;
      high: number;
    }[];
  };
  normal: { rows: { p: number; z: number }[] };
  random: {
    state: [number, number, number, number];
    words: number[];
    seed: number;
    below10: number[];
  };
};

const { scipy, statsmodels } = reference.made_with;

describe(`statistics equal SciPy ${scipy} and statsmodels ${statsmodels}`, () => {
  it("normal quantiles", () => {
    for (const { p, z } of reference.normal.rows) expect(normalQuantile(p)).toBeCloseTo(z, 9);
  });

  it("Wilson intervals", () => {
    for (const { successes, n, confidence, low, high } of reference.wilson.rows) {
      const share = wilson(successes, n, confidence);
      expect([share.low, share.high]).toEqual([expect.closeTo(low, 10), expect.closeTo(high, 10)]);
    }
  });

  it("exact McNemar", () => {
    for (const { b, c, p } of reference.mcnemar.rows) {
      expect(exactMcNemar(b, c) / p).toBeCloseTo(1, 9);
    }
  });

  it("Holm's correction", () => {
    for (const { ps, adjusted, reject } of reference.holm.rows) {
      const { comparisons } = holm(ps);
      expect(comparisons.map((row) => row.adjusted)).toEqual(
        adjusted.map((p) => expect.closeTo(p, 12)),
      );
      expect(comparisons.map((row) => row.significant)).toEqual(reject);
    }
  });

  it("Cohen's kappa", () => {
    for (const { first, second, kappa } of reference.kappa.rows) {
      const pairs = first.map((label, index) => [label, second[index]!] as const);
      expect(cohensKappa(pairs).kappa).toBeCloseTo(kappa, 12);
    }
  });

  it.each(reference.bootstrap.rows)("BCa interval of $name values at $confidence", (row) => {
    const { resamples, seed, confidence } = row;
    const { mean, low, high } = bootstrapMean(row.values, { resamples, seed, confidence });
    expect([mean, low, high]).toEqual(
      [row.mean, row.low, row.high].map((x) => expect.closeTo(x, 9)),
    );
  });

  it("the generator's words", () => {
    const { state, words, seed, below10 } = reference.random;
    const source = xoshiro128(state);
    expect(words.map(() => source.uniform() * 2 ** 32)).toEqual(words);
    const seeded = seededRandom(seed);
    expect(below10.map(() => seeded.below(10))).toEqual(below10);
  });
});
