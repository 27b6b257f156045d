import type { Corpus, CorpusDocument } from "../../../core/corpus/corpus.ts";
import { realDocuments } from "../../../core/corpus/store.ts";
import type { NodeHandle } from "../../../core/ids.ts";

/** Documents whose source has pages. */
export function* pagedDocuments(corpus: Corpus): Generator<CorpusDocument & { pageCount: number }> {
  for (const document of realDocuments(corpus)) {
    const { pageCount } = document;
    if (pageCount !== undefined && pageCount > 0) yield { ...document, pageCount };
  }
}

/** Text of every page of a document, put together from the pieces that its nodes own; blank pages are empty. */
export function documentPages(
  corpus: Corpus,
  { index, pageCount }: CorpusDocument & { pageCount: number },
): string[] {
  const pieces: string[][] = Array.from({ length: pageCount }, () => []);
  for (const node of corpus.documentNodes(index)) {
    const spans = corpus.pageSpans(node);
    if (spans.length === 0) continue;
    const text = corpus.text(node);
    for (const { page, start, end } of spans) pieces[page]?.push(text.slice(start, end));
  }
  return pieces.map((parts) => parts.join("\n"));
}

/** Characters of a document's own texts, without reading them. */
export function documentSize(corpus: Corpus, index: number): number {
  return corpus
    .documentNodes(index)
    .reduce((sum: number, node: NodeHandle) => sum + corpus.textLength(node), 0);
}
