import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { FetchFile } from "../../core/dataset.ts";

/** What identifies a file's content. */
export interface FileFacts {
  bytes: number;
  sha256: string;
  /** SHA-1 as git names the content: over `blob <size>\0` and the bytes. */
  gitBlob: string;
}

/** Hashes a file in one pass; undefined where there is no file. */
export async function fileFacts(path: string, signal: AbortSignal): Promise<FileFacts | undefined> {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) return undefined;
  const sha256 = createHash("sha256");
  const gitBlob = createHash("sha1").update(`blob ${facts.size}\0`);
  for await (const block of createReadStream(path, { signal })) {
    sha256.update(block as Buffer);
    gitBlob.update(block as Buffer);
  }
  return { bytes: facts.size, sha256: sha256.digest("hex"), gitBlob: gitBlob.digest("hex") };
}

/** What a file must be: as pinned by the data set, else as the first download was. */
export type Wanted = Pick<FetchFile, "sha256" | "gitBlob" | "bytes">;

/** In words, the first point in which a file is not what it must be; undefined when it is. */
export function mismatch(
  facts: FileFacts,
  wanted: Wanted,
): { expected: string; got: string } | undefined {
  const names = { sha256: "SHA-256", gitBlob: "git blob", bytes: "bytes" } as const;
  for (const field of ["bytes", "sha256", "gitBlob"] as const) {
    const value = wanted[field];
    if (value !== undefined && value !== facts[field]) {
      return { expected: `${names[field]} ${value}`, got: `${names[field]} ${facts[field]}` };
    }
  }
  return undefined;
}
