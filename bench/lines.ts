import { closeSync, openSync, readSync } from "node:fs";
import { messageOf, RitbenchError } from "../core/errors.ts";

const READ_BYTES = 1 << 20;
const NEWLINE = 0x0a;

/**
 * Lines of a UTF-8 file without their ends, read a megabyte at a time.
 *
 * @throws RitbenchError E_BENCH_INPUT when the file cannot be read.
 */
export function* readLines(path: string): Generator<string> {
  const file = open(path);
  try {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    let rest: Buffer[] = [];
    for (let read = 1; read > 0; ) {
      read = readSync(file, buffer, 0, READ_BYTES, null);
      let from = 0;
      for (;;) {
        const end = buffer.subarray(0, read).indexOf(NEWLINE, from);
        if (end < 0) break;
        yield decode([...rest, buffer.subarray(from, end)]);
        rest = [];
        from = end + 1;
      }
      if (from < read) rest.push(Buffer.from(buffer.subarray(from, read)));
    }
    if (rest.length > 0) yield decode(rest);
  } finally {
    closeSync(file);
  }
}

function decode(pieces: Buffer[]): string {
  const line = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  return line.toString("utf8").replace(/\r$/, "");
}

function open(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    throw new RitbenchError("E_BENCH_INPUT", "the file cannot be read", {
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
}
