import { writeAll } from "../../core/files.ts";

/** One system call moves at most 2 GiB. */
export const MAX_IO_BYTES = 1 << 30;

/** The memory of a typed array as bytes, without a copy. Values are little-endian on every platform Node runs on. */
export function bytesOf(array: Uint8Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Appends all bytes at the file's position, in pieces that one system call can take. */
export function writePieces(file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += MAX_IO_BYTES) {
    writeAll(file, bytes.subarray(at, at + MAX_IO_BYTES));
  }
}
