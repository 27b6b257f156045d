/**
 * RIT-RAG for programs of one's own: open a folder of documents, then ask the agent, give its tools to an agent of
 * your own, or use the retriever alone. Guide: docs/library.md.
 */

export type { Corpus, CorpusDocument, NodeMetadata } from "./core/corpus/corpus.ts";
export { describeSource, type SourceReference } from "./core/corpus/source.ts";
export { formatError, RitbenchError } from "./core/errors.ts";
export type { ChunkHandle, ChunkId, DocumentId, NodeHandle, NodeId } from "./core/ids.ts";
export type { Embedder, NodeMetadataSource, Outcome, SharedResources } from "./core/method.ts";
export { ModelError, type ModelErrorKind } from "./core/model-error.ts";
export type {
  Chunk,
  Chunks,
  DocumentFilter,
  Hit,
  Retriever,
  SearchMode,
  SearchOptions,
} from "./core/retriever.ts";
export type { ReadItem, TextSpan, TraceEvent } from "./core/trace.ts";
export type { Usage } from "./core/usage.ts";
export {
  type Documents,
  type OpenDocumentsOptions,
  openDocuments,
} from "./library/open-documents.ts";
export {
  createRitRagAgent,
  type RitRagAgentOptions,
  type RitRagAgentState,
} from "./library/rit-rag-agent.ts";
export {
  createRitRagTools,
  type RitRagConfig,
  type RitRagToolParameters,
  type RitRagToolsOptions,
} from "./methods/rit-rag/index.ts";
export {
  type ChunkMetadata,
  RitbenchRetriever,
  type RitbenchRetrieverFields,
} from "./retrievers/hybrid/langchain-retriever.ts";
