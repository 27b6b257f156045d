import type { ChunkHandle } from "../../core/ids.ts";
import type { Chunks, Hit } from "../../core/retriever.ts";

/** A chunk with its fused score, 0..1. */
export interface ScoredChunk {
  chunk: ChunkHandle;
  score: number;
}

/** How much each list counts, as the model gave it. */
export interface Weights {
  semantic: number;
  exact: number;
}

/** Min-max to 0..1; every chunk of a list whose scores are all equal gets 1 (notes 5.3). */
export function normalise(list: readonly Pick<Hit, "chunk" | "score">[]): Map<ChunkHandle, number> {
  const scores = list.map(({ score }) => score);
  const low = Math.min(...scores);
  const range = Math.max(...scores) - low;
  return new Map(list.map(({ chunk, score }) => [chunk, range === 0 ? 1 : (score - low) / range]));
}

/** Shares that sum to 1: negative weights count as 0, and two zeros, or none given, as a half each. */
export function weightShares(weights: Weights | undefined): Weights {
  const semantic = Math.max(0, weights?.semantic ?? 0);
  const exact = Math.max(0, weights?.exact ?? 0);
  const larger = Math.max(semantic, exact);
  if (larger === 0) return { semantic: 0.5, exact: 0.5 };
  // By the larger one first: the sum of two very large numbers is no number.
  const sum = semantic / larger + exact / larger;
  return { semantic: semantic / larger / sum, exact: exact / larger / sum };
}

/**
 * Blends the lists of one search by normalised scores, never by raw ones; a chunk that a list lacks has 0 there.
 * A list that was not asked for (undefined) leaves the other alone, whatever the weights.
 */
export function fuseLists(
  semantic: readonly Hit[] | undefined,
  exact: readonly Hit[] | undefined,
  weights: Weights | undefined,
  chunks: Pick<Chunks, "get">,
): ScoredChunk[] {
  const shares =
    semantic === undefined
      ? { semantic: 0, exact: 1 }
      : exact === undefined
        ? { semantic: 1, exact: 0 }
        : weightShares(weights);
  const byMeaning = normalise(semantic ?? []);
  const byWords = normalise(exact ?? []);
  const found = [...new Set([...byMeaning.keys(), ...byWords.keys()])];
  return inOrder(
    found.map((chunk) => ({
      chunk,
      score:
        shares.semantic * (byMeaning.get(chunk) ?? 0) + shares.exact * (byWords.get(chunk) ?? 0),
    })),
    chunks,
  );
}

/** Best first; ties by chunk id, as text. */
export function inOrder(
  scored: readonly ScoredChunk[],
  chunks: Pick<Chunks, "get">,
): ScoredChunk[] {
  const withIds = scored.map((entry) => ({ entry, id: chunks.get(entry.chunk).id }));
  withIds.sort((a, b) => b.entry.score - a.entry.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  return withIds.map(({ entry }) => entry);
}
