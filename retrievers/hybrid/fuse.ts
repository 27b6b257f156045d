import type { ChunkHandle } from "../../core/ids.ts";
import type { Hit } from "../../core/retriever.ts";
import type { Ranking } from "../bm25/top-k.ts";

/** The constant of reciprocal rank fusion (App. B.1). */
export const DEFAULT_KAPPA = 60;

type Draft = Omit<Hit, "rank">;

/**
 * Reciprocal rank fusion: the sum of 1 / (kappa + rank) over the lists, ranks from 1, nothing for a list that
 * lacks the chunk. Total order (A6): score, then best single rank, then dense score, then chunk order; so the
 * result does not depend on the order in which chunks were met.
 */
export function fuse(bm25: Ranking, dense: Ranking, k: number, kappa = DEFAULT_KAPPA): Hit[] {
  const drafts = new Map<number, Draft>();
  for (const [index, chunk] of bm25.chunks.entries()) {
    const rankBm25 = index + 1;
    drafts.set(chunk, {
      chunk: chunk as ChunkHandle,
      score: 1 / (kappa + rankBm25),
      rankBm25,
      scoreBm25: bm25.scores[index]!,
    });
  }
  for (const [index, chunk] of dense.chunks.entries()) {
    const rankDense = index + 1;
    const draft = drafts.get(chunk) ?? { chunk: chunk as ChunkHandle, score: 0 };
    drafts.set(chunk, {
      ...draft,
      score: draft.score + 1 / (kappa + rankDense),
      rankDense,
      scoreDense: dense.scores[index]!,
    });
  }
  return Array.from(drafts.values())
    .sort(byTotalOrder)
    .slice(0, k)
    .map((draft, index) => ({ ...draft, rank: index + 1 }));
}

function byTotalOrder(a: Draft, b: Draft): number {
  return (
    b.score - a.score ||
    bestRank(a) - bestRank(b) ||
    denseScore(b) - denseScore(a) ||
    a.chunk - b.chunk
  );
}

function bestRank({ rankBm25, rankDense }: Draft): number {
  return Math.min(rankBm25 ?? Number.MAX_SAFE_INTEGER, rankDense ?? Number.MAX_SAFE_INTEGER);
}

/** Inner products of unit vectors lie in -1..1; a chunk that dense search did not give comes last. */
function denseScore({ scoreDense }: Draft): number {
  return scoreDense ?? -2;
}
