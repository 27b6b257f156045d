import type { Corpus, CorpusDocument } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { ReadItem, TextSpan } from "../../core/trace.ts";

/** What can be fetched by number: a page, or a heading with its own text. */
export interface Unit {
  /** 1-based page, or line of the heading. */
  number: number;
  /** Of a heading. */
  title?: string;
  kind: "page" | "node";
  /** Pieces of text that make the unit up, in order, joined by a line end each. */
  spans: readonly TextSpan[];
  id: string;
}

/** One document as PageIndex sees it. */
export interface DocumentView {
  document: CorpusDocument;
  kind: "pages" | "lines";
  /** Nodes of the document in document order. */
  nodes: readonly NodeHandle[];
  /** First and last page of a node (1-based), or the line of its heading twice; undefined where it has none. */
  extent(node: NodeHandle): readonly [number, number] | undefined;
  /** Pages of the document, or the number of its last line that is known. */
  count: number;
  /** In rising order of their numbers. */
  units: readonly Unit[];
}

/** Pages for a document that has pages, else headings by their lines (A32). */
export function viewDocument(corpus: Corpus, index: number): DocumentView {
  const document = corpus.document(index);
  const nodes = corpus.documentNodes(index);
  const paged =
    document.pageCount !== undefined && nodes.some((node) => corpus.pageSpans(node).length > 0);
  return paged
    ? pagedView(corpus, document, nodes, document.pageCount!)
    : linedView(corpus, document, nodes);
}

/** A page's text is put together again from the nodes that own pieces of it. */
function pagedView(
  corpus: Corpus,
  document: CorpusDocument,
  nodes: readonly NodeHandle[],
  pageCount: number,
): DocumentView {
  const pieces = new Map<number, TextSpan[]>();
  for (const node of nodes) {
    const nodeId = corpus.nodeId(node);
    for (const { page, start, end } of corpus.pageSpans(node)) {
      const known = pieces.get(page);
      if (known === undefined) pieces.set(page, [{ nodeId, start, end }]);
      else known.push({ nodeId, start, end });
    }
  }
  return {
    document,
    kind: "pages",
    nodes,
    count: pageCount,
    extent(node) {
      const assigned = corpus.attributes(node)?.pages;
      if (assigned !== undefined) return [assigned[0] + 1, assigned[1] + 1];
      const pages = corpus.pageSpans(node).map(({ page }) => page);
      return pages.length === 0 ? undefined : [Math.min(...pages) + 1, Math.max(...pages) + 1];
    },
    units: Array.from({ length: pageCount }, (_, page) => ({
      number: page + 1,
      kind: "page",
      spans: (pieces.get(page) ?? []).filter(({ start, end }) => end > start),
      id: `${document.id} p.${page + 1}`,
    })),
  };
}

function linedView(
  corpus: Corpus,
  document: CorpusDocument,
  nodes: readonly NodeHandle[],
): DocumentView {
  const { lines, count } = headingLines(corpus, nodes);
  return {
    document,
    kind: "lines",
    nodes,
    count,
    extent(node) {
      const line = lines.get(node);
      return line === undefined ? undefined : [line, line];
    },
    units: nodes.map((node) => {
      const nodeId = corpus.nodeId(node);
      const end = corpus.textLength(node);
      return {
        number: lines.get(node)!,
        title: corpus.title(node),
        kind: "node",
        spans: end === 0 ? [] : [{ nodeId, start: 0, end }],
        id: nodeId,
      };
    }),
  };
}

/**
 * Lines of the headings: the source file's, where every node below the document's first has one and they rise. Else
 * the lines they would have if the document were written out node by node, a heading line and then the node's own
 * text. Both depend on nothing but the document.
 */
function headingLines(
  corpus: Corpus,
  nodes: readonly NodeHandle[],
): { lines: Map<NodeHandle, number>; count: number } {
  const known = nodes.map((node, i) => corpus.attributes(node)?.line ?? (i === 0 ? 0 : undefined));
  const rise = known.every((line, i) => line !== undefined && (i === 0 || line > known[i - 1]!));
  const lines = new Map<NodeHandle, number>();
  let next = 1;
  for (const [i, node] of nodes.entries()) {
    const line = rise && nodes.length > 1 ? known[i]! : next;
    lines.set(node, line);
    next = line + 1 + (corpus.readable(node) ? corpus.text(node).split("\n").length : 0);
  }
  return { lines, count: next - 1 };
}

/** The text of a unit. */
export function textOf(corpus: Corpus, { spans }: Unit): string {
  return spans
    .map(({ nodeId, start, end }) => corpus.text(corpus.findNode(nodeId)!).slice(start, end))
    .join("\n");
}

/** What of a unit was read when the first `end` UTF-16 units of its text were; undefined for nothing. */
export function readItemOf(
  { document }: DocumentView,
  unit: Unit,
  end: number,
  tokens: number,
): ReadItem | undefined {
  const spans: TextSpan[] = [];
  let before = 0;
  for (const span of unit.spans) {
    const length = Math.min(span.end - span.start, end - before);
    if (length <= 0) break;
    spans.push({ ...span, end: span.start + length });
    before += span.end - span.start + 1;
  }
  if (spans.length === 0) return undefined;
  return {
    kind: unit.kind,
    id: unit.id,
    documentId: document.id,
    spans,
    ...(unit.kind === "page" ? { page: unit.number - 1 } : {}),
    tokens,
  };
}
