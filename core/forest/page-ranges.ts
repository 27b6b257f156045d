import type { NodeMetadata } from "../corpus/corpus.ts";

/** A node of a tree over pages (PageIndex JSON, PDF outline, induced structure). Pages are 0-based, inclusive. */
export interface PageRangeTree {
  title: string;
  /** Null where the tree does not know. */
  start: number | null;
  end: number | null;
  metadata?: NodeMetadata;
  children?: readonly PageRangeTree[];
}

/** A node in document order with a range that lies inside the document; no range = it has no page. */
export interface RangedNode {
  title: string;
  depth: number;
  metadata?: NodeMetadata;
  range?: readonly [number, number];
}

/**
 * Nodes of the trees in document order. Ranges that end before they start are cut to their first page, ranges
 * that leave the document are cut to it, and unknown or wholly outside ones are dropped (the node keeps its
 * title); each repair adds a sentence naming the node to `repairs`, pages counted from 1.
 */
export function flattenRanges(
  trees: readonly PageRangeTree[],
  pageCount: number,
  repairs: string[],
): RangedNode[] {
  const flat: RangedNode[] = [];
  const visit = (tree: PageRangeTree, depth: number): void => {
    const range = repairRange(tree, pageCount, repairs);
    flat.push({
      title: tree.title,
      depth,
      ...(tree.metadata !== undefined && { metadata: tree.metadata }),
      ...(range !== undefined && { range }),
    });
    for (const child of tree.children ?? []) visit(child, depth + 1);
  };
  for (const tree of trees) visit(tree, 0);
  return flat;
}

function repairRange(
  { title, start, end }: PageRangeTree,
  pageCount: number,
  repairs: string[],
): readonly [number, number] | undefined {
  const say = (fault: string) => repairs.push(`"${title.slice(0, 80)}" ${fault}`);
  if (start === null) {
    say("has no start page; it keeps its title only");
    return undefined;
  }
  let last = end ?? start;
  if (last < start) {
    say(`starts on page ${start + 1} and ends on page ${last + 1}; the end is set to the start`);
    last = start;
  }
  if (start >= pageCount || last < 0) {
    say(
      `lies on pages ${start + 1}-${last + 1}, outside the ${pageCount} pages; it keeps its title only`,
    );
    return undefined;
  }
  if (start < 0 || last >= pageCount) {
    say(`lies on pages ${start + 1}-${last + 1} of ${pageCount}; it is cut to the document`);
  }
  return [Math.max(0, start), Math.min(pageCount - 1, last)];
}

/**
 * Ranges for trees that know start pages only (outlines): a node runs to the page on which the next node in
 * document order starts, the last one to the last page. A start before the previous one ends the
 * previous node on its own first page.
 */
export function rangesFromStarts(
  trees: readonly PageRangeTree[],
  pageCount: number,
): PageRangeTree[] {
  const starts: number[] = [];
  const collect = (tree: PageRangeTree): void => {
    if (tree.start !== null) starts.push(tree.start);
    tree.children?.forEach(collect);
  };
  trees.forEach(collect);
  let seen = 0;
  const ranged = (tree: PageRangeTree): PageRangeTree => {
    let { end } = tree;
    if (tree.start !== null) {
      seen++;
      end = Math.max(tree.start, starts[seen] ?? pageCount - 1);
    }
    return { ...tree, end, children: (tree.children ?? []).map(ranged) };
  };
  return trees.map(ranged);
}
