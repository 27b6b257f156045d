import type { Price } from "./catalog.ts";
import type { TokenCounts } from "./provider.ts";

export interface Cost {
  /** All input at the list price, cached or not (A37); null = unknown. */
  costUsd: number | null;
  /** Cached input at the vendor's own price for it; null = unknown. */
  cachedCostUsd: number | null;
}

/** What a call costs. A model without a price costs `null`, never 0. */
export function costOf(tokens: TokenCounts, price: Price | undefined): Cost {
  if (price === undefined) return { costUsd: null, cachedCostUsd: null };
  const { uncachedInputTokens: fresh, cacheReadTokens: read, cacheWriteTokens: write } = tokens;
  const output = tokens.outputTokens * price.outputUsdPerMTok;
  const list = (fresh + read + write) * price.inputUsdPerMTok + output;
  if (price.cached === undefined) {
    return { costUsd: list / 1e6, cachedCostUsd: read + write === 0 ? list / 1e6 : null };
  }
  const writePrice = price.cached.writeUsdPerMTok ?? price.inputUsdPerMTok;
  const cached =
    fresh * price.inputUsdPerMTok +
    read * price.cached.readUsdPerMTok +
    write * writePrice +
    output;
  return { costUsd: list / 1e6, cachedCostUsd: cached / 1e6 };
}
