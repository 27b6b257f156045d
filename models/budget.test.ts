import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBudget } from "./budget.ts";

const never = new AbortController().signal;
const cap = (maxCostUsd: number) => [{ maxCostUsd, roles: ["answer"] as const }];

describe("cost cap", () => {
  it("stops below the cap: $1.00, $0.09 a call, 4 at once", async () => {
    const budget = createBudget(cap(1));
    let spent = 0;
    let refused = 0;
    const worker = async () => {
      for (;;) {
        try {
          const settle = await budget.reserve("answer", 0.09, never);
          await Promise.resolve();
          spent += 0.09;
          settle(0.09);
        } catch (error) {
          expect(error).toMatchObject({ kind: "budget", code: "E_MODEL_BUDGET" });
          refused += 1;
          return;
        }
      }
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
    expect(spent).toBeCloseTo(0.99, 9);
    expect(refused).toBe(4);
  });

  it("lets a call wait for what those in flight release", async () => {
    const budget = createBudget(cap(1));
    const settle = await budget.reserve("answer", 0.8, never);
    let admitted = false;
    const second = budget.reserve("answer", 0.5, never).then((s) => {
      admitted = true;
      return s;
    });
    await Promise.resolve();
    expect(admitted).toBe(false);
    settle(0.1);
    (await second)(0.5);
    await expect(budget.reserve("answer", 0.5, never)).rejects.toThrow(
      "cost cap of $1.00 for answer calls",
    );
  });

  it("counts earlier starts of the run, and covers only its roles", async () => {
    const budget = createBudget(cap(1));
    budget.addEarlier({ answer: 0.95, judge: 50 });
    expect(budget.covers("judge")).toBe(false);
    (await budget.reserve("judge", 100, never))(100);
    await expect(budget.reserve("answer", 0.06, never)).rejects.toMatchObject({ kind: "budget" });
    (await budget.reserve("answer", 0.04, never))(0.04);
  });

  it("holds every one of several caps", async () => {
    const budget = createBudget([
      { maxCostUsd: 1, roles: ["answer", "judge"] },
      { maxCostUsd: 0.2, roles: ["judge"] },
    ]);
    await expect(budget.reserve("judge", 0.3, never)).rejects.toThrow("$0.2000 for judge");
    (await budget.reserve("answer", 0.9, never))(0.9);
    await expect(budget.reserve("judge", 0.15, never)).rejects.toThrow("answer and judge");
  });

  it("lets a waiting call go when it is aborted", async () => {
    const budget = createBudget(cap(1));
    await budget.reserve("answer", 0.9, never);
    const controller = new AbortController();
    const waiting = budget.reserve("answer", 0.5, controller.signal);
    controller.abort(new Error("stop"));
    await expect(waiting).rejects.toThrow("stop");
  });

  it("ends at most the overrun of calls in flight above the cap (property)", async () => {
    const call = fc.record({
      estimate: fc.double({ min: 0.01, max: 0.5, noNaN: true }),
      over: fc.double({ min: 0, max: 0.2, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 40 }), async (calls) => {
        const budget = createBudget(cap(2));
        const overruns: number[] = [];
        let spent = 0;
        await Promise.all(
          calls.map(async ({ estimate, over }) => {
            try {
              const settle = await budget.reserve("answer", estimate, never);
              await new Promise(setImmediate);
              spent += estimate + over;
              overruns.push(over);
              settle(estimate + over);
            } catch {}
          }),
        );
        expect(spent).toBeLessThanOrEqual(2 + overruns.reduce((a, b) => a + b, 0) + 1e-9);
      }),
      { numRuns: 50 },
    );
  });
});
