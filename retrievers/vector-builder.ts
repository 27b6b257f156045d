import type { Fingerprint } from "../core/fingerprint.ts";
import type { ChunkHandle } from "../core/ids.ts";
import type { Chunks } from "../core/retriever.ts";
import type { CachedEmbedder } from "../models/embeddings/cached-embedder.ts";
import { vectorWriter } from "./dense/vector-writer.ts";
import type { IndexProgress } from "./index-progress.ts";

export interface BuildVectorsOptions {
  folder: string;
  fingerprint: Fingerprint;
  embedder: CachedEmbedder;
  chunks: Chunks;
  textOf: (chunk: ChunkHandle) => string;
  progress?: ((progress: IndexProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** Texts in memory at once; sorted by length within. */
const TEXTS_A_WINDOW = 4096;
const PROGRESS_EVERY_MS = 200;

/**
 * Encodes every chunk in windows and writes the rows in chunk order. Vectors go to the embedder's cache as they
 * arrive, so the next start after a kill finds them there.
 */
export async function buildVectors(options: BuildVectorsOptions): Promise<void> {
  const { folder, fingerprint, embedder, chunks, textOf, progress, signal } = options;
  const writer = vectorWriter(folder, embedder.dimensions);
  const meter = rateMeter(chunks.count, progress);
  try {
    for (let from = 0; from < chunks.count; from += TEXTS_A_WINDOW) {
      const length = Math.min(TEXTS_A_WINDOW, chunks.count - from);
      const texts = Array.from({ length }, (_, i) => textOf((from + i) as ChunkHandle));
      const rows = new Array<Float32Array>(length);
      meter.loaded(texts);
      await embedder.embedEach(
        texts,
        (index, vector, encoded) => {
          rows[index] = vector;
          meter.count(texts[index]!, encoded);
        },
        signal,
      );
      writer.push(rows);
    }
    writer.finish(fingerprint);
    meter.end();
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/**
 * Rate over the texts that were really encoded; those from the cache are only counted as done. The time left is
 * reckoned by characters, since the longest texts of a window come first; what is not loaded yet is taken to be
 * as long as what is.
 */
function rateMeter(total: number, progress: ((progress: IndexProgress) => void) | undefined) {
  const startedMs = performance.now();
  let lastMs = Number.NEGATIVE_INFINITY;
  const loaded = { texts: 0, chars: 0 };
  const done = { texts: 0, chars: 0 };
  const encoded = { texts: 0, chars: 0 };
  function tell(nowMs: number): void {
    lastMs = nowMs;
    const seconds = (nowMs - startedMs) / 1000;
    const charsInAll = loaded.texts === 0 ? 0 : (loaded.chars / loaded.texts) * total;
    const charsLeft = done.texts === total ? 0 : Math.max(0, charsInAll - done.chars);
    progress?.({
      part: "vectors",
      unit: "texts",
      done: done.texts,
      total,
      ratePerSecond: encoded.texts === 0 ? null : encoded.texts / seconds,
      etaSeconds: encoded.chars === 0 ? null : (charsLeft * seconds) / encoded.chars,
    });
  }
  return {
    loaded(texts: readonly string[]): void {
      loaded.texts += texts.length;
      for (const { length } of texts) loaded.chars += length;
    },
    count({ length }: string, wasEncoded: boolean): void {
      done.texts++;
      done.chars += length;
      if (wasEncoded) {
        encoded.texts++;
        encoded.chars += length;
      }
      const nowMs = performance.now();
      if (nowMs - lastMs >= PROGRESS_EVERY_MS) tell(nowMs);
    },
    end: () => tell(performance.now()),
  };
}
