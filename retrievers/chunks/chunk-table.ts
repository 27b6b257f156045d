import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readColumn } from "../../core/corpus/columns.ts";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { RitbenchError } from "../../core/errors.ts";
import type { Fingerprint } from "../../core/fingerprint.ts";
import type { ChunkHandle, ChunkId, NodeHandle } from "../../core/ids.ts";
import type { Chunk, Chunks } from "../../core/retriever.ts";
import type { Tokenizer } from "../tokenizer/tokenizer.ts";

/** Files of a chunk folder: raw little-endian columns, and the summary that is written last. */
export const chunkFiles = {
  summary: "chunks.json",
  nodes: "nodes.i32",
  starts: "starts.u32",
  ends: "ends.u32",
  tokens: "tokens.u32",
  /** First chunk of every node, and the number of chunks at the end. */
  firsts: "firsts.u32",
} as const;

export interface ChunkSummary {
  schema: "ritbench.chunks/1";
  fingerprint: Fingerprint;
  count: number;
  /** Content pieces of all chunks. */
  tokens: number;
}

/**
 * Opens a chunk folder over the corpus it was cut from. 20 bytes a chunk are held in memory; texts are read
 * from the corpus.
 *
 * @throws RitbenchError E_INDEX_CORRUPT when a file is cut short or belongs to another corpus.
 */
export function openChunks(folder: string, corpus: Corpus, tokenizer: Tokenizer): Chunks {
  const file = (name: string): string => join(folder, name);
  const summary = JSON.parse(readFileSync(file(chunkFiles.summary), "utf8")) as ChunkSummary;
  const column = (name: string, length: number): Uint32Array => {
    const values = readColumn(file(name), Uint32Array);
    if (values.length !== length) throw broken(file(name), length, values.length);
    return values;
  };
  const { count } = summary;
  const nodes = column(chunkFiles.nodes, count);
  const starts = column(chunkFiles.starts, count);
  const ends = column(chunkFiles.ends, count);
  const tokens = column(chunkFiles.tokens, count);
  const firsts = column(chunkFiles.firsts, corpus.nodeCount + 1);
  if (firsts.at(-1) !== count) throw broken(file(chunkFiles.firsts), count, firsts.at(-1) ?? 0);
  let lastNode = -1;
  let lastText = "";

  const node = (chunk: ChunkHandle): NodeHandle => nodes[chunk]! as NodeHandle;
  const textOf = (of: NodeHandle): string => {
    if (of !== lastNode) {
      lastText = corpus.text(of);
      lastNode = of;
    }
    return lastText;
  };
  return {
    fingerprint: summary.fingerprint,
    count,
    node,
    get(chunk): Chunk {
      const owner = node(chunk);
      const ordinal = chunk - firsts[owner]!;
      return {
        handle: chunk,
        id: `${corpus.nodeId(owner)}#${ordinal}` as ChunkId,
        node: owner,
        ordinal,
        start: starts[chunk]!,
        end: ends[chunk]!,
        tokens: tokens[chunk]!,
      };
    },
    text: (chunk) => textOf(node(chunk)).slice(starts[chunk]!, ends[chunk]!),
    find(id) {
      const separator = id.lastIndexOf("#");
      const digits = id.slice(separator + 1);
      if (separator === -1 || !/^(0|[1-9]\d{0,9})$/.test(digits)) return undefined;
      const owner = corpus.findNode(id.slice(0, separator));
      if (owner === undefined) return undefined;
      const chunk = firsts[owner]! + Number(digits);
      return chunk < firsts[owner + 1]! ? (chunk as ChunkHandle) : undefined;
    },
    ofNode: (of) => [firsts[of]! as ChunkHandle, firsts[of + 1]! as ChunkHandle],
    countTokens: (text) => tokenizer.count(text),
  };
}

function broken(path: string, expected: number, got: number): RitbenchError {
  return new RitbenchError("E_INDEX_CORRUPT", "the chunk table is damaged", {
    where: path,
    expected: `${expected} values`,
    got: String(got),
    next: "remove the folder and run `ritbench index` again",
  });
}
