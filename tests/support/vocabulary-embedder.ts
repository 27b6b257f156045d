import { fingerprint } from "../../core/fingerprint.ts";
import type { Embedder } from "../../core/method.ts";

/** Counts the words of a vocabulary, one dimension each, so that cosines can be worked out by hand. */
export function vocabularyEmbedder(words: readonly string[]): Embedder {
  return {
    id: "toy:vocabulary",
    fingerprint: fingerprint({ vocabulary: words }),
    dimensions: words.length,
    async embed(texts) {
      return texts.map((text) => {
        const found = text.toLowerCase().match(/[a-z]+/g) ?? [];
        const row = words.map((word) => found.filter((one) => one === word).length);
        const norm = Math.hypot(...row) || 1;
        return Float32Array.from(row, (count) => count / norm);
      });
    },
  };
}
