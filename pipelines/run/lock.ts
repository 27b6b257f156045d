import { join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { type ProcessLock, tryProcessLock } from "../../core/process-lock.ts";
import { RUN_FILES } from "../../core/run-folder/paths.ts";

/**
 * Takes a run folder for this process; a lock left by a killed process is taken over at once.
 *
 * @throws RitbenchError E_RUN_LOCKED when another process works on the run.
 */
export async function lockRun(folder: string): Promise<ProcessLock> {
  const path = join(folder, RUN_FILES.lock);
  const attempt = await tryProcessLock(path);
  if ("lock" in attempt) return attempt.lock;
  const { holder } = attempt;
  const who = holder === null ? "another process" : `process ${holder.pid} on ${holder.host}`;
  throw new RitbenchError("E_RUN_LOCKED", `${who} is working on this run`, {
    where: path,
    next: "wait for it or stop it; if that process is on another machine and gone, delete the lock file",
  });
}
