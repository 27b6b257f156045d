import type { TokenCounts } from "../provider.ts";

type Raw = { readonly [key: string]: unknown };

/** Anthropic's `usage`: `input_tokens` leaves cached tokens out; thinking is part of `output_tokens` and not told apart. */
export function anthropicTokens(raw: Raw): TokenCounts {
  return {
    uncachedInputTokens: count(raw.input_tokens),
    cacheReadTokens: count(raw.cache_read_input_tokens),
    cacheWriteTokens: count(raw.cache_creation_input_tokens),
    outputTokens: count(raw.output_tokens),
    reasoningTokens: 0,
  };
}

/** OpenAI's `usage`: `prompt_tokens` includes cached ones, `completion_tokens` includes reasoning. */
export function openaiTokens(raw: Raw): TokenCounts {
  const prompt = count(raw.prompt_tokens);
  const details = objectOf(raw.prompt_tokens_details);
  const read = Math.min(prompt, count(details.cached_tokens));
  const write = Math.min(prompt - read, count(details.cache_write_tokens));
  return {
    uncachedInputTokens: prompt - read - write,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: count(raw.completion_tokens),
    reasoningTokens: count(objectOf(raw.completion_tokens_details).reasoning_tokens),
  };
}

/**
 * Gemini's `usageMetadata`: `promptTokenCount` includes cached ones, `candidatesTokenCount` leaves
 * thinking out, so output is the total less the input.
 */
export function googleTokens(raw: Raw): TokenCounts {
  const input = count(raw.promptTokenCount) + count(raw.toolUsePromptTokenCount);
  const read = Math.min(input, count(raw.cachedContentTokenCount));
  const thoughts = count(raw.thoughtsTokenCount);
  const total = raw.totalTokenCount;
  return {
    uncachedInputTokens: input - read,
    cacheReadTokens: read,
    cacheWriteTokens: 0,
    outputTokens:
      typeof total === "number"
        ? Math.max(0, total - input)
        : count(raw.candidatesTokenCount) + thoughts,
    reasoningTokens: thoughts,
  };
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

function objectOf(value: unknown): Raw {
  return typeof value === "object" && value !== null ? (value as Raw) : {};
}
