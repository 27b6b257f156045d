import type { CallbackManagerForRetrieverRun } from "@langchain/core/callbacks/manager";
import { Document } from "@langchain/core/documents";
import { BaseRetriever, type BaseRetrieverInput } from "@langchain/core/retrievers";
import type { Corpus } from "../../core/corpus/corpus.ts";
import type { ChunkId, DocumentId, NodeId } from "../../core/ids.ts";
import type { Chunks, Hit, Retriever, SearchOptions } from "../../core/retriever.ts";

/** Where a chunk comes from and why it was found. */
export interface ChunkMetadata {
  chunkId: ChunkId;
  nodeId: NodeId;
  documentId: DocumentId;
  documentTitle: string;
  /** Titles from the root of the tree down to the chunk's node. */
  titlePath: string[];
  /** `[start, end)` in UTF-16 units of the node's text. */
  start: number;
  end: number;
  tokens: number;
  /** Ranks and scores as `Retriever` gives them. */
  rank: number;
  score: number;
  rankBm25?: number;
  rankDense?: number;
  scoreBm25?: number;
  scoreDense?: number;
}

export interface RitbenchRetrieverFields extends BaseRetrieverInput {
  retriever: Retriever;
  corpus: Corpus;
  chunks: Chunks;
  /** Documents a query brings; default 5. */
  k?: number;
  search?: Omit<SearchOptions, "signal">;
}

/**
 * A ritbench retriever as a LangChain retriever; `pageContent` is the chunk's exact text.
 *
 * @example
 * const { corpus, chunks, retriever } = await openDocuments("./my-docs");
 * const found = await new RitbenchRetriever({ corpus, chunks, retriever, k: 5 }).invoke("warranty");
 */
export class RitbenchRetriever extends BaseRetriever<ChunkMetadata> {
  override lc_namespace = ["ritbench", "retrievers"];
  readonly fields: RitbenchRetrieverFields;

  static override lc_name(): string {
    return "RitbenchRetriever";
  }

  constructor(fields: RitbenchRetrieverFields) {
    super(fields);
    this.fields = fields;
  }

  override async _getRelevantDocuments(
    query: string,
    _runManager?: CallbackManagerForRetrieverRun,
  ): Promise<Document<ChunkMetadata>[]> {
    const { retriever, k = 5, search = {} } = this.fields;
    const hits = await retriever.search(query, k, search);
    return hits.map((hit) => this.toDocument(hit));
  }

  private toDocument({ chunk: handle, ...found }: Hit): Document<ChunkMetadata> {
    const { corpus, chunks } = this.fields;
    const { id, node, start, end, tokens } = chunks.get(handle);
    const document = corpus.document(corpus.documentIndex(node));
    return new Document({
      id,
      pageContent: chunks.text(handle),
      metadata: {
        chunkId: id,
        nodeId: corpus.nodeId(node),
        documentId: document.id,
        documentTitle: document.title,
        titlePath: [...corpus.ancestors(node), node].map((each) => corpus.title(each)),
        start,
        end,
        tokens,
        ...found,
      },
    });
  }
}
