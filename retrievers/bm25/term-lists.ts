import { LARGE_TF } from "./postings.ts";

/** The inverted lists of a whole index. */
export interface Postings {
  /** Start of each term's list, plus one closing entry. */
  starts: Float64Array;
  /** Signed, so that handles stay small integers in the inner loops. */
  chunks: Int32Array;
  tfs: Uint8Array;
  /** Frequencies of {@link LARGE_TF} and more: term, chunk, frequency, ... */
  large: Uint32Array;
  /** See `lengthNorms`. */
  norms: Float64Array;
}

/** One term's list, with a directory of its postings by chunk. */
export interface TermList {
  chunks: Int32Array;
  /** Term frequencies: bytes, or full integers for the rare list that holds a large one. */
  tfs: Uint8Array | Uint32Array;
  /** `cuts[chunk >> shift]` = first posting of the chunk's block; one closing entry. Blocks end at window borders. */
  cuts: Int32Array;
  shift: number;
  /** Frequencies by chunk, 0 = absent: kept for a list so long that this is the smaller form. */
  row: Uint8Array | undefined;
  /** Highest saturation `tf / (tf + norm)` in each window, 0 where the term is absent. */
  peaks: Float64Array;
}

/** Blocks are chosen to hold about so many postings each. */
const BLOCK_POSTINGS = 32;
/** Lists that hold more than this part of all chunks get a row. */
const ROW_SHARE = 1 / 4;
/** What is made of lists is kept up to so many bytes, or so many rows where that is more. */
const MAX_KEPT_BYTES = 64 * 2 ** 20;
const MAX_KEPT_ROWS = 64;

/** Gives lists by term; a list is cut and measured at its first use. */
export function createTermLists(
  postings: Postings,
  windowSize: number,
): (term: number) => TermList {
  const { starts, norms } = postings;
  const windowCount = Math.ceil(norms.length / windowSize);
  const large = groupLarge(postings.large);
  const kept = new Map<number, TermList>();
  const maxKeptBytes = Math.max(MAX_KEPT_BYTES, MAX_KEPT_ROWS * norms.length);
  let keptBytes = 0;

  function make(term: number): TermList {
    const chunks = postings.chunks.subarray(starts[term]!, starts[term + 1]!);
    const tfs = widen(
      postings.tfs.subarray(starts[term]!, starts[term + 1]!),
      chunks,
      large.get(term),
    );
    const windowBits = Math.log2(windowSize);
    const perBlock = (norms.length * BLOCK_POSTINGS) / Math.max(1, chunks.length);
    const shift = Math.max(0, Math.min(windowBits, Math.round(Math.log2(perBlock))));
    const cuts = new Int32Array((windowCount << (windowBits - shift)) + 1).fill(chunks.length);
    const peaks = new Float64Array(windowCount);
    let block = -1;
    for (let p = 0; p < chunks.length; p++) {
      const chunk = chunks[p]!;
      for (const at = chunk >> shift; block < at; ) cuts[++block] = p;
      const tf = tfs[p]!;
      const saturation = tf / (tf + norms[chunk]!);
      const window = chunk >> windowBits;
      if (saturation > peaks[window]!) peaks[window] = saturation;
    }
    return { chunks, tfs, row: rowOf(chunks, tfs), cuts, shift, peaks };
  }

  function rowOf(chunks: Int32Array, tfs: Uint8Array | Uint32Array): Uint8Array | undefined {
    if (chunks.length < norms.length * ROW_SHARE || tfs instanceof Uint32Array) return undefined;
    const row = new Uint8Array(norms.length);
    for (let p = 0; p < chunks.length; p++) row[chunks[p]!] = tfs[p]!;
    return row;
  }

  return (term) => {
    let list = kept.get(term);
    if (list === undefined) {
      list = make(term);
      keptBytes += list.cuts.byteLength + list.peaks.byteLength + (list.row?.byteLength ?? 0);
      if (keptBytes > maxKeptBytes) {
        kept.clear();
        keptBytes = 0;
      }
      kept.set(term, list);
    }
    return list;
  };
}

/** Frequency by chunk for each term that has a large one. */
function groupLarge(triples: Uint32Array): Map<number, Map<number, number>> {
  const groups = new Map<number, Map<number, number>>();
  for (let i = 0; i < triples.length; i += 3) {
    const [term, chunk, frequency] = [triples[i]!, triples[i + 1]!, triples[i + 2]!];
    const group = groups.get(term) ?? new Map<number, number>();
    groups.set(term, group.set(chunk, frequency));
  }
  return groups;
}

function widen(
  tfs: Uint8Array,
  chunks: Int32Array,
  large: ReadonlyMap<number, number> | undefined,
): Uint8Array | Uint32Array {
  if (large === undefined) return tfs;
  return Uint32Array.from(tfs, (tf, p) => (tf === LARGE_TF ? large.get(chunks[p]!)! : tf));
}
