import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { column } from "../../core/corpus/columns.ts";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { RitbenchError } from "../../core/errors.ts";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { Tokenizer } from "../tokenizer/tokenizer.ts";
import { type ChunkSummary, chunkFiles } from "./chunk-table.ts";
import { type CutOptions, cutText } from "./cut.ts";

export const defaultCutOptions: CutOptions = { maxTokens: 512, overlapTokens: 0, snap: "none" };

const SMALLEST_MAX_TOKENS = 16;
/** Nodes between two looks at the abort signal. */
const NODES_A_TURN = 512;

/**
 * The options as they are used: `maxTokens` is lowered to the encoder's window less its special pieces.
 *
 * @throws RitbenchError E_CHUNK_OPTIONS for a size under 16 or an overlap of half the size or more.
 */
export function effectiveCutOptions(
  tokenizer: Tokenizer,
  options: Partial<CutOptions>,
): CutOptions {
  const asked = { ...defaultCutOptions, ...options };
  const maxTokens = Math.min(asked.maxTokens, tokenizer.contentWindow ?? asked.maxTokens);
  const { overlapTokens, snap } = asked;
  if (!Number.isInteger(maxTokens) || maxTokens < SMALLEST_MAX_TOKENS) {
    throw new RitbenchError("E_CHUNK_OPTIONS", "the chunk size is not usable", {
      where: "chunks.maxTokens",
      expected: `a whole number of at least ${SMALLEST_MAX_TOKENS}`,
      got: String(maxTokens),
    });
  }
  if (!Number.isInteger(overlapTokens) || overlapTokens < 0 || overlapTokens * 2 > maxTokens) {
    throw new RitbenchError("E_CHUNK_OPTIONS", "the overlap is not usable", {
      where: "chunks.overlapTokens",
      expected: `a whole number from 0 to half the chunk size (${maxTokens >> 1})`,
      got: String(overlapTokens),
    });
  }
  return { maxTokens, overlapTokens, snap };
}

/** What decides the chunks: the corpus, the tokenizer and how it is cut (section 1.2: key the index by the tree's hash). */
export function chunkFingerprint(
  corpus: Corpus,
  tokenizer: Tokenizer,
  options: CutOptions,
): Fingerprint {
  return fingerprint({
    chunks: 2,
    corpus: corpus.summary.hash,
    tokenizer: tokenizer.fingerprint,
    ...options,
  });
}

export interface BuildChunksOptions {
  corpus: Corpus;
  tokenizer: Tokenizer;
  /** From {@link effectiveCutOptions}. */
  cut: CutOptions;
  /** An empty folder. */
  folder: string;
  signal?: AbortSignal | undefined;
  /** Nodes done of all. */
  progress?: ((done: number, total: number) => void) | undefined;
}

/** Cuts every node's own text and writes the columns; one text is in memory at a time. */
export async function buildChunks(options: BuildChunksOptions): Promise<ChunkSummary> {
  const { corpus, tokenizer, cut, folder, signal, progress } = options;
  const nodes = column((n) => new Int32Array(n));
  const starts = column((n) => new Uint32Array(n));
  const ends = column((n) => new Uint32Array(n));
  const tokens = column((n) => new Uint32Array(n));
  const firsts = column((n) => new Uint32Array(n));
  let totalTokens = 0;
  for (let node = 0; node < corpus.nodeCount; node++) {
    firsts.push(nodes.length);
    if (node % NODES_A_TURN === 0) {
      progress?.(node, corpus.nodeCount);
      await setImmediate();
      signal?.throwIfAborted();
    }
    if (!corpus.readable(node as NodeHandle)) continue;
    for (const slice of cutText(corpus.text(node as NodeHandle), tokenizer, cut)) {
      nodes.push(node);
      starts.push(slice.start);
      ends.push(slice.end);
      tokens.push(slice.tokens);
      totalTokens += slice.tokens;
    }
  }
  firsts.push(nodes.length);
  progress?.(corpus.nodeCount, corpus.nodeCount);
  const summary: ChunkSummary = {
    schema: "ritbench.chunks/1",
    fingerprint: chunkFingerprint(corpus, tokenizer, cut),
    count: nodes.length,
    tokens: totalTokens,
  };
  writeFileSync(join(folder, chunkFiles.nodes), nodes.view());
  writeFileSync(join(folder, chunkFiles.starts), starts.view());
  writeFileSync(join(folder, chunkFiles.ends), ends.view());
  writeFileSync(join(folder, chunkFiles.tokens), tokens.view());
  writeFileSync(join(folder, chunkFiles.firsts), firsts.view());
  writeFileSync(join(folder, chunkFiles.summary), `${JSON.stringify(summary, null, 2)}\n`);
  return summary;
}
