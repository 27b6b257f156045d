import { RitbenchError } from "../../core/errors.ts";
import { type AnalyzerConfig, createAnalyzer, DEFAULT_ANALYZER } from "../analyzer/analyzer.ts";
import { createByteScanner } from "../analyzer/byte-scanner.ts";
import { createTermTable } from "../analyzer/term-table.ts";
import { type BlockStore, createBlockStore } from "./block-store.ts";
import { type Bm25Index, createBm25Index } from "./bm25-index.ts";
import { bytesOf } from "./bytes.ts";
import { writeIndexFile } from "./index-file.ts";
import { createPostingBuffer } from "./postings.ts";
import { type Bm25Parameters, DEFAULT_BM25 } from "./scoring.ts";

/** Texts in chunk order, as strings or UTF-8. */
export type Texts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export interface Bm25Options {
  /** Default: lower-case words, see `DEFAULT_ANALYZER`. */
  analyzer?: AnalyzerConfig;
  parameters?: Partial<Bm25Parameters>;
  /** Fingerprint of the texts; stored, and compared by `openBm25`. */
  source?: string;
}

export interface Bm25FileOptions extends Bm25Options {
  /** Memory for postings, in MB, before they are parked on disk and merged at the end; default 512. */
  memoryMb?: number;
}

export interface Bm25Summary {
  chunks: number;
  /** Terms over all chunks, repeats counted. */
  tokens: number;
  terms: number;
  postings: number;
  /** Blocks parked on disk; 0 when everything fitted into memory. */
  blocks: number;
}

const DEFAULT_MEMORY_MB = 512;
/** Held (5 bytes) and inverted (5 bytes) at the same time while a block is made. */
const BYTES_PER_POSTING = 10;

/**
 * Builds an index in memory, for small corpora and measurements: about 10 bytes per posting (distinct
 * term of a chunk) while building, 5 afterwards.
 *
 * @throws RitbenchError E_BM25_PARAMETERS
 */
export async function buildBm25(texts: Texts, options: Bm25Options = {}): Promise<Bm25Index> {
  const collector = createCollector(options);
  for await (const text of texts) collector.add(collector.scan(text));
  const { counts, chunks, tfs } = collector.postings.take(collector.terms.size);
  return createBm25Index({ ...collector.head(), frequencies: counts, chunks, tfs });
}

/**
 * Builds an index straight into a file. Memory is bounded by `memoryMb` for the postings, plus the
 * vocabulary (about 40 bytes per distinct word) and 4 bytes per chunk. The file appears under its name
 * only when it is complete; a failure leaves nothing behind.
 *
 * @throws RitbenchError E_BM25_PARAMETERS, E_INDEX_WRITE
 */
export async function writeBm25(
  path: string,
  texts: Texts,
  options: Bm25FileOptions = {},
): Promise<Bm25Summary> {
  const budget = (options.memoryMb ?? DEFAULT_MEMORY_MB) * 2 ** 20;
  const capacity = Math.floor(budget / BYTES_PER_POSTING);
  const collector = createCollector(options);
  const { postings, terms } = collector;
  let frequencies = new Uint32Array(0);
  let store: BlockStore | undefined;

  function take() {
    const block = postings.take(terms.size);
    const sums = block.counts.slice();
    for (let term = 0; term < frequencies.length; term++) sums[term]! += frequencies[term]!;
    frequencies = sums;
    return block;
  }

  try {
    for await (const text of texts) {
      const count = collector.scan(text);
      if (postings.size > 0 && postings.size + count > capacity) {
        store ??= createBlockStore(`${path}.${process.pid}.blocks.tmp`);
        store.park(take());
      }
      collector.add(count);
    }
    const last = take();
    const blocks = store;
    blocks?.park(last);
    writeIndexFile(path, { ...collector.head(), frequencies }, (field, write) =>
      blocks === undefined ? write(bytesOf(last[field])) : blocks.merge(field, terms.size, write),
    );
    return {
      chunks: collector.chunkCount,
      tokens: collector.tokenCount,
      terms: terms.size,
      postings: frequencies.reduce((total, frequency) => total + frequency, 0),
      blocks: store?.count ?? 0,
    };
  } finally {
    store?.close();
  }
}

/** Texts to terms, lengths and postings, one chunk at a time. */
function createCollector(options: Bm25Options) {
  const config = options.analyzer ?? DEFAULT_ANALYZER;
  const parameters = checked({ ...DEFAULT_BM25, ...options.parameters });
  const terms = createTermTable();
  const scanner = createByteScanner(createAnalyzer(config), terms);
  const postings = createPostingBuffer();
  let lengths = new Uint32Array(1 << 10);
  let chunkCount = 0;
  let tokenCount = 0;

  return {
    terms,
    postings,
    get chunkCount() {
      return chunkCount;
    },
    get tokenCount() {
      return tokenCount;
    },
    /** Cuts the next text; returns its number of terms. */
    scan: scanner.scan,
    /** Adds the text just scanned as the next chunk. */
    add(count: number): void {
      if (chunkCount === lengths.length) {
        const grown = new Uint32Array(chunkCount * 2);
        grown.set(lengths);
        lengths = grown;
      }
      lengths[chunkCount++] = count;
      tokenCount += count;
      postings.add(scanner.out, count, terms.size);
    },
    head: () => ({
      analyzer: config,
      parameters,
      ...(options.source === undefined ? {} : { source: options.source }),
      lengths: lengths.slice(0, chunkCount),
      terms: terms.arrays(),
      large: postings.large(),
    }),
  };
}

function checked(parameters: Bm25Parameters): Bm25Parameters {
  const { k1, b } = parameters;
  if (Number.isFinite(k1) && k1 >= 0 && b >= 0 && b <= 1) return parameters;
  throw new RitbenchError("E_BM25_PARAMETERS", "BM25 parameters are out of range", {
    expected: "k1 >= 0 and 0 <= b <= 1",
    got: `k1 ${k1}, b ${b}`,
  });
}
