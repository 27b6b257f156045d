import type { AskedQuestion, MethodAnswer, MethodContext } from "../../core/method.ts";
import type { ChatMessage } from "../../core/model.ts";
import { answerOnce } from "../answer-format/answer-once.ts";
import type { GraphChunk } from "../graph-chunks/index.ts";
import type { Graph } from "../graph-store/graph.ts";
import type { Knowledge } from "../graph-store/knowledge.ts";
import { traceShown, withChunkIds } from "../graph-store/show.ts";
import { callModel } from "../tracing/call-model.ts";

/** One question over a graph: what a method answers it with, and the marks that its answer collects. */
export interface GraphQuestion extends AskedQuestion {
  readonly graph: Graph;
  readonly signal: AbortSignal;
  readonly flags: ReadonlySet<string>;
  /** A call on the way to the answer; gives the reply's text. `hints` are for the offline model. */
  ask(task: string, messages: readonly ChatMessage[], hints: Hints): Promise<string>;
  /** The found terms, or the question itself where a stage gave none; that is noted and marks the answer. */
  orItself(terms: readonly string[], stage: string): readonly string[];
  /** Leaves in the trace what is laid before the model; nothing at all is noted and marks the answer. */
  show(query: string, knowledge: Knowledge): void;
  /** The last call. Row numbers of the tables shown last that the answer names as its sources become chunk ids. */
  answer(task: string, messages: readonly ChatMessage[], hints: Hints): Promise<MethodAnswer>;
}

type Hints = { readonly [name: string]: string };

/** @param marks flags that every answer from this graph has */
export function graphQuestion(
  { id, text }: AskedQuestion,
  context: MethodContext,
  graph: Graph,
  marks: readonly string[],
): GraphQuestion {
  const { tracer, signal, corpus } = context;
  const flags = new Set(marks);
  const fallback = (note: string): void => {
    tracer.emit({ type: "note", note });
    flags.add("fallbackUsed");
  };
  const described = ({ documentId, text: content }: GraphChunk) => ({
    heading: corpus.findDocument(documentId)?.title ?? "",
    text: content,
  });
  let sources: GraphChunk[] = [];
  const requestOf = (task: string, messages: readonly ChatMessage[], hints: Hints) => ({
    task,
    messages,
    hints: { question: text, sources: sources.map(described), ...hints },
  });
  return {
    id,
    text,
    graph,
    signal,
    flags,
    async ask(task, messages, hints) {
      return (await callModel(context, requestOf(task, messages, hints))).message.content;
    },
    orItself(terms, stage) {
      if (terms.length > 0) return terms;
      fallback(`${stage}: the question itself is searched for`);
      return [text];
    },
    show(query, knowledge) {
      const { entities, relationships } = knowledge.sizes;
      if (entities + relationships === 0) fallback("nothing was found in the graph");
      traceShown(tracer, query, knowledge);
      sources = knowledge.sources;
    },
    async answer(task, messages, hints) {
      const reply = await answerOnce(context, requestOf(task, messages, hints), [...flags]);
      return withChunkIds(reply, sources);
    },
  };
}
