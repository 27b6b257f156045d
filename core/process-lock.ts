import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import lockfile from "proper-lockfile";

/** A held lock file. */
export interface ProcessLock {
  release(): void;
}

/** The process that has the lock. */
export interface LockHolder {
  pid: number;
  host: string;
  /** When the process started, in the kernel's own count: tells a process from a later one with its number. */
  born: string | null;
  token: string;
}

/** The lock, or who has it (`null` = it cannot be read who). */
export type LockAttempt = { lock: ProcessLock } | { holder: LockHolder | null };

/**
 * Tries to take a lock file for this process, in a folder that exists. The file names its process, so that one
 * left by a killed process is taken over at once, however long a living holder stays silent in a long computation.
 */
export async function tryProcessLock(path: string): Promise<LockAttempt> {
  const own: LockHolder = {
    pid: process.pid,
    host: hostname(),
    born: bornAt(process.pid),
    token: randomUUID(),
  };
  if (!create(path, own)) {
    const holder = await takeOver(path, own);
    if (holder !== undefined) return { holder };
  }
  return {
    lock: {
      release() {
        if (readHolder(path)?.token === own.token) rmSync(path, { force: true });
      },
    },
  };
}

/**
 * Undefined when the lock was stale and is now ours. Only one process at a time may judge a lock stale and
 * replace it; the guard itself expires by age.
 */
async function takeOver(path: string, own: LockHolder): Promise<LockHolder | null | undefined> {
  const seen = readHolder(path);
  if (seen !== undefined && isAlive(seen)) return seen;
  const releaseGuard = await lockfile.lock(dirname(path), {
    lockfilePath: `${path}.guard`,
    stale: 10_000,
    retries: { retries: 20, minTimeout: 50, maxTimeout: 1_000 },
  });
  try {
    const holder = readHolder(path);
    if (holder !== undefined && isAlive(holder)) return holder;
    rmSync(path, { force: true });
    return create(path, own) ? undefined : (readHolder(path) ?? null);
  } finally {
    await releaseGuard();
  }
}

function create(path: string, own: LockHolder): boolean {
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
function readHolder(path: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, "utf8")) as Partial<LockHolder> | null;
    return typeof holder?.pid === "number" ? (holder as LockHolder) : undefined;
  } catch {
    return undefined;
  }
}

/** A holder on another machine cannot be asked, so it counts as alive. */
function isAlive(holder: LockHolder): boolean {
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
