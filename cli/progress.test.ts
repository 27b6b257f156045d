import { describe, expect, it } from "vitest";
import { testIo } from "../tests/support/test-io.ts";
import { describeProgress, progressLine } from "./progress.ts";

const progress = {
  done: 0,
  total: 10,
  kept: 0,
  errors: 0,
  inFlight: 2,
  rate: null,
  etaSeconds: null,
  costUsd: 0,
};

describe("describeProgress", () => {
  it("says how far, how fast, how long, how much", () => {
    expect(
      describeProgress({
        ...progress,
        done: 4,
        kept: 3,
        errors: 1,
        rate: 2,
        etaSeconds: 3,
        costUsd: 0.42,
      }),
    ).toBe("7/13 answered  3 kept from before  2.0/s  ETA 3s  $0.42  1 error");
  });

  it("says unknown, not zero, for money it cannot count", () => {
    expect(describeProgress({ ...progress, costUsd: null })).toBe("0/10 answered  cost unknown");
  });
});

describe("progressLine", () => {
  it("redraws one line on a terminal, cut to its width", () => {
    const io = testIo({ terminal: true, columns: 6 });
    const line = progressLine(io, () => 0);
    line.update("abcdefgh");
    line.finish();
    expect(io.stderr).toBe("\rabcde\u001b[K\n");
  });

  it("writes plain lines elsewhere, not more often than every ten seconds, and the last one always", () => {
    const io = testIo({ terminal: false });
    let at = 0;
    const line = progressLine(io, () => at);
    for (const text of ["one", "two", "three"]) {
      line.update(text);
      at += 6_000;
    }
    line.update("four");
    line.finish();
    expect(io.stderr).toBe("one\nthree\nfour\n");
  });
});
