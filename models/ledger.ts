import type { ModelRole } from "../core/model.ts";
import { noUsage, sumUsage, type Usage } from "../core/usage.ts";

/** What one model cost in one role so far. */
export interface LedgerRow {
  role: ModelRole;
  model: string;
  /** Calls that were made and answered. */
  calls: number;
  /** Calls answered from the cache or by another call in flight. */
  replays: number;
  /** Calls that failed for good. */
  failures: number;
  /** Sum over made calls, billed failures included. */
  live: Usage;
  /** Sum of what the replayed calls had cost when they were made; not spent again. */
  replayed: Usage;
}

export interface Ledger {
  /** Sorted by role, then model. */
  rows(): LedgerRow[];
  /** US dollars spent by live calls in these roles, at the dearer of list and cached price; null = some call's price is unknown. */
  spentUsd(roles: readonly ModelRole[]): number | null;
}

export interface LedgerBook extends Ledger {
  /** Books an answered call; `replayed` in its usage says which column. */
  answered(role: ModelRole, model: string, usage: Usage): void;
  /** Books what failed attempts were billed, beside the call they belong to. */
  billed(role: ModelRole, model: string, usage: Usage): void;
  failed(role: ModelRole, model: string): void;
}

export function createLedger(): LedgerBook {
  const rows = new Map<string, LedgerRow>();
  const rowOf = (role: ModelRole, model: string): LedgerRow => {
    const key = JSON.stringify([role, model]);
    const row = rows.get(key) ?? {
      role,
      model,
      calls: 0,
      replays: 0,
      failures: 0,
      live: noUsage,
      replayed: noUsage,
    };
    rows.set(key, row);
    return row;
  };
  return {
    answered(role, model, usage) {
      const row = rowOf(role, model);
      if (usage.replayed) {
        row.replays += 1;
        row.replayed = sumUsage([row.replayed, usage]);
      } else {
        row.calls += 1;
        row.live = sumUsage([row.live, usage]);
      }
    },
    billed(role, model, usage) {
      const row = rowOf(role, model);
      row.live = sumUsage([row.live, usage]);
    },
    failed(role, model) {
      rowOf(role, model).failures += 1;
    },
    rows: () => [...rows.keys()].sort().map((key) => ({ ...rows.get(key)! })),
    spentUsd(roles) {
      let spent: number | null = 0;
      for (const { role, live } of rows.values()) {
        if (!roles.includes(role)) continue;
        const usd = dearer(live);
        spent = spent === null || usd === null ? null : spent + usd;
      }
      return spent;
    },
  };
}

/** What a budget counts: cache writes can make the cached price the higher one. */
export function dearer({
  costUsd,
  cachedCostUsd,
}: Pick<Usage, "costUsd" | "cachedCostUsd">): number | null {
  return costUsd === null ? null : Math.max(costUsd, cachedCostUsd ?? 0);
}
