import type { Json } from "../../core/json.ts";
import type { MethodAnswer } from "../../core/method.ts";
import { countO200k } from "../../core/o200k.ts";
import type { Tracer } from "../../core/trace.ts";
import type { GraphChunk } from "../graph-chunks/index.ts";
import type { Knowledge } from "./knowledge.ts";

/** Characters of a query in a note's line. */
const MOST_QUERY = 200;

/**
 * Leaves in the trace what a graph method laid before its model. Its chunks run over nodes and stand between lines of
 * a table, so they are `shown` by their nodes and not counted as reads; a note holds the chunks and the table sizes.
 */
export function traceShown(tracer: Tracer, query: string, { sources, sizes }: Knowledge): void {
  const nodes = [...new Set(sources.flatMap((chunk) => chunk.nodes))];
  const tokens = sources.reduce((sum, { text }) => sum + countO200k(text), 0);
  tracer.emit({ type: "shown", query, nodes, selected: nodes, tokens });
  const asked = query.length <= MOST_QUERY ? query : `${query.slice(0, MOST_QUERY)}…`;
  const detail: Json = { ...sizes, chunks: sources.map(({ id }) => id) };
  tracer.emit({ type: "note", note: `graph context for: ${asked}`, detail });
}

/** Row numbers that a model names as its sources become chunk ids; anything else stays as it was written. */
export function withChunkIds(answer: MethodAnswer, chunks: readonly GraphChunk[]): MethodAnswer {
  const sources = answer.sources.map((source) => {
    const chunk = /^\d{1,4}$/.test(source) ? chunks[Number(source) - 1] : undefined;
    return chunk?.id ?? source;
  });
  return { ...answer, sources };
}
