import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Embedder } from "../../core/method.ts";
import { loadFlatIndex } from "../../retrievers/dense/flat-index.ts";
import { openVectorFile } from "../../retrievers/dense/vector-file.ts";
import { vectorWriter } from "../../retrievers/dense/vector-writer.ts";

/** A record found by its vector. */
export interface Near {
  id: string;
  /** Cosine. */
  score: number;
}

export interface VectorStore {
  /** At most `k` records with a cosine above `floor`, best first, ties by id. */
  search(query: Float32Array, k: number, floor: number): Near[];
  close(): void;
}

/** Texts in memory at once. */
const TEXTS_A_WINDOW = 2048;

export interface VectorTexts {
  folder: string;
  embedder: Embedder;
  count: number;
  texts: () => Iterable<string>;
  signal: AbortSignal;
  progress(done: number, total: number): void;
}

/** Encodes the texts in order into `folder`, which appears only when it is whole. One process at a time. */
export async function writeVectors(request: VectorTexts): Promise<void> {
  const { folder, embedder, count, texts, signal, progress } = request;
  if (existsSync(folder)) return;
  const temporary = `${folder}.tmp`;
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
  const writer = vectorWriter(temporary, embedder.dimensions);
  try {
    let done = 0;
    for (const window of windows(texts())) {
      signal.throwIfAborted();
      writer.push(await embedder.embed(window, signal));
      done += window.length;
      progress(done, count);
    }
  } catch (error) {
    writer.abandon();
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
  writer.finish(fingerprint({ embedder: embedder.fingerprint, count }));
  renameSync(temporary, folder);
}

/** Opens vectors with the ids of their rows. */
export function openVectors(folder: string, ids: readonly string[]): VectorStore {
  const index = loadFlatIndex(openVectorFile(folder));
  return {
    search(query, k, floor) {
      const { chunks: rows, scores } = index.search(query, k);
      return Array.from(rows, (row, i) => ({ id: ids[row]!, score: scores[i]! })).filter(
        ({ score }) => score > floor,
      );
    },
    close: () => index.close(),
  };
}

function* windows(texts: Iterable<string>): Generator<string[]> {
  let window: string[] = [];
  for (const text of texts) {
    window.push(text);
    if (window.length < TEXTS_A_WINDOW) continue;
    yield window;
    window = [];
  }
  if (window.length > 0) yield window;
}
