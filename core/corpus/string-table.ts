/**
 * Strings by index in one block of UTF-8 bytes, with an open-addressing hash for the way back: a few bytes
 * of overhead a string, where a Map of a million ids would take hundreds of megabytes.
 */
export interface StringTable {
  readonly count: number;
  get(index: number): string;
  /** Index of an exact string, or -1. */
  indexOf(text: string): number;
}

/** `offsets` has count + 1 entries into `bytes`. Distinct strings are assumed when looking one up. */
export function stringTable(bytes: Uint8Array, offsets: Float64Array): StringTable {
  const count = offsets.length - 1;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let slots: Int32Array | undefined;

  function buildSlots(): Int32Array {
    let capacity = 16;
    while (capacity < count * 2) capacity *= 2;
    const table = new Int32Array(capacity).fill(-1);
    for (let index = 0; index < count; index++) {
      let slot = hash(buffer, offsets[index]!, offsets[index + 1]!) & (capacity - 1);
      while (table[slot] !== -1) slot = (slot + 1) & (capacity - 1);
      table[slot] = index;
    }
    return table;
  }

  return {
    count,
    get: (index) => buffer.toString("utf8", offsets[index]!, offsets[index + 1]!),
    indexOf(text) {
      slots ??= buildSlots();
      const wanted = Buffer.from(text, "utf8");
      let slot = hash(wanted, 0, wanted.length) & (slots.length - 1);
      for (;;) {
        const index = slots[slot]!;
        if (index === -1) return -1;
        if (wanted.compare(buffer, offsets[index]!, offsets[index + 1]!) === 0) return index;
        slot = (slot + 1) & (slots.length - 1);
      }
    },
  };
}

/** FNV-1a over a byte range. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
