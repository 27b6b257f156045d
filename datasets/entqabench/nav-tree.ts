import { column } from "../../core/corpus/columns.ts";

/** Index of a node of the navigation; the portal's root is 0. */
export type NavNode = number;
export const ROOT: NavNode = 0;

/**
 * The navigation as columns of numbers (five a node), for portals of millions of pages. A node is a page or a
 * titled group; children keep the order in which they were added.
 */
export interface NavTree {
  readonly size: number;
  addGroup(parent: NavNode, title: string): NavNode;
  /** Places a page; where it has a place already, `parent` becomes a cross-link and the first place is returned. */
  addPage(parent: NavNode, page: number): NavNode;
  /** Notes a further parent of a page that has its place elsewhere. */
  link(parent: NavNode, page: number): void;
  nodeOf(page: number): NavNode | undefined;
  /** Page of a node, or -1 for a group. */
  page(node: NavNode): number;
  title(node: NavNode): string;
  crossLinks(page: number): readonly NavNode[];
  /** Calls `enter` and `leave` from the root down. Groups without a page or a cross-link below are passed over. */
  walk(enter: (node: NavNode) => void, leave: (node: NavNode) => void): void;
  /** Groups that {@link walk} passes over. */
  emptyGroups(): number;
}

export function navTree(rootTitle: string, pageCount: number): NavTree {
  const parents = column((length) => new Int32Array(length));
  const firstChild = column((length) => new Int32Array(length));
  const lastChild = column((length) => new Int32Array(length));
  const next = column((length) => new Int32Array(length));
  const pages = column((length) => new Int32Array(length));
  const titles = new Map<NavNode, string>();
  const nodes = new Int32Array(pageCount).fill(-1);
  const links = new Map<number, NavNode[]>();

  function add(parent: NavNode | -1, page: number): NavNode {
    const node = parents.length;
    for (const values of [firstChild, lastChild, next]) values.push(-1);
    parents.push(parent);
    pages.push(page);
    if (parent === -1) return node;
    const last = lastChild.get(parent);
    if (last === -1) firstChild.set(parent, node);
    else next.set(last, node);
    lastChild.set(parent, node);
    return node;
  }

  titles.set(add(-1, -1), rootTitle);

  /** 1 where a page stands or is linked at or below the node. */
  function pageBelow(): Uint8Array {
    const found = new Uint8Array(parents.length);
    const mark = (node: NavNode) => {
      for (let at = node; at !== -1 && found[at] === 0; at = parents.get(at)) found[at] = 1;
    };
    for (let node = 0; node < found.length; node++) if (pages.get(node) !== -1) mark(node);
    for (const linked of links.values()) linked.forEach(mark);
    return found;
  }

  const tree: NavTree = {
    get size() {
      return parents.length;
    },
    addGroup(parent, title) {
      const node = add(parent, -1);
      titles.set(node, title);
      return node;
    },
    addPage(parent, page) {
      if (nodes[page] === -1) nodes[page] = add(parent, page);
      else tree.link(parent, page);
      return nodes[page]!;
    },
    link(parent, page) {
      const known = links.get(page) ?? [];
      const own = nodes[page]! === -1 ? -1 : parents.get(nodes[page]!);
      if (parent !== own && !known.includes(parent)) links.set(page, [...known, parent]);
    },
    nodeOf: (page) => (nodes[page] === -1 ? undefined : nodes[page]),
    page: (node) => pages.get(node),
    title: (node) => titles.get(node) ?? "",
    crossLinks: (page) => links.get(page) ?? [],
    walk(enter, leave) {
      const found = pageBelow();
      const open: NavNode[] = [];
      let node: NavNode | -1 = ROOT;
      while (node !== -1 || open.length > 0) {
        if (node === -1) {
          const done = open.pop()!;
          leave(done);
          node = next.get(done);
          continue;
        }
        if (found[node] === 0) {
          node = next.get(node);
          continue;
        }
        enter(node);
        open.push(node);
        node = firstChild.get(node);
      }
    },
    emptyGroups: () => pageBelow().reduce((count, found) => count + (found === 0 ? 1 : 0), 0),
  };
  return tree;
}
