import { z } from "zod";
import type { Corpus, CorpusDocument } from "../../core/corpus/corpus.ts";
import { realDocuments } from "../../core/corpus/store.ts";
import type { ChunkHandle, DocumentId, NodeHandle, NodeId } from "../../core/ids.ts";
import type { SharedResources } from "../../core/method.ts";
import { cutText } from "../../retrievers/chunks/cut.ts";
import { bpeTokenizer } from "../../retrievers/tokenizer/bpe-tokenizer.ts";

/** What the graph methods extract from (A34): windows over whole documents as upstream, or the run's own chunks. */
export const graphChunksSchema = z
  .enum(["native1200", "shared512"])
  .default("native1200")
  .describe(
    "texts a graph is extracted from: 1200 tokens of a document with 100 overlap, or the chunks of the run",
  );

export type GraphChunking = z.infer<typeof graphChunksSchema>;

/** A text that a graph is extracted from, and that stands among the sources of an answer. */
export interface GraphChunk {
  /** From 0 in document order; how records of a graph name their sources. */
  position: number;
  /** `docId~0003`, or the id of the shared chunk. */
  id: string;
  documentId: DocumentId;
  /** Nodes whose text lies in the chunk, in document order. */
  nodes: readonly NodeId[];
  text: string;
}

/** Notes 7.1, in tokens of the o200k encoding, which is upstream's too. */
const NATIVE = { maxTokens: 1200, overlapTokens: 100, snap: "none" } as const;

/** The footnote of a method over windows of its own. */
export const NATIVE_CHUNKING = `${NATIVE.maxTokens} tokens with ${NATIVE.overlapTokens} of overlap`;

type ChunkSources = Pick<SharedResources, "corpus" | "chunks">;

/** The chunks of a corpus in document order, afresh at each call. */
export function* graphChunks(
  chunking: GraphChunking,
  sources: ChunkSources,
): Generator<GraphChunk> {
  if (chunking === "shared512") yield* sharedChunks(sources);
  else yield* nativeChunks(sources.corpus);
}

/** How many {@link graphChunks} there are. */
export function countGraphChunks(chunking: GraphChunking, sources: ChunkSources): number {
  if (chunking === "shared512") return sources.chunks.count;
  let count = 0;
  for (const _ of nativeChunks(sources.corpus)) count++;
  return count;
}

function* sharedChunks({ corpus, chunks }: ChunkSources): Generator<GraphChunk> {
  for (let position = 0; position < chunks.count; position++) {
    const { id, node } = chunks.get(position as ChunkHandle);
    yield {
      position,
      id,
      documentId: corpus.document(corpus.documentIndex(node)).id,
      nodes: [corpus.nodeId(node)],
      text: chunks.text(position as ChunkHandle),
    };
  }
}

function* nativeChunks(corpus: Corpus): Generator<GraphChunk> {
  const tokenizer = bpeTokenizer();
  let position = 0;
  for (const document of realDocuments(corpus)) {
    const { text, spans } = documentText(corpus, document);
    let ordinal = 0;
    for (const { start, end } of cutText(text, tokenizer, NATIVE)) {
      yield {
        position: position++,
        id: `${document.id}~${String(ordinal++).padStart(4, "0")}`,
        documentId: document.id,
        nodes: spans
          .filter((span) => span.start < end && span.end > start)
          .map(({ node }) => corpus.nodeId(node)),
        text: text.slice(start, end),
      };
    }
  }
}

interface NodeSpan {
  node: NodeHandle;
  start: number;
  end: number;
}

/** A document as one text: titles and own texts in document order. Spans are those of the own texts. */
function documentText(
  corpus: Corpus,
  document: CorpusDocument,
): { text: string; spans: NodeSpan[] } {
  const parts: string[] = [];
  const spans: NodeSpan[] = [];
  let length = 0;
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  for (const node of corpus.documentNodes(document.index)) {
    const own = corpus.text(node);
    add(`${length === 0 ? "" : "\n\n"}${corpus.title(node)}`);
    if (own === "") continue;
    add("\n");
    spans.push({ node, start: length, end: length + own.length });
    add(own);
  }
  return { text: parts.join(""), spans };
}
