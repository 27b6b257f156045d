import type { ChunkHandle, NodeHandle } from "../../core/ids.ts";
import type { Hit } from "../../core/retriever.ts";

export interface ScoredNode {
  node: NodeHandle;
  /** s(v): the best fused score of the node's retrieved chunks (Eq. 1). */
  score: number;
  /** Rank of that chunk. */
  rank: number;
}

/**
 * The `n` best nodes of a ranking, best first (Eq. 1 and the cut of section 4). Nodes with equal scores follow
 * the ranks of their best chunks, which the retriever orders totally (A6), so exactly `n` nodes remain where
 * there are as many.
 */
export function topNodes(
  hits: readonly Hit[],
  nodeOf: (chunk: ChunkHandle) => NodeHandle,
  n: number,
): ScoredNode[] {
  const best = new Map<NodeHandle, ScoredNode>();
  for (const { chunk, score, rank } of hits) {
    const node = nodeOf(chunk);
    const current = best.get(node);
    if (current === undefined || precedes({ node, score, rank }, current)) {
      best.set(node, { node, score, rank });
    }
  }
  return [...best.values()]
    .sort((a, b) => (precedes(a, b) ? -1 : precedes(b, a) ? 1 : a.node - b.node))
    .slice(0, n);
}

function precedes(a: ScoredNode, b: ScoredNode): boolean {
  return a.score > b.score || (a.score === b.score && a.rank < b.rank);
}
