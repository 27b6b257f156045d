import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import { byteWriter, column } from "../../core/corpus/columns.ts";

/**
 * Texts set aside on disk, for loaders whose files come in another order than their forest: 8 bytes of memory a
 * text. First `add` everything, then `get` in any order.
 */
export interface TextSpill {
  /** Returns the index to `get` the text by, from 0 upwards. */
  add(text: string): number;
  get(index: number): string;
  /** Removes the file. */
  dispose(): void;
}

export function textSpill(folder: string): TextSpill {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `texts-${process.pid}-${randomUUID()}.tmp`);
  const writer = byteWriter(path);
  const ends = column((length) => new Float64Array(length));
  let file: number | undefined;

  function seal(): number {
    writer.close();
    return openSync(path, "r");
  }

  return {
    add(text) {
      writer.text(text);
      ends.push(writer.bytesWritten);
      return ends.length - 1;
    },
    get(index) {
      file ??= seal();
      const start = index === 0 ? 0 : ends.get(index - 1);
      const bytes = Buffer.allocUnsafe(ends.get(index) - start);
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(file, bytes, done, bytes.length - done, start + done);
        if (read === 0) throw new Error(`text spill ${path} was cut while in use`);
        done += read;
      }
      return bytes.toString("utf8");
    },
    dispose() {
      if (file === undefined) writer.close();
      else closeSync(file);
      rmSync(path, { force: true });
    },
  };
}
