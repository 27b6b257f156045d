import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";
import type { RunProblem } from "../../core/run-folder/problem.ts";

const BLOCK_BYTES = 64 * 1024;

/**
 * Makes an append-only file end in a whole line, so that the next line does not run into a torn one: a whole last
 * record gets its line end, a torn one is cut off and named (its question will be asked again).
 */
export function repairTail(path: string, name: string): RunProblem[] {
  if (!existsSync(path)) return [];
  const file = openSync(path, "r+");
  try {
    const size = fstatSync(file).size;
    const start = lastLineStart(file, size);
    if (start === size) return [];
    const tail = Buffer.alloc(size - start);
    readSync(file, tail, 0, tail.length, start);
    if (isJson(tail)) {
      writeSync(file, "\n", size);
      fsyncSync(file);
      return [];
    }
    ftruncateSync(file, start);
    fsyncSync(file);
    const got = tail.subarray(0, 60).toString("utf8");
    return [{ kind: "torn_line", where: `${name}, last line`, detail: `cut off: ${got}` }];
  } finally {
    closeSync(file);
  }
}

/** Offset behind the last line end. */
function lastLineStart(file: number, size: number): number {
  const block = Buffer.alloc(BLOCK_BYTES);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - BLOCK_BYTES);
    const read = readSync(file, block, 0, end - from, from);
    const found = block.subarray(0, read).lastIndexOf(10);
    if (found >= 0) return from + found + 1;
    end = from;
  }
  return 0;
}

function isJson(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
