import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import lockfile from "proper-lockfile";
import { RitbenchError } from "../../core/errors.ts";
import { RUN_FILES } from "../../core/run-folder/paths.ts";

/** A held run folder. */
export interface RunLock {
  release(): void;
}

interface Holder {
  pid: number;
  host: string;
  /** When the process started, in the kernel's own count: tells a process from a later one with its number. */
  born: string | null;
  token: string;
}

/**
 * Takes a run folder for this process. The lock names its process, so that one left by a killed process is taken
 * over at once, however long a living holder stays silent in a long computation.
 *
 * @throws RitbenchError E_RUN_LOCKED when another process works on the run.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  const path = join(folder, RUN_FILES.lock);
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    born: bornAt(process.pid),
    token: randomUUID(),
  };
  if (!create(path, own)) await takeOver(folder, path, own);
  return {
    release() {
      if (readHolder(path)?.token === own.token) rmSync(path, { force: true });
    },
  };
}

/** Only one process at a time may judge a lock stale and replace it; the guard itself expires by age. */
async function takeOver(folder: string, path: string, own: Holder): Promise<void> {
  const seen = readHolder(path);
  if (seen !== undefined && isAlive(seen)) throw lockedError(path, seen);
  const releaseGuard = await lockfile.lock(folder, {
    lockfilePath: `${path}.guard`,
    stale: 10_000,
    retries: { retries: 20, minTimeout: 50, maxTimeout: 1_000 },
  });
  try {
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) throw lockedError(path, holder);
    rmSync(path, { force: true });
    if (!create(path, own)) throw lockedError(path, readHolder(path));
  } finally {
    await releaseGuard();
  }
}

/** Creates the lock with its content in one step: no other process ever sees it empty. */
function create(path: string, own: Holder): boolean {
  const temporary = `${path}.${own.token}`;
  writeFileSync(temporary, JSON.stringify(own), { flag: "wx" });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Undefined for no lock, and for a file that names no process. */
function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder> | null;
    return typeof holder?.pid === "number" ? (holder as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/** A holder on another machine cannot be asked, so it counts as alive. */
function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  const born = bornAt(holder.pid);
  return born === null || holder.born === null || born === holder.born;
}

/** Start time of a process from /proc, in clock ticks since boot; null where there is no /proc. */
function bornAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // Field 22; the second field (the command in brackets) may hold blanks.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

function lockedError(path: string, holder: Holder | undefined): RitbenchError {
  const who = holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host}`;
  return new RitbenchError("E_RUN_LOCKED", `${who} is working on this run`, {
    where: path,
    next: "wait for it or stop it; if that process is on another machine and gone, delete the lock file",
  });
}
