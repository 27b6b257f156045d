import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";

/** One tree of a sub-forest. */
export interface SubTree {
  root: NodeHandle;
  /** All nodes of the sub-tree in document order, the root first. */
  nodes: readonly NodeHandle[];
}

type Structure = Pick<Corpus, "parent" | "subtreeEnd">;

/**
 * The sub-forest of the selected nodes (section 4): they and all their ancestors, one sub-tree for each tree
 * that has a selected node, rooted at that tree's root, in the order of their best nodes.
 *
 * Handles are positions in document order, so sorting them restores it, and a sub-tree is one run of the
 * sorted handles: O(m log m) for m nodes, whatever the size of the corpus.
 *
 * @param selected best first.
 */
export function induceSubForest(corpus: Structure, selected: readonly NodeHandle[]): SubTree[] {
  const included = new Set<NodeHandle>();
  const roots: NodeHandle[] = [];
  for (const node of selected) {
    let at = node;
    while (!included.has(at)) {
      included.add(at);
      const parent = corpus.parent(at);
      if (parent === -1) {
        roots.push(at);
        break;
      }
      at = parent;
    }
  }
  const sorted = [...included].sort((a, b) => a - b);
  const positions = new Map(sorted.map((node, position) => [node, position]));
  return roots.map((root) => {
    const start = positions.get(root)!;
    const limit = corpus.subtreeEnd(root);
    let end = start;
    while (end < sorted.length && sorted[end]! < limit) end++;
    return { root, nodes: sorted.slice(start, end) };
  });
}
