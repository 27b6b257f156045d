import { describe, expect, it } from "vitest";
import { bootstrapMean } from "./bootstrap.ts";
import { meanShare } from "./mean-share.ts";

describe("meanShare", () => {
  it("has a width where every question found everything, or nothing (Wilson, 10 of 10)", () => {
    const all = meanShare(Array(10).fill(1));
    expect(all.mean).toBe(1);
    expect(all.low).toBeCloseTo(0.7225, 4);
    expect(all.high).toBe(1);
    const none = meanShare(Array(10).fill(0));
    expect([none.mean, none.low]).toEqual([0, 0]);
    expect(none.high).toBeCloseTo(0.2775, 4);
  });

  it("is the bootstrap's elsewhere, and nothing without values", () => {
    const shares = [0, 0.5, 1, 1, 0.25];
    const { mean, low, high } = bootstrapMean(shares, { resamples: 2000 });
    expect(meanShare(shares)).toEqual({ n: 5, mean, low, high });
    expect(meanShare([])).toEqual({ n: 0, mean: null, low: null, high: null });
  });
});
