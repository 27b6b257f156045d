import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wilson } from "./wilson.ts";

describe("wilson", () => {
  it("matches the interval worked out on paper for 8 of 10", () => {
    // z = 1.95996; centre (0.8 + 0.192073) / 1.384146 = 0.71674; half width 0.22659.
    const share = wilson(8, 10);
    expect(share.low).toBeCloseTo(0.49015, 4);
    expect(share.high).toBeCloseTo(0.94334, 4);
    expect(share.sentence).toBe("80.0% (8 of 10; 95% interval 49.0% to 94.3%, Wilson)");
  });

  it("has width at none and at all", () => {
    // 0 of 10: high = z^2 / (n + z^2) = 3.84146 / 13.84146.
    expect(wilson(0, 10)).toMatchObject({ low: 0, estimate: 0 });
    expect(wilson(0, 10).high).toBeCloseTo(0.27753, 4);
    expect(wilson(10, 10).low).toBeCloseTo(0.72247, 4);
    expect(wilson(10, 10).high).toBe(1);
  });

  it("has no estimate without trials", () => {
    expect(wilson(0, 0)).toMatchObject({ estimate: null, low: null, high: null });
  });

  it("refuses counts that are none", () => {
    expect(() => wilson(3, 2)).toThrow(RangeError);
    expect(() => wilson(0.5, 2)).toThrow(RangeError);
  });

  it("holds the estimate, mirrors, and narrows with n", () => {
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), (a, b) => {
        const n = a + b;
        fc.pre(n > 0);
        const share = wilson(a, n);
        expect(share.low!).toBeLessThanOrEqual(share.estimate!);
        expect(share.high!).toBeGreaterThanOrEqual(share.estimate!);
        expect(wilson(b, n).low!).toBeCloseTo(1 - share.high!, 12);
        const wider = wilson(a * 4, n * 4);
        expect(wider.high! - wider.low!).toBeLessThan(share.high! - share.low!);
      }),
    );
  });
});
