import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { TreeNode } from "./page-data.ts";

/** Collects the nodes a page speaks of and lays them out as trees. */
export interface NodeTable {
  add(id: string): void;
  /** Nodes in document order with all their ancestors; without a corpus, one flat list in the order of `add`. */
  finish(): { nodes: TreeNode[]; indexOf(id: string): number | undefined };
}

/** @param corpus where titles and parents come from; undefined = ids alone. */
export function createNodeTable(corpus: Corpus | undefined): NodeTable {
  const handles = new Set<NodeHandle>();
  const strangers = new Set<string>();
  return {
    add(id) {
      const node = corpus?.findNode(id);
      if (corpus === undefined || node === undefined) {
        strangers.add(id);
        return;
      }
      for (const ancestor of corpus.ancestors(node)) handles.add(ancestor);
      handles.add(node);
    },
    finish() {
      const ordered = [...handles].sort((a, b) => a - b);
      const positions = new Map(ordered.map((node, index) => [node, index]));
      const known = ordered.map((node): TreeNode => {
        const parent = corpus!.parent(node);
        return {
          id: corpus!.nodeId(node),
          title: corpus!.title(node),
          parent: parent === -1 ? -1 : positions.get(parent)!,
          readable: corpus!.readable(node),
        };
      });
      const unknown = [...strangers].map(
        (id): TreeNode => ({ id, title: null, parent: -1, readable: true }),
      );
      const nodes = [...known, ...unknown];
      const byId = new Map(nodes.map(({ id }, index) => [id, index]));
      return { nodes, indexOf: (id) => byId.get(id) };
    },
  };
}
