import type { NodeHandle } from "../../core/ids.ts";

/** Which nodes one question's tables of contents have shown. */
export interface Shown {
  add(nodes: readonly NodeHandle[]): void;
  /** Whether a node may be read (A21): shown by any table of contents, or by the latest where that is asked for. */
  allows(node: NodeHandle): boolean;
}

export function shownNodes(latestOnly: boolean): Shown {
  const allowed = new Set<NodeHandle>();
  return {
    add(nodes) {
      if (latestOnly) allowed.clear();
      for (const node of nodes) allowed.add(node);
    },
    allows: (node) => allowed.has(node),
  };
}
