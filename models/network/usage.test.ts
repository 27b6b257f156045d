import { describe, expect, it } from "vitest";
import { costOf } from "../price.ts";
import { anthropicTokens, googleTokens, openaiTokens } from "./usage.ts";

// Objects of the shape the vendors' APIs return, with invented numbers.
const anthropicUsage = {
  input_tokens: 120,
  cache_creation_input_tokens: 2_000,
  cache_read_input_tokens: 30_000,
  cache_creation: { ephemeral_5m_input_tokens: 2_000, ephemeral_1h_input_tokens: 0 },
  output_tokens: 450,
  service_tier: "standard",
  server_tool_use: null,
};
const openaiUsage = {
  prompt_tokens: 32_120,
  completion_tokens: 1_450,
  total_tokens: 33_570,
  prompt_tokens_details: { cached_tokens: 30_000, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 1_000,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
};
const googleUsage = {
  promptTokenCount: 32_120,
  candidatesTokenCount: 450,
  totalTokenCount: 33_570,
  cachedContentTokenCount: 30_000,
  promptTokensDetails: [{ modality: "TEXT", tokenCount: 32_120 }],
  thoughtsTokenCount: 1_000,
};
const price = {
  inputUsdPerMTok: 0.76,
  outputUsdPerMTok: 3.8,
  source: "test",
  date: "2026-01-01",
  cached: { readUsdPerMTok: 0.1, writeUsdPerMTok: 1.25, source: "test", date: "2026-01-01" },
};

describe("usage of the three vendors", () => {
  it("Anthropic's input leaves cached tokens out", () => {
    expect(anthropicTokens(anthropicUsage)).toEqual({
      uncachedInputTokens: 120,
      cacheReadTokens: 30_000,
      cacheWriteTokens: 2_000,
      outputTokens: 450,
      reasoningTokens: 0,
    });
  });

  it("OpenAI's prompt includes cached tokens, its completion the reasoning", () => {
    expect(openaiTokens(openaiUsage)).toEqual({
      uncachedInputTokens: 2_120,
      cacheReadTokens: 30_000,
      cacheWriteTokens: 0,
      outputTokens: 1_450,
      reasoningTokens: 1_000,
    });
  });

  it("Gemini's candidates leave thinking out: output is total less input", () => {
    expect(googleTokens(googleUsage)).toEqual({
      uncachedInputTokens: 2_120,
      cacheReadTokens: 30_000,
      cacheWriteTokens: 0,
      outputTokens: 1_450,
      reasoningTokens: 1_000,
    });
  });

  it("adds up to the same prompt for all three", () => {
    const input = [
      anthropicTokens(anthropicUsage),
      openaiTokens(openaiUsage),
      googleTokens(googleUsage),
    ].map((t) => t.uncachedInputTokens + t.cacheReadTokens + t.cacheWriteTokens);
    expect(input).toEqual([32_120, 32_120, 32_120]);
  });

  it("reads servers that report little or nothing as zero tokens, never as NaN", () => {
    const nothing = {
      uncachedInputTokens: 0,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
    };
    for (const read of [anthropicTokens, openaiTokens, googleTokens]) {
      expect(read({})).toEqual(nothing);
      expect(read({ input_tokens: null, prompt_tokens: "7", promptTokenCount: -1 })).toEqual(
        nothing,
      );
    }
    expect(openaiTokens({ prompt_tokens: 5, prompt_tokens_details: null })).toMatchObject({
      uncachedInputTokens: 5,
    });
  });
});

describe("cost", () => {
  it("matches the hand-worked figures to 1e-9", () => {
    const { costUsd, cachedCostUsd } = costOf(anthropicTokens(anthropicUsage), price);
    // 32,120 x 0.76 + 450 x 3.80 = 24,411.2 + 1,710 millionths.
    expect(costUsd).toBeCloseTo(0.0261212, 9);
    // 120 x 0.76 + 30,000 x 0.10 + 2,000 x 1.25 + 450 x 3.80 = 91.2 + 3,000 + 2,500 + 1,710.
    expect(cachedCostUsd).toBeCloseTo(0.0073012, 9);
  });

  it("bills cache writes like other input where the vendor has no price for them", () => {
    const { writeUsdPerMTok: _, ...cached } = price.cached;
    const { cachedCostUsd } = costOf(anthropicTokens(anthropicUsage), { ...price, cached });
    // 91.2 + 3,000 + 2,000 x 0.76 + 1,710.
    expect(cachedCostUsd).toBeCloseTo(0.0063212, 9);
  });

  it("is unknown, not zero, without a price", () => {
    const tokens = openaiTokens(openaiUsage);
    expect(costOf(tokens, undefined)).toEqual({ costUsd: null, cachedCostUsd: null });
    const { cached: _, ...list } = price;
    expect(costOf(tokens, list).cachedCostUsd).toBeNull();
    expect(costOf({ ...tokens, cacheReadTokens: 0 }, list).cachedCostUsd).not.toBeNull();
  });
});
