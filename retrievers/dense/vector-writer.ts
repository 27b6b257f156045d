import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { writeAll } from "../../core/files.ts";
import type { Fingerprint } from "../../core/fingerprint.ts";
import { bytesOf, type VectorSummary, vectorFiles } from "./vector-file.ts";

/** Writes rows in order; the summary comes last, so a folder without one is unfinished. */
export interface VectorWriter {
  push(rows: readonly Float32Array[]): void;
  finish(fingerprint: Fingerprint): VectorSummary;
  /** Closes the file without a summary. */
  abandon(): void;
}

export function vectorWriter(folder: string, dimensions: number): VectorWriter {
  const file = openSync(join(folder, vectorFiles.rows), "w");
  let count = 0;
  let checksum = 0;
  return {
    push(rows) {
      const joined = new Float32Array(rows.length * dimensions);
      for (const [index, row] of rows.entries()) joined.set(row, index * dimensions);
      const bytes = bytesOf(joined);
      writeAll(file, bytes);
      checksum = crc32(bytes, checksum);
      count += rows.length;
    },
    finish(fingerprint) {
      fsyncSync(file);
      closeSync(file);
      const summary: VectorSummary = {
        schema: "ritbench.vectors/1",
        fingerprint,
        count,
        dimensions,
        crc32: checksum,
      };
      writeFileSync(join(folder, vectorFiles.summary), `${JSON.stringify(summary, null, 2)}\n`);
      return summary;
    },
    abandon: () => closeSync(file),
  };
}
