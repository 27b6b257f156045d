import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ProcessLock, tryProcessLock } from "../../../core/process-lock.ts";

const POLL_MS = 200;

/**
 * Takes a build's folder for this process, waiting while another one builds there; a lock left by a killed process
 * is taken over at once.
 *
 * @param waiting told once who has it
 */
export async function lockBuild(
  folder: string,
  signal: AbortSignal,
  waiting?: (holder: string) => void,
): Promise<ProcessLock> {
  mkdirSync(folder, { recursive: true });
  for (let told = false; ; told = true) {
    signal.throwIfAborted();
    const attempt = await tryProcessLock(join(folder, "build.lock"));
    if ("lock" in attempt) return attempt.lock;
    const { holder } = attempt;
    if (!told) waiting?.(holder === null ? "another process" : `process ${holder.pid}`);
    await sleep(POLL_MS, undefined, { signal });
  }
}
