import { describe, expect, it } from "vitest";
import { bootstrapMean } from "./bootstrap.ts";
import { bootstrapOfMeans } from "./bootstrap-of-means.ts";

const f1 = ([p, r]: readonly number[]): number | null =>
  p! + r! === 0 ? null : (2 * p! * r!) / (p! + r!);

describe("bootstrapOfMeans", () => {
  it("is a function of the means, not a mean of the function", () => {
    // Means 0.5 and 1: F1 = 2/3; the mean of the two F1s would be (2/3 + 2/3) / 2 only by chance of equal rows.
    const rows = [
      [0, 1],
      [1, 1],
    ];
    expect(bootstrapOfMeans(rows, f1).value).toBeCloseTo(2 / 3, 12);
  });

  it("has no value without questions or where the statistic has none", () => {
    expect(bootstrapOfMeans([], f1)).toEqual({ n: 0, value: null, low: null, high: null });
    expect(bootstrapOfMeans([[0, 0]], f1).value).toBeNull();
  });

  it("has no width where all questions are alike, and holds the value otherwise", () => {
    const alike = Array.from({ length: 5 }, () => [0.2, 0.4]);
    expect(bootstrapOfMeans(alike, ([a, b]) => a! / b!)).toMatchObject({ value: 0.5, low: 0.5 });
    const mixed = Array.from({ length: 30 }, (_, i) => [i % 3, 2]);
    const { value, low, high } = bootstrapOfMeans(mixed, ([a, b]) => a! / b!);
    expect(low!).toBeLessThan(value!);
    expect(high!).toBeGreaterThan(value!);
  });

  it("is close to the interval of a plain mean when it is one", () => {
    const values = Array.from({ length: 60 }, (_, i) => (i * 7) % 11);
    const plain = bootstrapMean(values);
    const own = bootstrapOfMeans(
      values.map((value) => [value]),
      ([mean]) => mean!,
    );
    expect(own.low!).toBeCloseTo(plain.low!, 0);
    expect(own.high!).toBeCloseTo(plain.high!, 0);
  });
});
