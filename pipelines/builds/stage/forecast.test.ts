import { expect, test } from "vitest";
import { fingerprint } from "../../../core/fingerprint.ts";
import { scriptedModel } from "../../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../../tests/support/temporary-folder.ts";
import { extrapolate } from "./extrapolate.ts";
import { forecastBuild, spreadSample } from "./forecast.ts";
import type { BuildRequest, BuildUnit } from "./request.ts";
import { runBuild } from "./run-build.ts";

test("extrapolates along the line of size and cost, with the interval worked by hand", () => {
  // y = 2 + 3x exactly: no scatter, no width.
  expect(extrapolate({ x: [1, 2, 3, 4], y: [5, 8, 11, 14] }, 10, 6)).toEqual({
    value: 200,
    low: 200,
    high: 200,
  });
  // Slope 0.5, residuals -1/3, 2/3, -1/3: s^2 = 2/3 with one degree of freedom; at the mean the line's share is 1/3.
  const { value, low, high } = extrapolate({ x: [1, 2, 3], y: [1, 2.5, 2] }, 3, 2);
  expect(value).toBeCloseTo(5.5, 10);
  const reach = 12.706 * Math.sqrt((2 / 3) * (3 + 9 / 3));
  expect(high).toBeCloseTo(5.5 + reach, 10);
  expect(low).toBe(0);
});

test("a mean of two has an interval, one alone has none, a falling line is not believed", () => {
  expect(extrapolate({ x: [1, 9], y: [4, 6] }, 2, 5).value).toBe(10);
  expect(extrapolate({ x: [1, 9], y: [4, 6] }, 2, 5).high).toBeCloseTo(
    10 + 12.706 * Math.sqrt(2 * (2 + 4 / 2)),
    10,
  );
  expect(extrapolate({ x: [1], y: [4] }, 2, 5)).toEqual({ value: 8, low: null, high: null });
  expect(extrapolate({ x: [1, 2, 3], y: [3, 2, 1] }, 2, 100).value).toBe(4);
  expect(extrapolate({ x: [1], y: [4] }, 0, 0)).toEqual({ value: 0, low: 0, high: 0 });
});

test("the sample is spread over the sizes", () => {
  const units = [50, 10, 30, 20, 40, 60].map((size) => ({ key: `k${size}`, size }));
  expect(spreadSample(units, 3)).toEqual(["k20", "k40", "k60"]);
  expect(spreadSample(units, 99)).toHaveLength(6);
});

test("a forecast pays for its sample once, and the build that follows meets it", async () => {
  const folder = temporaryFolder();
  const units = Array.from({ length: 40 }, (_, i) => {
    const text = "word ".repeat(10 + ((i * 7) % 40) * 5);
    return { key: `u${i}`, size: text.length, text: () => text };
  });
  const model = scriptedModel((asked) => ({
    content: "x",
    usage: {
      uncachedInputTokens: 100 + asked.messages[0]!.content.length / 5,
      outputTokens: 20,
      costUsd: (100 + asked.messages[0]!.content.length / 5) / 1e6,
      cachedCostUsd: 0,
      llmMs: 50,
    },
  }));
  const request: BuildRequest<BuildUnit, string> = {
    folder,
    what: {
      kind: "t",
      corpus: "c",
      model: { id: "m", fingerprint: fingerprint("m") },
      prompts: {},
      parameters: {},
    },
    model,
    units: () => units,
    total: units.length,
    unit: "chunk",
    async process(unit, context) {
      const content = unit.text();
      await context.model.call({ task: "t", messages: [{ role: "user", content }] });
      return { value: "x", records: 1 };
    },
    concurrency: 2,
    signal: new AbortController().signal,
  };
  const forecast = await forecastBuild(request, 6);
  expect(model.requests).toHaveLength(6);
  expect(forecast).toMatchObject({ total: 40, measured: 6, manifest: { status: "interrupted" } });
  const build = await runBuild(request);
  const { ledger, status } = build.manifest;
  await build.close();
  expect(status).toBe("finished");
  expect(model.requests).toHaveLength(40);
  expect(forecast.calls.value).toBe(40);
  expect(forecast.outputTokens).toEqual({ value: 800, low: 800, high: 800 });
  expect(forecast.inputTokens.value).toBeCloseTo(ledger.live.uncachedInputTokens, 6);
  expect(forecast.costUsd?.value).toBeCloseTo(ledger.live.costUsd!, 9);
  expect(forecast.llmMs?.value).toBe(2_000);
});
