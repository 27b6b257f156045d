import { performance } from "node:perf_hooks";
import type { Corpus } from "../../core/corpus/corpus.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import { countO200k, fitsO200k } from "../../core/o200k.ts";
import type { Chunks, Hit, SearchOptions } from "../../core/retriever.ts";
import type { ReadItem } from "../../core/trace.ts";

/** A retrieved chunk with what a prompt says about it. */
export interface Passage {
  hit: Hit;
  /** `document title > section > section`, the chunk's own node last (notes 3). */
  heading: string;
  text: string;
  /** The chunk as a `read` event lists it, once its text has gone to the model. */
  item: ReadItem;
}

type Searching = Pick<MethodContext, "corpus" | "chunks" | "retriever" | "tracer" | "signal">;

/** Searches and leaves a `retrieved` event. */
export async function tracedSearch(
  { retriever, chunks, tracer, signal }: Searching,
  query: string,
  k: number,
  options: SearchOptions = {},
): Promise<Hit[]> {
  const startMs = performance.now();
  const hits = await retriever.search(query, k, { ...options, signal });
  tracer.emit({
    type: "retrieved",
    query,
    mode: options.mode ?? "hybrid",
    chunks: hits.map(({ chunk }) => chunks.get(chunk).id),
    durationMs: performance.now() - startMs,
  });
  return hits;
}

/** {@link tracedSearch} with texts and headings, in rank order. */
export async function searchPassages(
  context: Searching,
  query: string,
  k: number,
  options: SearchOptions = {},
): Promise<Passage[]> {
  const hits = await tracedSearch(context, query, k, options);
  return hits.map((hit) => passageOf(context, hit));
}

/** Text, heading and read item of one hit. */
export function passageOf(
  { corpus, chunks }: { corpus: Corpus; chunks: Chunks },
  hit: Hit,
): Passage {
  const { id, node, start, end, tokens } = chunks.get(hit.chunk);
  return {
    hit,
    heading: headingOf(corpus, node),
    text: chunks.text(hit.chunk),
    item: {
      kind: "chunk",
      id,
      documentId: corpus.document(corpus.documentIndex(node)).id,
      spans: [{ nodeId: corpus.nodeId(node), start, end }],
      tokens,
    },
  };
}

/** Document title and the titles from below the document's root down to the node. */
export function headingOf(corpus: Corpus, node: NodeHandle): string {
  const index = corpus.documentIndex(node);
  const document = corpus.document(index);
  const sections = [...corpus.ancestors(node), node].filter(
    (step) => step !== document.root && corpus.documentIndex(step) === index,
  );
  return [document.title, ...sections.map((step) => corpus.title(step))].join(" > ");
}

/**
 * The leading passages whose rendered texts fit together into `roomTokens` (o200k), and what the others
 * would have taken.
 */
export function passagesThatFit<T>(
  passages: readonly T[],
  render: (passage: T, position: number) => string,
  roomTokens: number,
): { kept: T[]; droppedTokens: number } {
  const texts = passages.map(render);
  if (fitsO200k(texts.join("\n"), roomTokens)) return { kept: [...passages], droppedTokens: 0 };
  let used = 0;
  let kept = 0;
  let droppedTokens = 0;
  for (const text of texts) {
    const tokens = countO200k(text) + 1;
    if (droppedTokens === 0 && used + tokens <= roomTokens) {
      used += tokens;
      kept++;
    } else droppedTokens += tokens;
  }
  return { kept: passages.slice(0, kept), droppedTokens };
}
