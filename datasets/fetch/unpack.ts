import { createReadStream, createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { messageOf, RitbenchError } from "../../core/errors.ts";

/**
 * Unpacks named members of a .tgz into `folder`, each under its own bare name: whatever path, link or device an
 * archive holds, nothing else is written.
 *
 * @throws RitbenchError E_FETCH_ARCHIVE for a damaged archive or one without a wanted member
 */
export async function unpackMembers(
  archivePath: string,
  members: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const missing = new Set(members);
  const archive = extract();
  const reading = pipeline(createReadStream(archivePath), createGunzip(), archive, { signal });
  reading.catch(() => {}); // Reported below: the loop ends when the archive does.
  try {
    for await (const entry of archive) {
      const name = basename(entry.header.name);
      if (entry.header.type === "file" && missing.delete(name)) {
        await pipeline(Readable.from(entry), createWriteStream(join(folder, name)), { signal });
      } else {
        entry.resume();
      }
    }
    await reading;
  } catch (cause) {
    signal.throwIfAborted();
    throw new RitbenchError("E_FETCH_ARCHIVE", "an archive cannot be unpacked", {
      where: archivePath,
      got: messageOf(cause),
      next: "run the command again to fetch it anew",
      cause,
    });
  }
  if (missing.size > 0) {
    throw new RitbenchError("E_FETCH_ARCHIVE", "an archive lacks a file", {
      where: archivePath,
      expected: [...missing].join(", "),
    });
  }
}
