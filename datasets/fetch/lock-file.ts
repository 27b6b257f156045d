import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files.ts";
import { parseRecord } from "../parsing/jsonl.ts";

export const LOCK_FILE = "fetch.lock.json";

const entry = z.object({
  /** Where the file came from. */
  url: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  /** The archive that holds the file, where it was unpacked from one. */
  archive: z.object({ bytes: z.number(), sha256: z.string() }).optional(),
});
export type LockEntry = z.infer<typeof entry>;

const content = z.object({ version: z.literal(1), files: z.record(z.string(), entry) });

/** Checksums of what has been fetched, by path below the data set's folder; held from the first download on. */
export interface LockFile {
  get(path: string): LockEntry | undefined;
  /** Records a file and writes the lock file. */
  set(path: string, entry: LockEntry): void;
}

/** @throws RitbenchError E_FETCH_LOCK for a lock file that cannot be read: its checksums must not be lost unnoticed. */
export async function openLockFile(folder: string): Promise<LockFile> {
  const path = join(folder, LOCK_FILE);
  const files = new Map<string, LockEntry>();
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text !== undefined) {
    try {
      const read = parseRecord(content, JSON.parse(text), path);
      for (const [name, value] of Object.entries(read.files)) files.set(name, value);
    } catch (cause) {
      throw new RitbenchError("E_FETCH_LOCK", "the lock file of fetched files cannot be read", {
        where: path,
        got: messageOf(cause),
        next: "remove it to take the checksums of the next download for good",
        cause,
      });
    }
  }
  return {
    get: (name) => files.get(name),
    set(name, value) {
      files.set(name, value);
      const sorted = Object.fromEntries([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
      writeFileAtomic(path, `${JSON.stringify({ version: 1, files: sorted }, null, 2)}\n`);
    },
  };
}
