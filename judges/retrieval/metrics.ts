/** Retrieval metrics of one ranking at one cut. */
export interface RankingMetrics {
  /** Chunks that cover a gold unit / k. */
  precision: number;
  /** Gold units covered / gold units. */
  recall: number;
  /** 1 / position of the first gold unit; 0 when there is none before the cut. */
  reciprocalRank: number;
  ndcg: number;
}

/**
 * Metrics of the first k ranked chunks. For position-based metrics each chunk stands for the gold units it covers
 * first: a unit's first hit counts, a chunk without a new unit is one miss. nDCG is binary, discounted by
 * log2(position + 1), and its ideal holds all gold units, also those beyond the cut. Equal to trec_eval where chunks
 * and units match one to one and no more than k units exist.
 *
 * @param covered for each ranked chunk, the numbers of the gold units it covers.
 * @param unitCount number of gold units, at least 1.
 */
export function rankingMetrics(
  covered: readonly (readonly number[])[],
  unitCount: number,
  k: number,
): RankingMetrics {
  const cut = covered.slice(0, k);
  const seen = new Set<number>();
  let position = 0;
  let gain = 0;
  let reciprocalRank = 0;
  for (const units of cut) {
    const fresh = units.filter((unit) => !seen.has(unit));
    if (fresh.length === 0) position++;
    for (const unit of fresh) {
      seen.add(unit);
      position++;
      gain += discount(position);
      if (reciprocalRank === 0) reciprocalRank = 1 / position;
    }
  }
  let ideal = 0;
  for (let i = 1; i <= unitCount; i++) ideal += discount(i);
  return {
    precision: cut.filter((units) => units.length > 0).length / k,
    recall: seen.size / unitCount,
    reciprocalRank,
    ndcg: gain / ideal,
  };
}

function discount(position: number): number {
  return 1 / Math.log2(position + 1);
}
