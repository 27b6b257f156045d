import { openRun } from "../../core/run-folder/open-run.ts";
import { spentOn } from "../../core/run-folder/spend.ts";
import type { Gateway } from "../../models/gateway.ts";

/**
 * Counts what a stored run has cost already towards the caps, so that a cap holds over restarts. An unknown price
 * counts as 0 here; a capped run refuses models without a price.
 */
export function countEarlierSpend(gateway: Gateway, folder: string): void {
  const run = openRun(folder);
  try {
    const { answerUsd, judgeUsd } = spentOn(run);
    gateway.addEarlierSpend({ answer: answerUsd ?? 0, judge: judgeUsd ?? 0 });
  } finally {
    run.close();
  }
}
