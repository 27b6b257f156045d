import { existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import type { HierarchicalNSW } from "hnswlib-node";
import type { Ranking } from "../bm25/top-k.ts";
import type { DenseIndex } from "./dense-index.ts";
import { innerProduct, ranked, type Scored } from "./rescore.ts";
import { type VectorFile, vectorFiles } from "./vector-file.ts";

/** A8. One thread and a fixed seed: the same vectors give the same file. */
export const hnswParameters = { m: 32, efConstruction: 200, efSearch: 256, seed: 42 } as const;

type HnswModule = typeof import("hnswlib-node");

/** Up to this many allowed rows a filtered search is done exactly: the graph finds few of them. */
const EXACT_BELOW = 50_000;
const POINTS_A_TURN = 256;
const ROWS_A_READ = 1024;

/** The optional package, or undefined where it is not installed or does not load. */
export async function loadHnswModule(): Promise<HnswModule | undefined> {
  try {
    const module = (await import("hnswlib-node")) as HnswModule & { default?: HnswModule };
    return module.default ?? module;
  } catch {
    return undefined;
  }
}

/** Builds the graph beside the vectors. Not resumable: an interrupted build starts again. */
export async function buildHnsw(
  folder: string,
  file: VectorFile,
  hnsw: HnswModule,
  options: {
    signal?: AbortSignal | undefined;
    progress?: ((done: number) => void) | undefined;
  } = {},
): Promise<void> {
  const { count, dimensions } = file.summary;
  const { m, efConstruction, seed } = hnswParameters;
  const graph = new hnsw.HierarchicalNSW("ip", dimensions);
  graph.initIndex(count, m, efConstruction, seed);
  const row = new Float32Array(dimensions);
  for (let label = 0; label < count; label++) {
    if (label % POINTS_A_TURN === 0) {
      options.progress?.(label);
      await setImmediate();
      options.signal?.throwIfAborted();
    }
    file.read(label, 1, row, dimensions);
    graph.addPoint(Array.from(row), label);
  }
  await graph.writeIndex(join(folder, vectorFiles.hnsw));
}

export function hasHnsw(folder: string): boolean {
  return existsSync(join(folder, vectorFiles.hnsw));
}

/**
 * Opens the graph. The vectors stay on disk; those of the candidates are read to score them as the flat index
 * does, so that scores and ties are the same. A filter that lets few rows pass is searched exactly.
 */
export async function openHnswIndex(
  folder: string,
  file: VectorFile,
  hnsw: HnswModule,
): Promise<DenseIndex> {
  const { count, dimensions } = file.summary;
  const graph: HierarchicalNSW = new hnsw.HierarchicalNSW("ip", dimensions);
  await graph.readIndex(join(folder, vectorFiles.hnsw));
  const row = new Float32Array(dimensions);

  const scored = (label: number, query: Float32Array): Scored => {
    file.read(label, 1, row, dimensions);
    return { row: label, score: innerProduct(query, row, 0) };
  };

  function search(query: Float32Array, k: number, allowed?: Uint8Array): Ranking {
    const candidatesCount = allowed === undefined ? count : countAllowed(allowed);
    const wanted = Math.min(k, candidatesCount);
    if (wanted === 0) return { chunks: new Uint32Array(0), scores: new Float64Array(0) };
    if (allowed !== undefined && candidatesCount <= EXACT_BELOW)
      return exact(query, wanted, allowed);
    // All that the graph looked at, so that the cut falls after the scoring: ties at it are then settled by handle.
    const ef = Math.min(candidatesCount, Math.max(hnswParameters.efSearch, wanted));
    graph.setEf(Math.max(hnswParameters.efSearch, ef));
    const filter = allowed === undefined ? undefined : (label: number) => allowed[label] === 1;
    const { neighbors } = graph.searchKnn(Array.from(query), ef, filter);
    if (neighbors.length < wanted && allowed !== undefined) return exact(query, wanted, allowed);
    return ranked(
      neighbors.map((label) => scored(label, query)),
      wanted,
    );
  }

  function exact(query: Float32Array, wanted: number, allowed: Uint8Array): Ranking {
    const found: Scored[] = [];
    const block = new Float32Array(ROWS_A_READ * dimensions);
    for (let from = 0; from < count; from += ROWS_A_READ) {
      const to = Math.min(count, from + ROWS_A_READ);
      if (!allowed.subarray(from, to).includes(1)) continue;
      file.read(from, to - from, block, dimensions);
      for (let label = from; label < to; label++) {
        if (allowed[label] !== 1) continue;
        found.push({ row: label, score: innerProduct(query, block, (label - from) * dimensions) });
      }
    }
    return ranked(found, wanted);
  }

  return {
    kind: "hnsw",
    kernel: "hnswlib",
    count,
    dimensions,
    search,
    close: () => file.close(),
  };
}

function countAllowed(allowed: Uint8Array): number {
  let count = 0;
  for (const flag of allowed) count += flag;
  return count;
}
