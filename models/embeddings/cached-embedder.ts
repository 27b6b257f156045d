import type { Embedder } from "../../core/method.ts";
import { type TextKind, type VectorCache, vectorKey } from "./vector-cache.ts";
import { unitVector, type VectorSource } from "./vector-source.ts";

/** `encoded` is false for a vector that came from the cache, or that another text of the same words brought. */
export type OnEmbedded = (index: number, vector: Float32Array, encoded: boolean) => void;

/** An embedder whose vectors are kept: no text is encoded twice, whatever the corpus, the process or the run. */
export interface CachedEmbedder extends Embedder {
  /** Like `embed`, vector by vector as they arrive. */
  embedEach(texts: readonly string[], onEmbedded: OnEmbedded, signal?: AbortSignal): Promise<void>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Texts encoded by this object, for tests and reports. */
  readonly encodedCount: number;
  close(): Promise<void>;
}

/** A text that is not in the cache, and where it stands in the call. */
interface Wanted {
  name: string;
  key: Buffer;
  text: string;
  indexes: number[];
}

const PROBE = "dimensions";

/**
 * Puts the cache before a source. Vectors are stored as they arrive, so a killed process loses those in
 * flight and no more; the same text asked for twice at once is encoded once. The cache is the caller's to close.
 */
export async function cachedEmbedder(
  source: VectorSource,
  cache: VectorCache,
  signal?: AbortSignal,
): Promise<CachedEmbedder> {
  const inFlight = new Map<string, Promise<Float32Array>>();
  let dimensions = source.dimensions;
  let encodedCount = 0;

  function checked(values: Float32Array): Float32Array {
    const vector = unitVector(values, source.id, dimensions);
    dimensions ??= vector.length;
    encodedCount++;
    return vector;
  }

  async function embedEach(
    texts: readonly string[],
    onEmbedded: OnEmbedded,
    abort?: AbortSignal,
  ): Promise<void> {
    abort?.throwIfAborted();
    const waiting = new Map<string, Wanted>();
    for (const [index, text] of texts.entries()) {
      const key = keyOf("passage", text);
      const known = cache.get(key);
      if (known !== undefined) {
        onEmbedded(index, known, false);
        continue;
      }
      const name = key.toString("latin1");
      const entry = waiting.get(name) ?? { name, key, text, indexes: [] };
      entry.indexes.push(index);
      waiting.set(name, entry);
    }
    const others: Promise<void>[] = [];
    const own: Wanted[] = [];
    for (const [name, entry] of waiting) {
      const running = inFlight.get(name);
      if (running === undefined) own.push(entry);
      else {
        const share = (vector: Float32Array) => {
          for (const index of entry.indexes) onEmbedded(index, vector, false);
        };
        // When the other caller gives up, the text is encoded here after all.
        const orOwn = async () => share((await embed([entry.text], abort))[0]!);
        others.push(running.then(share, orOwn));
      }
    }
    await Promise.all([encodeOwn(own, onEmbedded, abort), ...others]);
  }

  async function encodeOwn(
    own: readonly Wanted[],
    onEmbedded: OnEmbedded,
    abort?: AbortSignal,
  ): Promise<void> {
    if (own.length === 0) return;
    const settle = own.map(({ name }) => announce(name));
    const open = new Set(own.keys());
    const writes: Promise<void>[] = [];
    try {
      await source.encode(
        own.map(({ text }) => text),
        (position, values) => {
          const { key, indexes, name } = own[position]!;
          const vector = checked(values);
          settle[position]!.resolve(vector);
          open.delete(position);
          // Until it can be read back, others get it from here.
          const write = cache.put(key, vector).finally(() => inFlight.delete(name));
          write.catch(() => {});
          writes.push(write);
          for (const [nth, index] of indexes.entries()) onEmbedded(index, vector, nth === 0);
        },
        abort,
      );
    } finally {
      for (const position of open) {
        inFlight.delete(own[position]!.name);
        settle[position]!.reject(new Error("encoding was given up"));
      }
      await Promise.all(writes);
    }
  }

  /** Tells other callers that a text is being encoded. */
  function announce(name: string) {
    let resolve!: (vector: Float32Array) => void;
    let reject!: (reason: Error) => void;
    const promise = new Promise<Float32Array>((onResolve, onReject) => {
      resolve = onResolve;
      reject = onReject;
    });
    promise.catch(() => {});
    inFlight.set(name, promise);
    return { resolve, reject };
  }

  async function embed(texts: readonly string[], abort?: AbortSignal): Promise<Float32Array[]> {
    const vectors = new Array<Float32Array>(texts.length);
    await embedEach(
      texts,
      (index, vector) => {
        vectors[index] = vector;
      },
      abort,
    );
    return vectors;
  }

  async function embedQuery(text: string, abort?: AbortSignal): Promise<Float32Array> {
    if (source.encodeQuery === undefined) return (await embed([text], abort))[0]!;
    const key = keyOf("query", text);
    const known = cache.get(key);
    if (known !== undefined) return known;
    const vector = checked(await source.encodeQuery(text, abort));
    await cache.put(key, vector);
    return vector;
  }

  function keyOf(kind: TextKind, text: string): Buffer {
    return vectorKey(source.fingerprint, kind, text);
  }

  dimensions ??= (await embed([PROBE], signal))[0]!.length;
  return {
    id: source.id,
    fingerprint: source.fingerprint,
    dimensions,
    embed,
    embedQuery,
    embedEach,
    get encodedCount() {
      return encodedCount;
    },
    close: () => source.close(),
  };
}
