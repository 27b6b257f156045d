import type { Json } from "../../core/json.ts";
import type { ChatModel } from "../../core/model.ts";
import type { PromptFile } from "../../core/prompt-file.ts";
import type { UnitResult } from "../builds/index.ts";
import type { GraphChunk, GraphChunking } from "../graph-chunks/index.ts";

/** One record of one chunk, on its way to the record of the graph that all its mentions are merged into. */
export interface Mention {
  table: string;
  /** Record of the table; equal ids are merged. */
  id: string;
  data: Json;
}

/** A mention with the position of its chunk. */
export interface SourcedMention<T> {
  data: T;
  source: number;
}

/** A record of a graph: JSON, with text fields that may have to be summarised. */
export type GraphRecord = { readonly [field: string]: Json };

/** How one kind of record comes about. */
export interface TableRecipe {
  /** Merges all mentions of one record; they come in document order. */
  merge(mentions: readonly SourcedMention<never>[]): GraphRecord;
  /** What the record is called in a request for a summary. */
  nameOf(record: GraphRecord): string;
  /** Text fields that a model rewrites when they have so many tokens or more. */
  summarise: { readonly [field: string]: number };
  /** The text that stands for the record in the vector store; undefined = not in it. Absent = no vector store. */
  embeddedText?(record: GraphRecord, chunkIds: readonly string[]): string | undefined;
}

/** Everything that tells one method's graph from another's. `R` is what a chunk's replies are read into. */
export interface GraphRecipe<R> {
  /** The method's name. */
  kind: string;
  /** Raised when replies are read or merged in another way. */
  version: number;
  chunking: GraphChunking;
  prompts: readonly PromptFile[];
  /** What else changes the records of a chunk. */
  parameters: { readonly [name: string]: Json };
  extract(chunk: GraphChunk, model: ChatModel): Promise<UnitResult<R>>;
  mentions(extracted: R, chunk: { position: number; id: string }): Iterable<Mention>;
  tables: { readonly [table: string]: TableRecipe };
  /** What changes the embedded texts of the same graph. */
  embedding: { readonly [name: string]: Json };
}
