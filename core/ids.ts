/** A string or number that the compiler keeps apart from others of the same kind. */
export type Brand<T, Name extends string> = T & { readonly __brand: Name };

/** Id of a document in its data set's own words (a filing's name, an arXiv id, a page path). `_c` for containers. */
export type DocumentId = Brand<string, "DocumentId">;
/** `docId_0007`: document id, underscore, the node's number within its document in document order (A19). */
export type NodeId = Brand<string, "NodeId">;
/** `docId_0007#2`: node id, `#`, the chunk's number within its node. */
export type ChunkId = Brand<string, "ChunkId">;
export type QuestionId = Brand<string, "QuestionId">;

/** Position of a node in its corpus, in document order (pre-order over the forest), from 0. */
export type NodeHandle = Brand<number, "NodeHandle">;
/** Position of a chunk in its chunk table, in node order, from 0. */
export type ChunkHandle = Brand<number, "ChunkHandle">;

/** Document id of nodes above a corpus's document level (A33). */
export const CONTAINER_DOCUMENT = "_c" as DocumentId;

/** Node id from its document and number: `NIKE_2023_10K` and 7 give `NIKE_2023_10K_0007`. */
export function nodeIdOf(document: string, ordinal: number): NodeId {
  return `${document}_${String(ordinal).padStart(4, "0")}` as NodeId;
}
