import { describe, expect, it } from "vitest";
import { makeCatalog, parseModelsFile } from "./catalog.ts";
import { estimateInputTokens, forecast, worstCaseUsd } from "./forecast.ts";

const price = { inputUsdPerMTok: 2, outputUsdPerMTok: 10, source: "s", date: "2026-01-01" };
const catalog = makeCatalog([
  parseModelsFile(
    {
      schema: "ritbench.models/1",
      models: [{ id: "openai:g", contextTokens: 10, price }],
    },
    "test",
  ),
]);

describe("forecast", () => {
  it("multiplies calls, tokens and prices", () => {
    const { rows, costUsd } = forecast(
      [
        {
          model: "openai:g",
          role: "answer",
          calls: 100,
          inputTokensPerCall: 5000,
          outputTokensPerCall: 300,
        },
        {
          model: "offline:extractive",
          role: "judge",
          calls: 100,
          inputTokensPerCall: 700,
          outputTokensPerCall: 5,
        },
      ],
      catalog,
    );
    // 500,000 x $2 + 30,000 x $10 a million.
    expect(rows[0]).toMatchObject({ inputTokens: 500_000, outputTokens: 30_000 });
    expect(rows[0]!.costUsd).toBeCloseTo(1.3, 12);
    expect(rows[1]!.costUsd).toBe(0);
    expect(costUsd).toBeCloseTo(1.3, 12);
  });

  it("is unknown as soon as one price is", () => {
    const plan = {
      model: "openai:other",
      role: "answer",
      calls: 1,
      inputTokensPerCall: 1,
      outputTokensPerCall: 1,
    } as const;
    expect(forecast([plan], catalog)).toMatchObject({ rows: [{ costUsd: null }], costUsd: null });
  });
});

describe("worst case of a call", () => {
  const messages = [{ role: "user" as const, content: "x".repeat(3484) }];

  it("counts prompt and full reply at their dearest", () => {
    // (3,484 + 16) / 3.5 = 1,000 tokens.
    expect(estimateInputTokens({ messages })).toBe(1000);
    expect(worstCaseUsd({ messages, maxTokens: 100 }, price)).toBeCloseTo(0.003, 12);
    const cached = { readUsdPerMTok: 1, writeUsdPerMTok: 3, source: "s", date: "2026-01-01" };
    expect(worstCaseUsd({ messages, maxTokens: 100 }, { ...price, cached })).toBeCloseTo(0.004, 12);
  });

  it("counts tools and tool calls", () => {
    const tool = { name: "t", description: "d".repeat(70), parameters: { type: "object" } };
    expect(estimateInputTokens({ messages, tools: [tool] })).toBeGreaterThan(1030);
    const call = { id: "1", name: "t", arguments: { q: "y".repeat(350) } };
    const more = [...messages, { role: "assistant" as const, content: "", toolCalls: [call] }];
    expect(estimateInputTokens({ messages: more })).toBeGreaterThan(1100);
  });
});
