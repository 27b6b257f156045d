import { closeSync, openSync, readSync } from "node:fs";

/** One line of an append-only file and where it lies. */
export interface FileLine {
  /** 1-based. */
  number: number;
  /** Bytes from the start of the file. */
  offset: number;
  bytes: Buffer;
  /** False for a last line without its line end: the writer may have died half way. */
  terminated: boolean;
}

const BLOCK_BYTES = 1 << 20;

/** Lines of a file, read block by block; nothing for a file that is absent. Blank lines are passed over. */
export function* readFileLines(path: string): Generator<FileLine> {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  try {
    let number = 0;
    let lineStart = 0;
    let pending: Buffer[] = [];
    for (;;) {
      const block = Buffer.allocUnsafe(BLOCK_BYTES);
      const read = readSync(file, block, 0, BLOCK_BYTES, null);
      if (read === 0) break;
      let from = 0;
      for (;;) {
        const end = block.subarray(0, read).indexOf(10, from);
        if (end < 0) break;
        const bytes = joined(pending, block.subarray(from, end));
        pending = [];
        number++;
        if (bytes.length > 0) yield { number, offset: lineStart, bytes, terminated: true };
        lineStart += bytes.length + 1;
        from = end + 1;
      }
      if (from < read) pending.push(block.subarray(from, read));
    }
    const rest = joined(pending, Buffer.alloc(0));
    if (rest.length > 0) {
      yield { number: number + 1, offset: lineStart, bytes: rest, terminated: false };
    }
  } finally {
    closeSync(file);
  }
}

function joined(pending: readonly Buffer[], last: Buffer): Buffer {
  return pending.length === 0 ? last : Buffer.concat([...pending, last]);
}

/** Reads single lines of one file again by their place. */
export interface LineReader {
  read(offset: number, bytes: number): Buffer;
  close(): void;
}

export function openLineReader(path: string): LineReader {
  let file: number | undefined;
  return {
    read(offset, bytes) {
      file ??= openSync(path, "r");
      const buffer = Buffer.allocUnsafe(bytes);
      let done = 0;
      while (done < bytes) {
        const read = readSync(file, buffer, done, bytes - done, offset + done);
        if (read === 0) throw new Error(`${path} became shorter while it was read`);
        done += read;
      }
      return buffer;
    },
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
