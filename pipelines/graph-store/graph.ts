import type { Embedder } from "../../core/method.ts";
import type { GraphChunk } from "../graph-chunks/index.ts";
import { withinTokens } from "../graph-records/token-cut.ts";
import type { Tables } from "./tables.ts";
import type { Near, VectorStore } from "./vectors.ts";

/** Table of a graph that holds its {@link GraphChunk}s, by {@link chunkKey}. */
export const CHUNK_TABLE = "chunk";

export function chunkKey(position: number): string {
  return String(position).padStart(10, "0");
}

/** Cosine that a record has to pass to be found at all (notes 7.1, 8.1). */
const COSINE_FLOOR = 0.2;

/** A built graph, read from disk; its vectors lie in memory. */
export interface Graph {
  readonly tables: Tables;
  /** Why the graph should not be trusted, where it should not. */
  readonly mark: string | undefined;
  /** Records of an embedded table near a text. */
  near(table: string, query: string, k: number, signal: AbortSignal): Promise<Near[]>;
  close(): Promise<void>;
}

export function createGraph(parts: {
  tables: Tables;
  vectors: ReadonlyMap<string, VectorStore>;
  embedder: Embedder;
  mark: string | undefined;
}): Graph {
  const { tables, vectors, embedder, mark } = parts;
  return {
    tables,
    mark,
    async near(table, query, k, signal) {
      const vector = await (embedder.embedQuery?.(query, signal) ??
        embedder.embed([query], signal));
      const row = Array.isArray(vector) ? vector[0]! : vector;
      return vectors.get(table)!.search(row, k, COSINE_FLOOR);
    },
    async close() {
      for (const store of vectors.values()) store.close();
      await tables.close();
    },
  };
}

/** Ids of the chunks that a record comes from. */
export function chunkIdsOf(tables: Pick<Tables, "get">, sources: readonly number[]): string[] {
  return sources.flatMap((position) => chunkAt(tables, position)?.id ?? []);
}

function chunkAt(tables: Pick<Tables, "get">, position: number): GraphChunk | undefined {
  return tables.get<GraphChunk>(CHUNK_TABLE, chunkKey(position));
}

/** A record's chunks, and in how many of its neighbours a chunk stands too. */
export interface Sourced {
  sources: readonly number[];
  neighbours: readonly { sources: readonly number[] }[];
}

/**
 * Positions of the chunks that ranked records come from: by the best record's rank, then by how many neighbours of
 * that record share the chunk, then in document order.
 */
export function rankedSources(records: readonly Sourced[]): number[] {
  const seen = new Set<number>();
  return records.flatMap(({ sources, neighbours }) => {
    const fresh = sources.filter((position) => !seen.has(position) && seen.add(position));
    const shared = new Map(fresh.map((position) => [position, 0]));
    for (const neighbour of neighbours) {
      for (const position of neighbour.sources) {
        const count = shared.get(position);
        if (count !== undefined) shared.set(position, count + 1);
      }
    }
    return fresh.sort((a, b) => shared.get(b)! - shared.get(a)! || a - b);
  });
}

/** The leading chunks at these positions that fit into the budget together; repeats and missing ones are passed over. */
export function sourceChunks(
  { tables }: Pick<Graph, "tables">,
  positions: readonly number[],
  limitTokens: number,
): GraphChunk[] {
  const chunks = [...new Set(positions)].flatMap((position) => chunkAt(tables, position) ?? []);
  return withinTokens(chunks, ({ text }) => text, limitTokens);
}
