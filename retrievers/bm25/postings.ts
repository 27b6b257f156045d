/** Term frequencies are stored in a byte; this value says that the true one stands in `large`. */
export const LARGE_TF = 255;

/** Inverted lists of a range of chunks, sorted by term, then chunk. Flat arrays, no object per posting. */
export interface PostingBlock {
  /** Number of postings of each term; terms that appeared later have none. */
  counts: Uint32Array;
  /** Chunk of each posting. */
  chunks: Uint32Array;
  /** Term frequency of each posting, at most {@link LARGE_TF}. */
  tfs: Uint8Array;
}

export interface PostingBuffer {
  /** Postings held since the last `take`. */
  readonly size: number;
  /** Adds the next chunk: `count` term ids with repeats. Ids are below `termCount`. */
  add(terms: Uint32Array, count: number, termCount: number): void;
  /** The held postings, inverted; the buffer is empty afterwards. */
  take(termCount: number): PostingBlock;
  /** Term frequencies of {@link LARGE_TF} and more since the start: term, chunk, frequency, by chunk. */
  large(): Uint32Array;
}

/** Collects postings in reading order (one entry per chunk and distinct term) and inverts them by counting. */
export function createPostingBuffer(): PostingBuffer {
  let terms = new Uint32Array(1 << 16);
  let tfs = new Uint8Array(1 << 16);
  let size = 0;
  /** End of each held chunk in `terms`. */
  let ends = new Uint32Array(1 << 10);
  let held = 0;
  let firstChunk = 0;
  /** Where the term was last put; meaningful when it lies within the current chunk. */
  let last = new Int32Array(1 << 12).fill(-1);
  const large: number[] = [];
  const largeInChunk = new Map<number, number>();

  function countLarge(term: number): void {
    const at = largeInChunk.get(term);
    if (at !== undefined) large[at]!++;
    else {
      largeInChunk.set(term, large.length + 2);
      large.push(term, firstChunk + held, LARGE_TF);
    }
  }

  return {
    get size() {
      return size;
    },
    add(ids, count, termCount) {
      if (size + count > terms.length) {
        const length = Math.max(Math.ceil(terms.length * 1.5), size + count);
        terms = copyInto(terms, new Uint32Array(length));
        tfs = copyInto(tfs, new Uint8Array(length));
      }
      if (termCount > last.length) {
        const grown = new Int32Array(Math.max(last.length * 2, termCount));
        grown.fill(-1, last.length);
        last = copyInto(last, grown);
      }
      if (held === ends.length) ends = copyInto(ends, new Uint32Array(held * 2));
      if (largeInChunk.size > 0) largeInChunk.clear();
      const start = size;
      for (let i = 0; i < count; i++) {
        const term = ids[i]!;
        const at = last[term]!;
        if (at < start) {
          last[term] = size;
          terms[size] = term;
          tfs[size] = 1;
          size++;
        } else if (tfs[at]! < LARGE_TF - 1) tfs[at]!++;
        else {
          tfs[at] = LARGE_TF;
          countLarge(term);
        }
      }
      ends[held++] = size;
    },
    take(termCount) {
      const counts = new Uint32Array(termCount);
      for (let i = 0; i < size; i++) counts[terms[i]!]!++;
      const next = new Uint32Array(termCount);
      for (let term = 1; term < termCount; term++) next[term] = next[term - 1]! + counts[term - 1]!;
      const chunks = new Uint32Array(size);
      const frequencies = new Uint8Array(size);
      for (let chunk = 0, i = 0; chunk < held; chunk++) {
        for (const end = ends[chunk]!; i < end; i++) {
          const to = next[terms[i]!]!++;
          chunks[to] = firstChunk + chunk;
          frequencies[to] = tfs[i]!;
        }
      }
      firstChunk += held;
      held = 0;
      size = 0;
      last.fill(-1);
      return { counts, chunks, tfs: frequencies };
    },
    large: () => Uint32Array.from(large),
  };
}

function copyInto<T extends Uint8Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
