import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rankingMetrics } from "./metrics.ts";

describe("rankingMetrics, worked on paper", () => {
  it("scores a ranking with hits at 2 and 4 of three units", () => {
    const metrics = rankingMetrics([[], [0], [], [2], []], 3, 5);
    expect(metrics.precision).toBe(2 / 5);
    expect(metrics.recall).toBe(2 / 3);
    expect(metrics.reciprocalRank).toBe(1 / 2);
    // (1/log2 3 + 1/log2 5) / (1 + 1/log2 3 + 1/log2 4) = 1.0616 / 2.1309
    expect(metrics.ndcg).toBeCloseTo(0.49818, 4);
  });

  it("counts a unit once: its second chunk is a miss by position, yet a hit for precision", () => {
    const metrics = rankingMetrics([[0], [0], [1]], 2, 3);
    expect(metrics).toMatchObject({ precision: 1, recall: 1 });
    // (1 + 1/log2 4) / (1 + 1/log2 3)
    expect(metrics.ndcg).toBeCloseTo(1.5 / 1.63093, 4);
  });

  it("takes a chunk with two units as two places, never above the ideal", () => {
    expect(rankingMetrics([[0, 1]], 2, 1)).toEqual({
      precision: 1,
      recall: 1,
      reciprocalRank: 1,
      ndcg: 1,
    });
  });

  it("has all gold units in the ideal, also beyond the cut", () => {
    expect(rankingMetrics([[0]], 2, 1).ndcg).toBeCloseTo(1 / 1.63093, 4);
  });

  it("divides by k when fewer were found, and is 0 for nothing", () => {
    expect(rankingMetrics([[0]], 1, 5).precision).toBe(1 / 5);
    expect(rankingMetrics([], 1, 5)).toEqual({
      precision: 0,
      recall: 0,
      reciprocalRank: 0,
      ndcg: 0,
    });
  });
});

const reference = JSON.parse(
  readFileSync(new URL("./reference/reference.json", import.meta.url), "utf8"),
) as {
  made_with: { [name: string]: string };
  cuts: number[];
  questions: {
    id: string;
    ranking: string[];
    relevant: string[];
    values: { [name: string]: number };
  }[];
};

describe(`rankingMetrics equals ir_measures ${reference.made_with.ir_measures} and ranx`, () => {
  it.each(reference.cuts)("at %i", (k) => {
    for (const { id, ranking, relevant, values } of reference.questions) {
      const covered = ranking.map((chunk) => {
        const unit = relevant.indexOf(chunk);
        return unit < 0 ? [] : [unit];
      });
      const metrics = rankingMetrics(covered, relevant.length, k);
      const ours = [metrics.precision, metrics.recall, metrics.reciprocalRank, metrics.ndcg];
      const theirs = [`P@${k}`, `R@${k}`, `RR@${k}`, `nDCG@${k}`].map((name) => values[name]!);
      expect(ours, id).toEqual(theirs.map((value) => expect.closeTo(value, 9)));
    }
  });
});

describe("rankingMetrics", () => {
  const ranking = fc.array(fc.uniqueArray(fc.nat(4), { maxLength: 3 }), { maxLength: 12 });

  it("stays within 0 and 1, and recall and nDCG never fall with k", () => {
    fc.assert(
      fc.property(ranking, fc.integer({ min: 1, max: 12 }), (covered, k) => {
        const metrics = rankingMetrics(covered, 5, k);
        const deeper = rankingMetrics(covered, 5, k + 1);
        for (const value of Object.values(metrics)) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1 + 1e-12);
        }
        expect(deeper.recall).toBeGreaterThanOrEqual(metrics.recall);
        expect(deeper.ndcg).toBeGreaterThanOrEqual(metrics.ndcg - 1e-12);
      }),
    );
  });
});
