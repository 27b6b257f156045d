import { mkdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import lockfile from "proper-lockfile";

const CHECK_EVERY_MS = 200;
/** A holder that has not renewed its lock for so long has died. */
const STALE_AFTER_MS = 30_000;

/** Runs `work` while no other process or call works on the folder; waits its turn, and takes over from one that died. */
export async function withFolderLock<T>(
  folder: string,
  { signal, progress }: { signal: AbortSignal; progress(message: string): void },
  work: () => Promise<T>,
): Promise<T> {
  await mkdir(folder, { recursive: true });
  let told = false;
  for (;;) {
    signal.throwIfAborted();
    let release: () => Promise<void>;
    try {
      release = await lockfile.lock(folder, {
        lockfilePath: `${folder}/.fetch.lock`,
        stale: STALE_AFTER_MS,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
      if (!told) progress(`waiting for another fetch into ${folder}`);
      told = true;
      await pause(CHECK_EVERY_MS, undefined, { signal });
      continue;
    }
    try {
      return await work();
    } finally {
      await release();
    }
  }
}
