import type { Corpus, CorpusDocument } from "../corpus/corpus.ts";
import type { DocumentId, NodeHandle } from "../ids.ts";
import type { EvidenceUnit } from "../question.ts";
import type { ReadItem, TextSpan } from "../trace.ts";
import { type SearchableText, searchableText, TOKEN_OVERLAP } from "./locate-text.ts";

export type UnresolvedReason =
  | "document_missing"
  | "node_missing"
  | "page_outside"
  | "no_text"
  | "text_not_found";

/** Where a gold unit lies in the corpus, or why it lies nowhere. */
export type Resolution =
  | { resolved: true; documentId: DocumentId; spans: readonly TextSpan[] }
  | { resolved: false; reason: UnresolvedReason; detail: string };

/** What of a read item (or of a ranked chunk) matters for gold evidence. */
export type ReadExtent = Pick<ReadItem, "documentId" | "spans"> & Partial<Pick<ReadItem, "page">>;

/** Joins gold evidence to what was read, for one corpus (A11). Remembers what it has looked up. */
export interface EvidenceMatcher {
  /**
   * Spans of the unit in document order: all text of a document; the pieces of a page, whichever nodes own
   * them; a node's text; each place where a paragraph stands.
   */
  resolve(unit: EvidenceUnit): Resolution;
  /**
   * Whether an item hits a unit: same document; any text of the page; any text of the node; of a paragraph
   * at least 80% of its text, or an item of which at least 80% lies inside the paragraph.
   */
  covers(item: ReadExtent, unit: EvidenceUnit): boolean;
  /** The unit's document, also where the unit itself does not resolve. */
  documentOf(unit: EvidenceUnit): DocumentId | undefined;
}

export function createEvidenceMatcher(corpus: Corpus): EvidenceMatcher {
  const pages = new Map<number, Map<number, TextSpan[]>>();
  const texts = new Map<NodeHandle, SearchableText>();
  const resolutions = new Map<string, Resolution>();

  function pagesOf(document: CorpusDocument): Map<number, TextSpan[]> {
    const known = pages.get(document.index);
    if (known !== undefined) return known;
    const byPage = new Map<number, TextSpan[]>();
    for (const node of corpus.documentNodes(document.index)) {
      for (const { page, start, end } of corpus.pageSpans(node)) {
        if (end <= start) continue;
        const span = { nodeId: corpus.nodeId(node), start, end };
        const spans = byPage.get(page);
        if (spans === undefined) byPage.set(page, [span]);
        else spans.push(span);
      }
    }
    pages.set(document.index, byPage);
    return byPage;
  }

  function textOf(node: NodeHandle): SearchableText {
    const known = texts.get(node);
    if (known !== undefined) return known;
    const made = searchableText(corpus.text(node));
    texts.set(node, made);
    return made;
  }

  const wholeNode = (node: NodeHandle): TextSpan => ({
    nodeId: corpus.nodeId(node),
    start: 0,
    end: corpus.textLength(node),
  });

  function readableNodes(document: CorpusDocument): NodeHandle[] {
    return corpus.documentNodes(document.index).filter((node) => corpus.readable(node));
  }

  function resolveInDocument(
    unit: Exclude<EvidenceUnit, { kind: "node" }>,
    document: CorpusDocument,
  ): Resolution {
    const found = (spans: readonly TextSpan[]): Resolution => ({
      resolved: true,
      documentId: document.id,
      spans,
    });
    if (unit.kind === "document") return found(readableNodes(document).map(wholeNode));
    if (unit.kind === "page") {
      const spans = pagesOf(document).get(unit.page);
      if (spans !== undefined) return found(spans);
      const { pageCount = 0 } = document;
      return unit.page >= 0 && unit.page < pageCount
        ? unresolved("no_text", `page ${unit.page + 1} of ${document.id} has no text`)
        : unresolved(
            "page_outside",
            `page ${unit.page + 1} is outside ${document.id} (${pageCount} pages)`,
          );
    }
    const spans = readableNodes(document).flatMap((node) =>
      textOf(node)
        .locate(unit.text)
        .map((stretch) => ({ nodeId: corpus.nodeId(node), ...stretch })),
    );
    return spans.length > 0
      ? found(spans)
      : unresolved(
          "text_not_found",
          `no text of ${document.id} holds the paragraph "${unit.text.slice(0, 60)}"`,
        );
  }

  function look(unit: EvidenceUnit): Resolution {
    if (unit.kind === "node") {
      const node = corpus.findNode(unit.nodeId);
      if (node === undefined) return unresolved("node_missing", `no node ${unit.nodeId}`);
      const documentId = corpus.document(corpus.documentIndex(node)).id;
      return corpus.readable(node)
        ? { resolved: true, documentId, spans: [wholeNode(node)] }
        : unresolved("no_text", `node ${unit.nodeId} has no text of its own`);
    }
    const document = corpus.findDocument(unit.documentId);
    return document === undefined
      ? unresolved("document_missing", `no document ${unit.documentId}`)
      : resolveInDocument(unit, document);
  }

  function resolve(unit: EvidenceUnit): Resolution {
    const key = JSON.stringify(unit);
    const known = resolutions.get(key);
    if (known !== undefined) return known;
    const made = look(unit);
    resolutions.set(key, made);
    return made;
  }

  return {
    resolve,
    covers(item, unit) {
      if (unit.kind === "document") return item.documentId === unit.documentId;
      if (unit.kind === "page" && item.page !== undefined) {
        return item.documentId === unit.documentId && item.page === unit.page;
      }
      const resolution = resolve(unit);
      if (!resolution.resolved || resolution.documentId !== item.documentId) return false;
      const enough = unit.kind === "paragraph" ? coversMost : overlaps;
      return resolution.spans.some((gold) => enough(item.spans, gold));
    },
    documentOf(unit) {
      if (unit.kind !== "node") return unit.documentId;
      const node = corpus.findNode(unit.nodeId);
      return node === undefined ? undefined : corpus.document(corpus.documentIndex(node)).id;
    },
  };
}

function unresolved(reason: UnresolvedReason, detail: string): Resolution {
  return { resolved: false, reason, detail };
}

function overlap(a: TextSpan, b: TextSpan): number {
  if (a.nodeId !== b.nodeId) return 0;
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

function overlaps(read: readonly TextSpan[], gold: TextSpan): boolean {
  return read.some((span) => overlap(span, gold) > 0);
}

function coversMost(read: readonly TextSpan[], gold: TextSpan): boolean {
  const shared = read.reduce((sum, span) => sum + overlap(span, gold), 0);
  if (shared >= TOKEN_OVERLAP * (gold.end - gold.start)) return true;
  return read.some((span) => {
    const part = overlap(span, gold);
    return part > 0 && part >= TOKEN_OVERLAP * (span.end - span.start);
  });
}
