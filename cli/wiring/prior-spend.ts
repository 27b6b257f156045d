import { openRun } from "../../core/run-folder/open-run.ts";

/**
 * What the stored answers and verdicts of a run cost, for a cap that holds over restarts. Calls that the response
 * cache answered count as well: they are mostly those of a start that was killed. An unknown price counts as 0
 * here; a capped run refuses models without a price.
 */
export function priorSpendUsd(folder: string): { answer: number; judge: number } {
  const run = openRun(folder);
  try {
    let answer = 0;
    for (const record of run.records()) answer += record.usage.costUsd ?? 0;
    let judge = 0;
    for (const name of run.judges()) {
      const table = run.judgements(name);
      for (const key of run.keys) judge += table.get(key)?.usage?.costUsd ?? 0;
    }
    return { answer, judge };
  } finally {
    run.close();
  }
}
