import { CONTAINER_DOCUMENT } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import { tracedSearch } from "../../pipelines/passages/index.ts";
import type { PageIndexParameters } from "./config.ts";

/**
 * DocScore (App. B.2): the sum of a document's chunk scores over the root of their number plus one, so that further
 * chunks count less and less; `linear` divides by the number plus one itself. The number is that of retrieved chunks
 * (A10).
 */
export function docScore(
  chunkScores: readonly number[],
  form: PageIndexParameters["docScore"],
): number {
  const sum = chunkScores.reduce((total, score) => total + score, 0);
  const n = chunkScores.length + 1;
  return sum / (form === "sqrt" ? Math.sqrt(n) : n);
}

export interface ScoredDocument {
  /** Index of the document in the corpus. */
  index: number;
  score: number;
  chunks: number;
}

/** Documents in the trace's note, the chosen one included. */
const NOTED = 3;

/**
 * The document that the whole question is answered from; undefined when the search finds nothing. Ties go to the
 * document of the better chunk. Leaves a note with the runners-up.
 */
export async function selectDocument(
  context: MethodContext,
  query: string,
  { k, selection, docScore: form }: PageIndexParameters,
): Promise<ScoredDocument | undefined> {
  const { corpus, chunks, tracer } = context;
  const hits = await tracedSearch(context, query, k, { mode: selection });
  const scores = new Map<number, number[]>();
  for (const { chunk, score } of hits) {
    const index = corpus.documentIndex(chunks.node(chunk));
    if (corpus.document(index).id === CONTAINER_DOCUMENT) continue;
    const known = scores.get(index);
    if (known === undefined) scores.set(index, [score]);
    else known.push(score);
  }
  const ranked = [...scores]
    .map(([index, own]) => ({ index, score: docScore(own, form), chunks: own.length }))
    .sort((a, b) => b.score - a.score);
  tracer.emit({
    type: "note",
    note: "document_selected",
    detail: ranked.slice(0, NOTED).map(({ index, score, chunks: count }) => ({
      documentId: corpus.document(index).id,
      docScore: score,
      chunks: count,
    })),
  });
  return ranked[0];
}
