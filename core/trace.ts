import type { ChunkId, DocumentId, NodeId } from "./ids.ts";
import type { Json } from "./json.ts";
import type { ChatMessage, ModelRole, StopReason, ToolDefinition } from "./model.ts";
import type { Usage } from "./usage.ts";

/** A stretch of a node's own text, `[start, end)` in UTF-16 units. */
export interface TextSpan {
  nodeId: NodeId;
  start: number;
  end: number;
}

/** Text that entered the model's context. The same shape serves chunk, page and node methods. */
export interface ReadItem {
  kind: "chunk" | "node" | "page";
  /** Chunk id, node id, or `docId p.N` (1-based N). Unique per item; a second read of the same id is not a new item. */
  id: string;
  documentId: DocumentId;
  spans: readonly TextSpan[];
  /** 0-based, for `page` items. */
  page?: number;
  /** Length of the text in tokens of the chunk tokenizer, or o200k where none is at hand. */
  tokens: number;
}

/** What happened while one question was answered, in order. `atMs` counts from the start of the question. */
export type TraceEvent = { atMs: number } & (
  | {
      type: "model_call";
      task: string;
      role: ModelRole;
      model: string;
      /** The prompt after its first `carriedMessages` messages. An emitter gives the whole prompt and 0. */
      messages: readonly ChatMessage[];
      /** How many messages the prompt shares with an earlier call of this trace: that call's prompt and reply, from the start. */
      carriedMessages: number;
      /** Which earlier model call of this trace (from 0) that is; absent = the one before. */
      carriedFrom?: number;
      tools?: readonly ToolDefinition[];
      reply: string;
      toolCalls?: readonly { id: string; name: string; arguments: Json; invalid?: string }[];
      stopReason: StopReason;
      usage: Usage;
    }
  | {
      type: "tool_call";
      id: string;
      name: string;
      arguments: Json;
      result: string;
      refused?: string;
      durationMs: number;
    }
  /** A ranking as the retriever gave it. */
  | {
      type: "retrieved";
      query: string;
      mode: string;
      chunks: readonly ChunkId[];
      durationMs: number;
    }
  /** Titles (and summaries) laid before the model, not text. `nodes` in the order shown, `selected` = the n best. */
  | {
      type: "shown";
      query: string;
      nodes: readonly NodeId[];
      selected: readonly NodeId[];
      tokens: number;
    }
  | { type: "read"; items: readonly ReadItem[] }
  | { type: "limit"; limit: "budget" | "search_budget" | "context" | "turns"; detail: string }
  | { type: "note"; note: string; detail?: Json }
  | { type: "error"; code: string; message: string }
);

/** Collects the events of one question. */
export interface Tracer {
  emit(event: TraceEventInput): void;
}

type WithoutTime<T> = T extends unknown ? Omit<T, "atMs"> : never;
/** An event as an emitter gives it; the tracer adds the time. */
export type TraceEventInput = WithoutTime<TraceEvent>;

/** A finished trace as stored: its record's key and its events. */
export interface Trace {
  schema: "ritbench.trace/1";
  key: string;
  events: readonly TraceEvent[];
}
