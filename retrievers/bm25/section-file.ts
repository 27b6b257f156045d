import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { MAX_IO_BYTES, writePieces } from "./bytes.ts";

/**
 * A binary file of named sections: preamble (magic, version), sections at multiples of eight bytes,
 * a JSON footer with their places and checksums, and a trailer (footer length, footer CRC-32, magic).
 * It appears under its name only when it is complete.
 */
interface Footer {
  header: Json;
  sections: Record<string, { offset: number; bytes: number; crc32: number }>;
}

const MAGIC = Buffer.from("RITBM25\n", "latin1");
const PREAMBLE_BYTES = 16;
const TRAILER_BYTES = 16;
/** Small pieces are gathered before they are written. */
const PENDING_BYTES = 1 << 20;

export interface SectionWriter {
  /** Appends to the open section, in any number of calls. */
  write(bytes: Uint8Array): void;
  /** Closes the open section and begins the next. */
  begin(name: string): void;
  /** Writes the footer, flushes to disk and gives the file its name. */
  finish(header: Json): void;
  /** Drops the unfinished file. */
  abandon(): void;
}

/** @throws RitbenchError E_INDEX_WRITE when the folder cannot be written. */
export function createSectionFile(path: string, version: number): SectionWriter {
  const temporary = `${path}.${process.pid}.${Date.now().toString(36)}.tmp`;
  const file = guarded("E_INDEX_WRITE", path, () => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(temporary, "wx");
  });
  const sections: Footer["sections"] = {};
  let open: Footer["sections"][string] | undefined;
  let position = 0;
  const pending = Buffer.allocUnsafe(PENDING_BYTES);
  let pendingBytes = 0;
  let closed = false;

  function put(bytes: Uint8Array): void {
    guarded("E_INDEX_WRITE", path, () => writePieces(file, bytes));
    position += bytes.length;
  }

  function append(bytes: Uint8Array): void {
    if (open === undefined) throw new Error("write before begin");
    put(bytes);
    open.bytes += bytes.length;
    open.crc32 = crc32(bytes, open.crc32);
  }

  function flush(): void {
    if (pendingBytes === 0) return;
    append(pending.subarray(0, pendingBytes));
    pendingBytes = 0;
  }

  const preamble = Buffer.alloc(PREAMBLE_BYTES);
  MAGIC.copy(preamble);
  preamble.writeUInt32LE(version, 8);
  put(preamble);

  return {
    begin(name) {
      flush();
      put(new Uint8Array((8 - (position % 8)) % 8));
      open = { offset: position, bytes: 0, crc32: 0 };
      sections[name] = open;
    },
    write(bytes) {
      if (pendingBytes + bytes.length > PENDING_BYTES) flush();
      if (bytes.length > PENDING_BYTES) append(bytes);
      else {
        pending.set(bytes, pendingBytes);
        pendingBytes += bytes.length;
      }
    },
    finish(header) {
      flush();
      const footer = Buffer.from(JSON.stringify({ header, sections } satisfies Footer), "utf8");
      const trailer = Buffer.alloc(TRAILER_BYTES);
      trailer.writeUInt32LE(footer.length, 0);
      trailer.writeUInt32LE(crc32(footer), 4);
      MAGIC.copy(trailer, 8);
      put(footer);
      put(trailer);
      guarded("E_INDEX_WRITE", path, () => {
        fsyncSync(file);
        closeSync(file);
        closed = true;
        renameSync(temporary, path);
      });
    },
    abandon() {
      if (!closed) closeSync(file);
      rmSync(temporary, { force: true });
    },
  };
}

export interface SectionReader {
  readonly header: Json;
  /** One section, checked against its CRC-32. */
  read(name: string): ArrayBuffer;
  close(): void;
}

/**
 * @throws RitbenchError E_INDEX_MISSING, E_INDEX_VERSION (another layout), E_INDEX_CORRUPT (cut off,
 * altered or not an index at all).
 */
export function openSectionFile(path: string, version: number): SectionReader {
  const file = guarded("E_INDEX_MISSING", path, () => openSync(path, "r"));
  try {
    const size = fstatSync(file).size;
    if (size < PREAMBLE_BYTES + TRAILER_BYTES) throw corrupt(path, `only ${size} bytes`);
    const preamble = readBytes(file, 0, PREAMBLE_BYTES);
    if (!preamble.subarray(0, 8).equals(MAGIC)) throw corrupt(path, "another kind of file");
    const found = preamble.readUInt32LE(8);
    if (found !== version) {
      throw new RitbenchError("E_INDEX_VERSION", "the index has another layout", {
        where: path,
        expected: `version ${version}`,
        got: `version ${found}`,
        next: "delete the file and build the index again",
      });
    }
    const trailer = readBytes(file, size - TRAILER_BYTES, TRAILER_BYTES);
    if (!trailer.subarray(8).equals(MAGIC)) throw corrupt(path, "the end is missing");
    const footerBytes = trailer.readUInt32LE(0);
    const footerStart = size - TRAILER_BYTES - footerBytes;
    if (footerStart < PREAMBLE_BYTES) throw corrupt(path, "the footer does not fit");
    const text = readBytes(file, footerStart, footerBytes);
    if (crc32(text) !== trailer.readUInt32LE(4)) throw corrupt(path, "the footer is altered");
    const footer = JSON.parse(text.toString("utf8")) as Footer;
    return {
      header: footer.header,
      read(name) {
        const section = footer.sections[name];
        if (section === undefined) throw corrupt(path, `no section "${name}"`);
        const buffer = readSection(file, section.offset, section.bytes);
        if (checksum(buffer) !== section.crc32) throw corrupt(path, `"${name}" is altered`);
        return buffer;
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function corrupt(path: string, got: string): RitbenchError {
  return new RitbenchError("E_INDEX_CORRUPT", "the index file is damaged or incomplete", {
    where: path,
    expected: "a complete BM25 index",
    got,
    next: "delete the file and build the index again",
  });
}

/** Runs a file operation; a failure becomes a RitbenchError with the given code. */
export function guarded<T>(
  code: "E_INDEX_WRITE" | "E_INDEX_MISSING",
  path: string,
  action: () => T,
): T {
  try {
    return action();
  } catch (error) {
    const writing = code === "E_INDEX_WRITE";
    throw new RitbenchError(code, `the index cannot be ${writing ? "written" : "opened"}`, {
      where: path,
      got: messageOf(error),
      next: writing ? "check free space and permissions" : "build the index first",
      cause: error,
    });
  }
}

function readBytes(file: number, offset: number, bytes: number): Buffer {
  return Buffer.from(readSection(file, offset, bytes));
}

function readSection(file: number, offset: number, bytes: number): ArrayBuffer {
  const buffer = new ArrayBuffer(bytes);
  for (let done = 0; done < bytes; ) {
    const view = new Uint8Array(buffer, done, Math.min(bytes - done, MAX_IO_BYTES));
    const read = readSync(file, view, 0, view.length, offset + done);
    // A short file leaves zeros, which the checksum then reports.
    if (read === 0) break;
    done += read;
  }
  return buffer;
}

function checksum(buffer: ArrayBuffer): number {
  let sum = 0;
  for (let at = 0; at < buffer.byteLength; at += MAX_IO_BYTES) {
    const length = Math.min(buffer.byteLength - at, MAX_IO_BYTES);
    sum = crc32(new Uint8Array(buffer, at, length), sum);
  }
  return sum;
}
