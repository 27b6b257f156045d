import type { DocumentId, NodeHandle, NodeId } from "../ids.ts";
import type { Chunks } from "../retriever.ts";
import type { Corpus } from "./corpus.ts";

/** What an id that an answer names as its source stands for. */
export interface SourceReference {
  /** As given. */
  id: string;
  /** Titles from the root of the tree down to the node; only the document's for a document or page; empty when the corpus has no such id. */
  titlePath: readonly string[];
  nodeId?: NodeId;
  documentId?: DocumentId;
  documentTitle?: string;
  /** First and last page as readers count them, from 1, where the source has pages. */
  pages?: readonly [number, number];
}

/**
 * Finds the node, chunk, page (`docId p.N`) or document that an id names.
 *
 * @example describeSource(documents, "kettle.md_0001").titlePath // ["Kettle", "Warranty"]
 */
export function describeSource(
  { corpus, chunks }: { corpus: Corpus; chunks: Pick<Chunks, "find" | "get"> },
  id: string,
): SourceReference {
  const node = corpus.findNode(id);
  if (node !== undefined) return ofNode(corpus, id, node);
  const chunk = chunks.find(id);
  if (chunk !== undefined) {
    const { node: owner, start, end } = chunks.get(chunk);
    return ofNode(corpus, id, owner, { start, end });
  }
  const [, name = id, page] = /^(.*) p\.(\d+)$/s.exec(id) ?? [];
  const document = corpus.findDocument(name);
  if (document === undefined) return { id, titlePath: [] };
  return {
    id,
    titlePath: [document.title],
    documentId: document.id,
    documentTitle: document.title,
    ...(page === undefined ? {} : { pages: [Number(page), Number(page)] }),
  };
}

function ofNode(
  corpus: Corpus,
  id: string,
  node: NodeHandle,
  part: { start: number; end: number } = { start: 0, end: Number.POSITIVE_INFINITY },
): SourceReference {
  const document = corpus.document(corpus.documentIndex(node));
  const pages = pagesOf(corpus, node, part);
  return {
    id,
    titlePath: [...corpus.ancestors(node), node].map((step) => corpus.title(step)),
    nodeId: corpus.nodeId(node),
    documentId: document.id,
    documentTitle: document.title,
    ...(pages === undefined ? {} : { pages }),
  };
}

/** Pages of a stretch of the node's text; those the tree assigns to the node where it has no text. */
function pagesOf(
  corpus: Corpus,
  node: NodeHandle,
  part: { start: number; end: number },
): [number, number] | undefined {
  const touched = corpus
    .pageSpans(node)
    .filter(({ start, end }) => start < part.end && end > part.start)
    .map(({ page }) => page);
  const [first, last] =
    touched.length > 0
      ? [Math.min(...touched), Math.max(...touched)]
      : (corpus.attributes(node)?.pages ?? []);
  return first === undefined || last === undefined ? undefined : [first + 1, last + 1];
}
