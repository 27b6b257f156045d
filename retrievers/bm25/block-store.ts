import { closeSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { bytesOf, writePieces } from "./bytes.ts";
import type { PostingBlock } from "./postings.ts";
import { guarded } from "./section-file.ts";

const BUFFER_BYTES = 1 << 18;

/**
 * Inverted blocks parked on disk while a large index is built. Blocks cover rising ranges of chunks,
 * so the list of a term is the concatenation of its lists in block order.
 */
export interface BlockStore {
  readonly count: number;
  park(block: PostingBlock): void;
  /** Feeds one field of all postings, by term, then chunk, to `write` in pieces. */
  merge(field: "chunks" | "tfs", termCount: number, write: (bytes: Uint8Array) => void): void;
  /** Removes the file. */
  close(): void;
}

interface Parked {
  terms: number;
  counts: number;
  chunks: number;
  tfs: number;
}

export function createBlockStore(path: string): BlockStore {
  const file = guarded("E_INDEX_WRITE", path, () => {
    mkdirSync(dirname(path), { recursive: true });
    return openSync(path, "w+");
  });
  const blocks: Parked[] = [];
  let position = 0;

  function append(bytes: Uint8Array): number {
    const at = position;
    guarded("E_INDEX_WRITE", path, () => writePieces(file, bytes));
    position += bytes.length;
    return at;
  }

  return {
    get count() {
      return blocks.length;
    },
    park(block) {
      blocks.push({
        terms: block.counts.length,
        counts: append(bytesOf(block.counts)),
        chunks: append(bytesOf(block.chunks)),
        tfs: append(block.tfs),
      });
    },
    merge(field, termCount, write) {
      const width = field === "chunks" ? 4 : 1;
      const sources = blocks.map((block) => ({
        terms: block.terms,
        counts: createStream(file, block.counts),
        postings: createStream(file, block[field]),
      }));
      for (let term = 0; term < termCount; term++) {
        for (const source of sources) {
          if (term >= source.terms) continue;
          source.postings.copy(source.counts.readUint32() * width, write);
        }
      }
    },
    close() {
      closeSync(file);
      rmSync(path, { force: true });
    },
  };
}

/** Reads a stretch of the file forward through a buffer. */
function createStream(file: number, start: number) {
  const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  let position = start;
  let at = 0;
  let end = 0;

  function refill(): void {
    const rest = buffer.copy(buffer, 0, at, end);
    const read = readSync(file, buffer, rest, buffer.length - rest, position);
    if (read === 0) throw new Error("a parked block of the index ended early");
    position += read;
    at = 0;
    end = rest + read;
  }

  return {
    readUint32(): number {
      while (end - at < 4) refill();
      at += 4;
      return buffer.readUInt32LE(at - 4);
    },
    copy(bytes: number, write: (bytes: Uint8Array) => void): void {
      for (let left = bytes; left > 0; ) {
        if (at === end) refill();
        const length = Math.min(left, end - at);
        write(buffer.subarray(at, at + length));
        at += length;
        left -= length;
      }
    },
  };
}
