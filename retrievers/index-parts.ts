import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { RitbenchError } from "../core/errors.ts";
import type { Fingerprint } from "../core/fingerprint.ts";
import { tryProcessLock } from "../core/process-lock.ts";

export type IndexPartName = "chunks" | "bm25" | "vectors" | "hnsw";

/** A part of an index as it lies on disk. */
export interface IndexPart {
  name: IndexPartName;
  folder: string;
  fingerprint: Fingerprint;
  bytes: number;
  /** Time it took to build; null when it was there already. */
  buildSeconds: number | null;
}

export interface PartRequest {
  name: IndexPartName;
  /** `<home>/indexes`. */
  indexesFolder: string;
  fingerprint: Fingerprint;
  /** The file that is written last. */
  marker: string;
  build(folder: string): Promise<void>;
  /** Another process builds the same part: called once. */
  waiting?: ((holder: string) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const POLL_MS = 200;

/**
 * Opens a part's folder, building it first where it is absent. One process builds while others wait; the folder
 * appears under its name only when complete, so a kill leaves nothing half-made that is taken for whole.
 */
export async function ensurePart(request: PartRequest): Promise<IndexPart> {
  const { name, indexesFolder, fingerprint, marker, build, waiting, signal } = request;
  const folder = join(indexesFolder, fingerprint);
  const complete = (): boolean => existsSync(join(folder, marker));
  const part = (buildSeconds: number | null): IndexPart => ({
    name,
    folder,
    fingerprint,
    bytes: bytesIn(folder),
    buildSeconds,
  });
  if (complete()) return part(null);
  mkdirSync(indexesFolder, { recursive: true });
  let told = false;
  for (;;) {
    signal?.throwIfAborted();
    const attempt = await tryProcessLock(join(indexesFolder, `${fingerprint}.lock`));
    if ("holder" in attempt) {
      if (!told)
        waiting?.(attempt.holder === null ? "another process" : `process ${attempt.holder.pid}`);
      told = true;
      await sleep(POLL_MS, undefined, signal === undefined ? {} : { signal });
      if (complete()) return part(null);
      continue;
    }
    try {
      if (complete()) return part(null);
      const startedMs = performance.now();
      await buildInto(folder, join(indexesFolder, `.building-${fingerprint}`), build);
      return part((performance.now() - startedMs) / 1000);
    } finally {
      attempt.lock.release();
    }
  }
}

async function buildInto(
  folder: string,
  temporary: string,
  build: (folder: string) => Promise<void>,
): Promise<void> {
  // The lock is held: what lies here is what a killed process left.
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary);
  try {
    await build(temporary);
    // What lies here without its marker was damaged by hand.
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}

/** Runs `open`; a file that is gone or cannot be parsed is told as a damaged part, with the way out. */
export function openPart<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof RitbenchError) throw cause;
    throw new RitbenchError("E_INDEX_CORRUPT", "a part of the index is damaged", {
      where: folder,
      got: cause instanceof Error ? cause.message : String(cause),
      next: `remove ${folder} and run \`ritbench index\` again`,
      cause,
    });
  }
}
