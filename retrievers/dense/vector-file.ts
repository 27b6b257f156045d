import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { RitbenchError } from "../../core/errors.ts";
import type { Fingerprint } from "../../core/fingerprint.ts";

/** Files of a vector folder: rows of little-endian float32 in chunk order, and the summary that is written last. */
export const vectorFiles = {
  summary: "vectors.json",
  rows: "vectors.f32",
  hnsw: "vectors.hnsw",
} as const;

export interface VectorSummary {
  schema: "ritbench.vectors/1";
  fingerprint: Fingerprint;
  count: number;
  dimensions: number;
  /** CRC-32 of `vectors.f32`. */
  crc32: number;
}

/** Vectors on disk, read by range. */
export interface VectorFile {
  readonly summary: VectorSummary;
  /** Reads rows `[from, from + rows)` into `target`, `stride` floats apart. */
  read(from: number, rows: number, target: Float32Array, stride: number): void;
  /** @throws RitbenchError E_INDEX_CORRUPT when the bytes are not those that were written. */
  verify(): void;
  close(): void;
}

const READ_BYTES = 1 << 22;

/** @throws RitbenchError E_INDEX_CORRUPT when the file's size is not what the summary says. */
export function openVectorFile(folder: string): VectorFile {
  const summary = JSON.parse(
    readFileSync(join(folder, vectorFiles.summary), "utf8"),
  ) as VectorSummary;
  const path = join(folder, vectorFiles.rows);
  const rowBytes = summary.dimensions * 4;
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size !== summary.count * rowBytes) {
    throw brokenVectors(path, `${summary.count * rowBytes} bytes`, `${size} bytes`);
  }
  const file = openSync(path, "r");
  const rowsAtOnce = Math.max(1, Math.floor(READ_BYTES / rowBytes));

  function fill(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      const read = readSync(file, bytes, done, bytes.length - done, position + done);
      if (read === 0) throw brokenVectors(path, `${size} bytes`, "fewer");
      done += read;
    }
  }

  return {
    summary,
    read(from, rows, target, stride) {
      const { dimensions } = summary;
      if (stride === dimensions) {
        for (let row = 0; row < rows; row += rowsAtOnce) {
          const part = target.subarray(row * stride, Math.min(rows, row + rowsAtOnce) * stride);
          fill(bytesOf(part), (from + row) * rowBytes);
        }
        return;
      }
      const held = new Float32Array(rowsAtOnce * dimensions);
      for (let row = 0; row < rows; row += rowsAtOnce) {
        const some = Math.min(rowsAtOnce, rows - row);
        fill(bytesOf(held.subarray(0, some * dimensions)), (from + row) * rowBytes);
        for (let i = 0; i < some; i++) {
          target.set(held.subarray(i * dimensions, (i + 1) * dimensions), (row + i) * stride);
        }
      }
    },
    verify() {
      const buffer = Buffer.allocUnsafe(READ_BYTES);
      let sum = 0;
      for (let position = 0; position < size; position += READ_BYTES) {
        const part = buffer.subarray(0, Math.min(READ_BYTES, size - position));
        fill(part, position);
        sum = crc32(part, sum);
      }
      if (sum !== summary.crc32) {
        throw brokenVectors(path, `checksum ${summary.crc32}`, String(sum));
      }
    },
    close: () => closeSync(file),
  };
}

export function bytesOf(values: Float32Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

function brokenVectors(path: string, expected: string, got: string): RitbenchError {
  return new RitbenchError("E_INDEX_CORRUPT", "the vector file is damaged", {
    where: path,
    expected,
    got,
    next: "remove the folder and run `ritbench index` again: vectors come back from the cache",
  });
}
