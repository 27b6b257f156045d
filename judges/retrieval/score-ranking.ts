import type { EvidenceMatcher, ReadExtent } from "../../core/evidence/matcher.ts";
import type { EvidenceSet } from "../../core/question.ts";
import { type RankingMetrics, rankingMetrics } from "./metrics.ts";

/** One question's ranking at one cut. */
export interface RankingScore extends RankingMetrics {
  k: number;
  /** Whether a chunk of a gold document is among the first k. */
  documentHit: boolean;
}

/**
 * Scores a ranking at several cuts against the evidence set it meets best at that cut (A12: recall, then precision,
 * then order). Undefined when no gold unit lies in the corpus: such a question has nothing to find.
 */
export function scoreRanking(
  matcher: EvidenceMatcher,
  ranking: readonly ReadExtent[],
  sets: readonly EvidenceSet[],
  cuts: readonly number[],
): RankingScore[] | undefined {
  const golden = sets
    .map(({ units }) => units.filter((unit) => matcher.resolve(unit).resolved))
    .filter((units) => units.length > 0)
    .map((units) => ({
      unitCount: units.length,
      documents: new Set(units.map((unit) => matcher.documentOf(unit))),
      covered: ranking.map((chunk) =>
        units.flatMap((unit, index) => (matcher.covers(chunk, unit) ? [index] : [])),
      ),
    }));
  if (golden.length === 0) return undefined;
  return cuts.map((k) => {
    const scored = golden.map(({ covered, unitCount, documents }) => ({
      k,
      ...rankingMetrics(covered, unitCount, k),
      documentHit: ranking.slice(0, k).some(({ documentId }) => documents.has(documentId)),
    }));
    return scored.reduce((best, next) =>
      next.recall > best.recall || (next.recall === best.recall && next.precision > best.precision)
        ? next
        : best,
    );
  });
}

/** Means over questions at one cut; every field is null without questions. */
export interface MeanRankingScore {
  k: number;
  n: number;
  precision: number | null;
  recall: number | null;
  mrr: number | null;
  ndcg: number | null;
  documentHit: number | null;
}

/** Averages questions at one cut. */
export function meanRankingScore(k: number, scores: readonly RankingScore[]): MeanRankingScore {
  const n = scores.length;
  const mean = (value: (score: RankingScore) => number): number | null =>
    n === 0 ? null : scores.reduce((sum, score) => sum + value(score), 0) / n;
  return {
    k,
    n,
    precision: mean(({ precision }) => precision),
    recall: mean(({ recall }) => recall),
    mrr: mean(({ reciprocalRank }) => reciprocalRank),
    ndcg: mean(({ ndcg }) => ndcg),
    documentHit: mean(({ documentHit }) => (documentHit ? 1 : 0)),
  };
}
