import type { DocumentTree, PageSpan } from "../corpus/corpus.ts";
import { flattenRanges, type PageRangeTree, type RangedNode } from "./page-ranges.ts";
import { pageTitle } from "./page-title.ts";
import { orderedPlaces, titlePage } from "./title-match.ts";

/** How the pages of a document found their owners (A30). */
export interface PageShare {
  /** Pages with text. */
  pages: number;
  blankPages: number;
  /** Pages with text that two or more nodes claim. */
  sharedPages: number;
  /** Shared pages cut at the title of every node that begins there. */
  splitPages: number;
  /** Nodes that begin on a shared page, and those whose title was found there. */
  boundaryTitles: number;
  foundTitles: number;
  /** Pages with text that no node claimed; each became a page node below the root. */
  uncoveredPages: number;
  /** What was wrong with the tree's page ranges, one sentence each. */
  repairs: string[];
}

export interface PageAssignment {
  /** Children of the document's root. */
  children: DocumentTree[];
  share: PageShare;
}

interface OwnedNode extends RangedNode {
  pieces: { page: number; text: string }[];
  sharesPage: boolean;
}

/**
 * Gives every page of a document to the nodes of a tree with page ranges, each piece of text to exactly one
 * (A30). A page that several nodes claim is cut where the title of each node that begins there stands; what
 * comes before the first title belongs to the node that runs on from earlier pages (of several, the one
 * that began last). A node whose title is not found leaves its part to the owner before it, or, as the
 * first owner, takes the page from its top; the nodes left without text carry `sharesPage`. A page that no node
 * claims becomes a page node below the root. Blank pages belong to no node. Parents keep only what their children do not take.
 *
 * @param pages text of every page, in order; a page's outer blank lines are cut
 * @param trees the document's top nodes with 0-based inclusive page ranges, faulty ones repaired and reported
 */
export function assignPageText(
  pages: readonly string[],
  trees: readonly PageRangeTree[],
): PageAssignment {
  const share: PageShare = {
    pages: 0,
    blankPages: 0,
    sharedPages: 0,
    splitPages: 0,
    boundaryTitles: 0,
    foundTitles: 0,
    uncoveredPages: 0,
    repairs: [],
  };
  const flat = flattenRanges(trees, pages.length, share.repairs);
  const nodes = flat.map((node): OwnedNode => ({ ...node, pieces: [], sharesPage: false }));
  const uncovered: number[] = [];
  const claims = claimsByPage(nodes, pages.length);
  pages.forEach((page, number) => {
    const text = trimPage(page);
    if (text === "") {
      share.blankPages++;
      return;
    }
    share.pages++;
    const owners = claims[number]!;
    if (owners.length === 0) uncovered.push(number);
    else assignPage(number, text, owners, share);
  });
  share.uncoveredPages = uncovered.length;
  const loose = uncovered.map((page) => ({ page, tree: pageNode(page, pages[page]!) }));
  return { children: rebuild(nodes, loose), share };
}

/** The tree of a document without any structure: one node a page (blank pages have none). */
export function pageNodes(pages: readonly string[]): DocumentTree[] {
  return assignPageText(pages, []).children;
}

function claimsByPage(nodes: readonly OwnedNode[], pageCount: number): OwnedNode[][] {
  const claims: OwnedNode[][] = Array.from({ length: pageCount }, () => []);
  for (const node of nodes) {
    if (node.range === undefined) continue;
    for (let page = node.range[0]; page <= node.range[1]; page++) claims[page]!.push(node);
  }
  return claims;
}

function assignPage(
  page: number,
  text: string,
  owners: readonly OwnedNode[],
  share: PageShare,
): void {
  const starting = owners.filter((node) => node.range![0] === page);
  const running = latest(owners.filter((node) => node.range![0] < page));
  if (owners.length === 1) {
    owners[0]!.pieces.push({ page, text });
    return;
  }
  const titles = titlePage(text);
  const places = orderedPlaces(starting.map((node) => titles.find(node.title)));
  share.sharedPages++;
  share.boundaryTitles += starting.length;
  share.foundTitles += places.filter((place) => place !== undefined).length;
  if (starting.length > 0 && places.every((place) => place !== undefined)) share.splitPages++;

  const cuts: { node: OwnedNode; at: number }[] = [];
  if (running !== undefined) cuts.push({ node: running, at: 0 });
  starting.forEach((node, i) => {
    const at = places[i];
    if (cuts.length === 0) cuts.push({ node, at: 0 });
    else if (at !== undefined) cuts.push({ node, at: lineStart(text, at) });
  });
  const receiving = new Set<OwnedNode>();
  cuts.forEach(({ node, at }, i) => {
    const piece = text.slice(at, cuts[i + 1]?.at ?? text.length);
    if (piece.trim() === "") return;
    node.pieces.push({ page, text: piece });
    receiving.add(node);
  });
  for (const node of starting) if (!receiving.has(node)) node.sharesPage = true;
}

/** The node that began last; of those that began on one page, the last in document order. */
function latest(nodes: readonly OwnedNode[]): OwnedNode | undefined {
  return nodes.reduce<OwnedNode | undefined>(
    (best, node) => (best === undefined || node.range![0] >= best.range![0] ? node : best),
    undefined,
  );
}

/** Takes blanks and marks before a title on its line along, so that no line is torn in two without need. */
function lineStart(text: string, at: number): number {
  const start = text.lastIndexOf("\n", at - 1) + 1;
  return /^[^\p{L}\p{N}]*$/u.test(text.slice(start, at)) ? start : at;
}

function trimPage(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

/** Puts the flat nodes back into a tree, with the pages nobody claimed among the top nodes in page order. */
function rebuild(
  nodes: readonly OwnedNode[],
  loose: readonly { page: number; tree: DocumentTree }[],
): DocumentTree[] {
  type Open = DocumentTree & { children: DocumentTree[] };
  const top: { page: number; tree: DocumentTree }[] = [];
  const path: Open[] = [];
  let page = 0;
  for (const node of nodes) {
    const made: Open = { ...ownText(node), children: [] };
    path.length = node.depth;
    page = Math.max(page, node.range?.[0] ?? 0);
    if (node.depth === 0) top.push({ page, tree: made });
    else path[node.depth - 1]!.children.push(made);
    path.push(made);
  }
  const ordered: DocumentTree[] = [];
  let next = 0;
  for (const entry of top) {
    while (next < loose.length && loose[next]!.page < entry.page) ordered.push(loose[next++]!.tree);
    ordered.push(entry.tree);
  }
  return [...ordered, ...loose.slice(next).map(({ tree }) => tree)];
}

function ownText(node: OwnedNode): DocumentTree {
  const { title, metadata, range, sharesPage } = node;
  const attributes = {
    ...(range !== undefined && { pages: range }),
    ...(sharesPage && { sharesPage }),
  };
  return {
    title,
    ...joinPieces(node.pieces),
    ...(metadata !== undefined && { metadata }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

const PAGE_BREAK = "\n\n";

function joinPieces(pieces: OwnedNode["pieces"]): { text?: string; pageSpans?: PageSpan[] } {
  if (pieces.length === 0) return {};
  const pageSpans: PageSpan[] = [];
  let text = "";
  for (const { page, text: piece } of pieces) {
    const own = piece.trimEnd();
    if (text !== "") text += PAGE_BREAK;
    pageSpans.push({ page, start: text.length, end: text.length + own.length });
    text += own;
  }
  return { text, pageSpans };
}

function pageNode(page: number, pageText: string): DocumentTree {
  const text = trimPage(pageText);
  return {
    title: pageTitle(page, text),
    text,
    pageSpans: [{ page, start: 0, end: text.length }],
    attributes: { pages: [page, page] },
  };
}
