import { addLedgers, type BuildLedger, noCalls } from "./ledger.ts";
import type { BuildCounts, BuildManifest } from "./manifest.ts";
import type { UnitRecord, UnitStore } from "./unit-store.ts";

const MOST_PROBLEMS = 20;

/** Keeps a build's counts, money and first failures in step with its store. */
export interface Tally {
  /** Books a unit and what it cost this time; `before` is the failed record it replaces. */
  add(record: UnitRecord, cost: BuildLedger, before?: UnitRecord): void;
  counts(): BuildCounts;
  /** Of finished units; calls of unfinished ones lie in the store. */
  ledger(): BuildLedger;
  problems(): BuildManifest["problems"];
}

/** Reads what earlier starts stored. */
export function tallyOf(store: UnitStore, total: number): Tally {
  const counts = { extracted: 0, failed: 0, empty: 0, blank: 0 };
  const problems = new Map<string, BuildManifest["problems"][number]>();
  let ledger = noCalls;
  const tally: Tally = {
    add(record, cost, before) {
      if (before !== undefined) {
        counts[before.outcome]--;
        problems.delete(before.key);
      }
      counts[record.outcome]++;
      ledger = addLedgers(ledger, cost);
      if (record.error !== undefined && problems.size < MOST_PROBLEMS) {
        problems.set(record.key, { unit: record.key, ...record.error });
      }
    },
    counts: () => ({ total, ...counts }),
    ledger: () => ledger,
    problems: () => [...problems.values()],
  };
  for (const record of store.all()) tally.add(record, record.ledger);
  return tally;
}
