import { createHash } from "node:crypto";
import { fingerprint } from "../../core/fingerprint.ts";
import type { VectorSource } from "./vector-source.ts";

const DIMENSIONS = 512;
/** Features of words up to this length weigh little: mostly function words. */
const SHORT_WORD = 3;
const SHORT_WEIGHT = 0.3;
const TEXTS_A_TURN = 256;

/**
 * `offline:hashing`: a bag of lower-case words hashed to 512 signed dimensions, (1 + ln tf) each. It knows
 * spelling and no meaning: no semantic model, but the same everywhere, without weights or network.
 */
export function hashingSource(): VectorSource {
  const slots = new Map<string, number>();

  function slotOf(word: string): number {
    const known = slots.get(word);
    if (known !== undefined) return known;
    const slot = createHash("sha256").update(word).digest().readInt32LE(0);
    if (slots.size > 500_000) slots.clear();
    slots.set(word, slot);
    return slot;
  }

  function encodeText(text: string): Float32Array {
    const counts = new Map<string, number>();
    for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const vector = new Float32Array(DIMENSIONS);
    for (const [word, count] of counts) {
      const slot = slotOf(word);
      const weight = (1 + Math.log(count)) * (word.length <= SHORT_WORD ? SHORT_WEIGHT : 1);
      vector[(slot >>> 1) % DIMENSIONS]! += slot & 1 ? weight : -weight;
    }
    return vector;
  }

  return {
    id: "offline:hashing",
    fingerprint: fingerprint({ embedder: "offline:hashing", version: 1 }),
    dimensions: DIMENSIONS,
    uncached: true,
    async encode(texts, onVector, signal) {
      for (const [index, text] of texts.entries()) {
        if (index % TEXTS_A_TURN === 0) {
          await new Promise(setImmediate);
          signal?.throwIfAborted();
        }
        onVector(index, encodeText(text));
      }
    },
    close: async () => {},
  };
}
