import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NodeMetadata } from "../../core/corpus/corpus.ts";
import type { NodeHandle, NodeId } from "../../core/ids.ts";
import { induceSubForest } from "./induce.ts";
import { serialiseSubForest } from "./serialise.ts";

/** A forest from its parents in document order. */
function forest(parents: readonly number[]) {
  const ends = parents.map((_, i) => i + 1);
  for (let i = parents.length - 1; i >= 0; i--) {
    const parent = parents[i]!;
    if (parent >= 0) ends[parent] = Math.max(ends[parent]!, ends[i]!);
  }
  return {
    parent: (node: NodeHandle) => parents[node]! as NodeHandle | -1,
    subtreeEnd: (node: NodeHandle) => ends[node]! as NodeHandle,
    nodeId: (node: NodeHandle) => `d_${node}` as NodeId,
    title: (node: NodeHandle) => `T${node}`,
    readable: (node: NodeHandle) => node % 2 === 1,
  };
}

const handles = (...nodes: number[]) => nodes as NodeHandle[];

/** Root 0 with children 1 (2, 3) and 4 (5); root 6 with child 7; root 8. */
const small = forest([-1, 0, 1, 1, 0, 4, -1, 6, -1]);

describe("sub-forest", () => {
  test("holds the selected nodes and their ancestors, children in document order", () => {
    expect(induceSubForest(small, handles(5, 2))).toEqual([{ root: 0, nodes: [0, 1, 2, 4, 5] }]);
  });

  test("trees follow their best node, not the document order", () => {
    const trees = induceSubForest(small, handles(7, 3, 6, 8, 2));
    expect(trees).toEqual([
      { root: 6, nodes: [6, 7] },
      { root: 0, nodes: [0, 1, 2, 3] },
      { root: 8, nodes: [8] },
    ]);
  });

  test("a selected ancestor and nothing selected", () => {
    expect(induceSubForest(small, handles(1, 2))).toEqual([{ root: 0, nodes: [0, 1, 2] }]);
    expect(induceSubForest(small, [])).toEqual([]);
  });
});

const metadata = (node: NodeHandle): NodeMetadata | undefined =>
  node === 2
    ? { summary: "About 2", keywords: ["two"] }
    : node === 4
      ? { keywords: [] }
      : undefined;

describe("serialised sub-forest", () => {
  const json = (selected: NodeHandle[], flat = false) =>
    serialiseSubForest(small, induceSubForest(small, selected), { metadata, flat });

  test("is compact, nested, without empty fields", () => {
    expect(json(handles(2, 5, 8))).toBe(
      '[{"id":"d_0","title":"T0","is_readable":false,"nodes":[' +
        '{"id":"d_1","title":"T1","is_readable":true,"nodes":[' +
        '{"id":"d_2","title":"T2","is_readable":false,"metadata":{"summary":"About 2","keywords":["two"]}}]},' +
        '{"id":"d_4","title":"T4","is_readable":false,"nodes":[{"id":"d_5","title":"T5","is_readable":true}]}]},' +
        '{"id":"d_8","title":"T8","is_readable":false}]',
    );
  });

  test("can carry metadata beside the title", () => {
    expect(json(handles(2), true)).toContain(
      '"is_readable":false,"summary":"About 2","keywords":["two"]}',
    );
  });

  test("is what nested objects would give, on any forest and selection", () => {
    const shape = fc.array(fc.nat(), { minLength: 1, maxLength: 60 }).map((raw) => {
      // Each node hangs below one of the open branch's nodes or is a root, so the order is pre-order.
      const parents: number[] = [];
      let branch: number[] = [];
      raw.forEach((pick, node) => {
        const depth = pick % (branch.length + 1);
        branch = branch.slice(0, depth);
        parents.push(branch.at(-1) ?? -1);
        branch.push(node);
      });
      return parents;
    });
    fc.assert(
      fc.property(shape, fc.array(fc.nat(), { maxLength: 12 }), (parents, picks) => {
        const corpus = forest(parents);
        const selected = [...new Set(picks.map((pick) => pick % parents.length))] as NodeHandle[];
        const trees = induceSubForest(corpus, selected);
        const text = serialiseSubForest(corpus, trees, { metadata, flat: false });
        expect(JSON.parse(text)).toEqual(nested(parents, selected));
      }),
    );
  });
});

/** The definition, written the slow way: ancestors by walking up, children by filtering. */
function nested(parents: readonly number[], selected: readonly number[]): unknown[] {
  const pathOf = (node: number): number[] => (node === -1 ? [] : [...pathOf(parents[node]!), node]);
  const included = new Set(selected.flatMap(pathOf));
  const roots = [...new Set(selected.map((node) => pathOf(node)[0]!))];
  const build = (node: number): object => {
    const children = parents.flatMap((parent, child) =>
      parent === node && included.has(child) ? [build(child)] : [],
    );
    const facts = metadata(node as NodeHandle);
    return {
      id: `d_${node}`,
      title: `T${node}`,
      is_readable: node % 2 === 1,
      ...(facts?.summary === undefined ? {} : { metadata: facts }),
      ...(children.length === 0 ? {} : { nodes: children }),
    };
  };
  return roots.map(build);
}
