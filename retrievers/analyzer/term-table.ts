/**
 * Byte strings to dense integers: an open-addressing hash over flat arrays, no object per term.
 * Ids are given in order of first appearance. The arrays are what an index stores, so a table comes
 * back from disk without being rebuilt.
 */
export interface TermArrays {
  /** Id + 1 of the term in each slot, 0 = free; the length is a power of two. */
  slots: Uint32Array;
  /** Start of each term in `bytes`, plus one closing entry. */
  starts: Uint32Array;
  /** UTF-8 of all terms, one after the other. */
  bytes: Uint8Array;
}

export interface TermTable {
  readonly size: number;
  /** Id of the term in `bytes[0..length)`; `hash` must be its {@link hashBytes}. Added when it is new. */
  intern(bytes: Uint8Array, length: number, hash: number): number;
  internText(term: string): number;
  /** Id of a term, or -1. */
  find(term: string): number;
  text(id: number): string;
  arrays(): TermArrays;
}

export const HASH_SEED = 0x811c9dc5 | 0;
export const HASH_PRIME = 0x01000193;

/** FNV-1a, 32 bits, as a signed integer. */
export function hashBytes(bytes: Uint8Array, length: number): number {
  let hash = HASH_SEED;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ bytes[i]!, HASH_PRIME);
  return hash;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An empty table, or one over stored arrays (which are copied when a term is added). */
export function createTermTable(stored?: TermArrays): TermTable {
  let slots = stored?.slots ?? new Uint32Array(1 << 12);
  let mask = slots.length - 1;
  let starts = stored?.starts ?? new Uint32Array(1 << 11);
  let bytes = stored?.bytes ?? new Uint8Array(1 << 14);
  let size = stored === undefined ? 0 : starts.length - 1;

  /** Slot that holds the term or the free one where it belongs. */
  function probe(term: Uint8Array, length: number, hash: number): number {
    let slot = spread(hash) & mask;
    for (;;) {
      const entry = slots[slot]!;
      if (entry === 0) return slot;
      const start = starts[entry - 1]!;
      if (starts[entry]! - start === length) {
        let i = 0;
        while (i < length && bytes[start + i] === term[i]) i++;
        if (i === length) return slot;
      }
      slot = (slot + 1) & mask;
    }
  }

  function add(term: Uint8Array, length: number, slot: number): number {
    const start = starts[size]!;
    if (start + length > bytes.length) {
      bytes = grow(bytes, new Uint8Array(Math.max(bytes.length * 2, start + length)));
    }
    for (let i = 0; i < length; i++) bytes[start + i] = term[i]!;
    size++;
    if (size >= starts.length) starts = grow(starts, new Uint32Array(starts.length * 2));
    starts[size] = start + length;
    slots[slot] = size;
    if (size * 2 > slots.length) rehash();
    return size - 1;
  }

  function rehash(): void {
    slots = new Uint32Array(slots.length * 2);
    mask = slots.length - 1;
    for (let id = 0; id < size; id++) {
      const term = bytes.subarray(starts[id]!, starts[id + 1]!);
      let slot = spread(hashBytes(term, term.length)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
  }

  function intern(term: Uint8Array, length: number, hash: number): number {
    const slot = probe(term, length, hash);
    const entry = slots[slot]!;
    return entry === 0 ? add(term, length, slot) : entry - 1;
  }

  return {
    get size() {
      return size;
    },
    intern,
    internText(term) {
      const encoded = encoder.encode(term);
      return intern(encoded, encoded.length, hashBytes(encoded, encoded.length));
    },
    find(term) {
      const encoded = encoder.encode(term);
      return slots[probe(encoded, encoded.length, hashBytes(encoded, encoded.length))]! - 1;
    },
    text: (id) => decoder.decode(bytes.subarray(starts[id]!, starts[id + 1]!)),
    arrays: () => ({
      slots,
      starts: starts.subarray(0, size + 1),
      bytes: bytes.subarray(0, starts[size]!),
    }),
  };
}

/** FNV leaves its best bits on top; fold them into the ones the mask looks at. */
function spread(hash: number): number {
  return hash ^ (hash >>> 15);
}

function grow<T extends Uint8Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
