import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { writeAll } from "../files.ts";

type NumberArray = Int32Array | Uint32Array | Float64Array;

/** A growing column of numbers that is written as raw little-endian values. */
export interface Column<T extends NumberArray> {
  readonly length: number;
  push(value: number): void;
  set(index: number, value: number): void;
  get(index: number): number;
  view(): T;
}

/** A column over the given array type; doubles when full. */
export function column<T extends NumberArray>(make: (length: number) => T): Column<T> {
  let values = make(1024);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const larger = make(length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    set(index, value) {
      values[index] = value;
    },
    get: (index) => values[index]!,
    view: () => values.subarray(0, length) as T,
  };
}

/** Appends buffers to a file through one large block, counting bytes. */
export interface ByteWriter {
  readonly bytesWritten: number;
  /** Appends UTF-8 text; returns its length in bytes. */
  text(value: string): number;
  close(): void;
}

const BLOCK_BYTES = 1 << 20;

export function byteWriter(path: string): ByteWriter {
  const file = openSync(path, "w");
  const block = Buffer.allocUnsafe(BLOCK_BYTES);
  let used = 0;
  let written = 0;
  const flush = (): void => {
    writeAll(file, block.subarray(0, used));
    used = 0;
  };
  return {
    get bytesWritten() {
      return written;
    },
    text(value) {
      const length = Buffer.byteLength(value);
      if (length > BLOCK_BYTES - used) flush();
      if (length > BLOCK_BYTES) writeAll(file, Buffer.from(value, "utf8"));
      else used += block.write(value, used);
      written += length;
      return length;
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

/** Reads a whole file of raw values as a typed array, in pieces (one read call takes at most 2 GiB). */
export function readColumn<T extends NumberArray>(
  path: string,
  of: { new (buffer: ArrayBuffer): T; readonly BYTES_PER_ELEMENT: number },
): T {
  return new of(readBytes(path).buffer as ArrayBuffer);
}

/** A whole file in a buffer of its own. */
export function readBytes(path: string): Uint8Array {
  const size = statSync(path).size;
  if (size < BLOCK_BYTES) return new Uint8Array(readFileSync(path));
  const bytes = new Uint8Array(size);
  const file = openSync(path, "r");
  try {
    for (let offset = 0; offset < size; ) {
      const read = readSync(file, bytes, offset, Math.min(1 << 30, size - offset), offset);
      if (read === 0) break;
      offset += read;
    }
  } finally {
    closeSync(file);
  }
  return bytes;
}
