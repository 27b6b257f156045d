import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { open } from "lmdb";
import type { Fingerprint } from "../../core/fingerprint.ts";

/** Vectors on disk by (encoder, text), shared by all corpora and processes, and safe against a kill at any time. */
export interface VectorCache {
  get(key: Buffer): Float32Array | undefined;
  /** Resolves when the vector is on disk; `get` sees it from then on. */
  put(key: Buffer, vector: Float32Array): Promise<void>;
  close(): Promise<void>;
}

/** What a text is encoded as; models may treat the two differently. */
export type TextKind = "passage" | "query";

/** Encoder, kind and text as 20 bytes. */
export function vectorKey(encoder: Fingerprint, kind: TextKind, text: string): Buffer {
  return createHash("sha256").update(`${encoder}\n${kind}\n`).update(text).digest().subarray(0, 20);
}

/** Keeps nothing. */
export const noVectorCache: VectorCache = {
  get: () => undefined,
  put: async () => {},
  close: async () => {},
};

/** Opens (or makes) the cache folder, `<home>/cache/embeddings`. */
export function openVectorCache(folder: string): VectorCache {
  mkdirSync(folder, { recursive: true });
  const store = open<Buffer, Buffer>({
    path: folder,
    encoding: "binary",
    keyEncoding: "binary",
  });
  return {
    get(key) {
      const bytes = store.getBinary(key);
      if (bytes === undefined) return undefined;
      const vector = new Float32Array(bytes.byteLength / 4);
      new Uint8Array(vector.buffer).set(bytes);
      return vector;
    },
    async put(key, vector) {
      await store.put(key, Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength));
    },
    close: () => store.close(),
  };
}
