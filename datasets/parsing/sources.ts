import { stat } from "node:fs/promises";
import { resolve } from "node:path";

/** Size and time of data files, for a loader's cache key. `paths` are relative to `folder` or absolute. */
export async function sourceFacts(
  folder: string,
  paths: readonly string[],
): Promise<{ path: string; bytes: number; modifiedMs: number }[]> {
  return Promise.all(
    [...paths].sort().map(async (path) => {
      const facts = await stat(resolve(folder, path));
      return { path, bytes: facts.size, modifiedMs: Math.trunc(facts.mtimeMs) };
    }),
  );
}

/** The first of `paths` (relative to `folder`) that is a file. */
export async function existingFile(
  folder: string,
  paths: readonly string[],
): Promise<string | undefined> {
  for (const path of paths) {
    const facts = await stat(resolve(folder, path)).catch(() => undefined);
    if (facts?.isFile()) return path;
  }
  return undefined;
}
