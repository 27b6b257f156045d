import type { StoredRun } from "./open-run.ts";

/** Money a run has spent so far, for a cap that goes on counting after a resume; null = a price is unknown. */
export interface Spend {
  answerUsd: number | null;
  judgeUsd: number | null;
}

/** Sums records and judgements. Replayed calls carry their original cost but cost nothing again, so they are left out. */
export function spentOn(run: StoredRun): Spend {
  let answerUsd: number | null = 0;
  for (const { usage } of run.records()) {
    if (!usage.replayed) answerUsd = add(answerUsd, usage.costUsd);
  }
  let judgeUsd: number | null = 0;
  for (const judge of run.judges()) {
    const table = run.judgements(judge);
    for (const key of run.keys) {
      const usage = table.get(key)?.usage;
      if (usage !== undefined && !usage.replayed) judgeUsd = add(judgeUsd, usage.costUsd);
    }
  }
  return { answerUsd, judgeUsd };
}

function add(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
