import { noUsage, sumUsage } from "../../../core/usage.ts";
import { dearer, type LedgerRow } from "../../../models/ledger.ts";

/** What the calls of a build cost, whenever they were made: calls of killed and stopped starts count too. */
export type BuildLedger = Omit<LedgerRow, "role" | "model">;

export const noCalls: BuildLedger = {
  calls: 0,
  replays: 0,
  failures: 0,
  live: noUsage,
  replayed: noUsage,
};

export function addLedgers(a: BuildLedger, b: BuildLedger): BuildLedger {
  return {
    calls: a.calls + b.calls,
    replays: a.replays + b.replays,
    failures: a.failures + b.failures,
    live: sumUsage([a.live, b.live]),
    replayed: sumUsage([a.replayed, b.replayed]),
  };
}

/** US dollars that count against a cap when the build goes on; null = a price is unknown. */
export function spentUsd({ live }: BuildLedger): number | null {
  return dearer(live);
}
