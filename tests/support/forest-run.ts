import type { Corpus, DocumentTree } from "../../core/corpus/corpus.ts";
import { buildCorpus } from "../../core/corpus/writer.ts";
import type { ChunkId, DocumentId, NodeHandle, NodeId } from "../../core/ids.ts";
import type { ReadItem, TraceEventInput } from "../../core/trace.ts";
import { noUsage } from "../../core/usage.ts";
import { question } from "./run-fixture.ts";
import { type WrittenAnswer, writeRunFolder } from "./written-run.ts";

export const forestMethods = [
  { name: "vanilla", title: "Vanilla RAG" },
  { name: "rit-rag", title: "RIT-RAG" },
] as const;

export interface ForestRun {
  folder: string;
  corpus: Corpus;
}

export interface ForestRunOptions {
  folder: string;
  corporaFolder: string;
  trees: readonly DocumentTree[];
  /** Text of the question, of the answers and of the judge. */
  words?: string;
}

/** Reports of `count` companies with four chapters of `sections` sections each. */
export function reportTrees(count: number, sections: number): DocumentTree[] {
  return Array.from({ length: count }, (_, report) => ({
    title: `Annual report of company ${report + 1}`,
    documentId: `company-${report + 1}`,
    children: ["Business", "Results", "Risks", "Statements"].map((chapter) => ({
      title: chapter,
      children: Array.from({ length: sections }, (_, section) => ({
        title: `${chapter}, section ${section + 1}`,
        text: `Revenue of company ${report + 1} in ${chapter} ${section + 1} was ${section + 7} crowns.`,
      })),
    })),
  }));
}

/**
 * A run of two questions over a forest of which RIT-RAG is shown every node: it reads three nodes, one of them gold
 * (the fourth with text), and is right; Vanilla RAG reads another and is wrong.
 */
export async function forestRun(options: ForestRunOptions): Promise<ForestRun> {
  const { folder, corporaFolder, trees, words = "plain words" } = options;
  const corpus = await buildCorpus({ corporaFolder, dataset: "toy", singleTree: false }, (sink) => {
    for (const tree of trees) sink.tree(tree);
  });
  const nodes = Array.from({ length: corpus.nodeCount }, (_, node) => node as NodeHandle);
  const readable = nodes.filter((node) => corpus.readable(node));
  const gold = corpus.nodeId(readable[3]!);
  const unit = { kind: "node" as const, nodeId: gold };
  const items = (picked: readonly (NodeHandle | undefined)[]): ReadItem[] =>
    picked.filter((node) => node !== undefined).map((node) => readOf(corpus, node));
  writeRunFolder({
    folder,
    name: words,
    corpus,
    methods: forestMethods,
    questions: ["q1", "q2"].map((id) =>
      question(id, {
        text: `What was the revenue (${id})? ${words}`,
        goldAnswers: [`12 crowns ${words}`],
        evidence: [{ annotator: words, units: [unit] }],
        meta: { about: words },
      }),
    ),
    answer(_, method): WrittenAnswer {
      const own = method === "rit-rag";
      const read = own ? items([readable[1], readable[3], readable[6]]) : items([readable[1]]);
      const shown = nodes.map((node) => corpus.nodeId(node));
      return {
        record: {
          answer: own ? `It was 12 crowns. ${words}` : `Nobody knows. ${words}`,
          reasoning: words,
          sources: [words],
          reads: read,
          shownNodes: own ? shown : [],
          toolCalls: own ? { get_toc_structure: 1, get_content: 1 } : {},
        },
        events: own ? ritRagEvents(shown, read, words) : vanillaEvents(read, words),
        correct: own,
        reply: `The judge says: ${words}`,
        units: [{ unit, retrieved: own, shown: own, read: own }],
      };
    },
  });
  return { folder, corpus };
}

function readOf(corpus: Corpus, node: NodeHandle): ReadItem {
  return {
    kind: "node",
    id: corpus.nodeId(node),
    documentId: corpus.document(corpus.documentIndex(node)).id as DocumentId,
    spans: [{ nodeId: corpus.nodeId(node), start: 0, end: corpus.textLength(node) }],
    tokens: 21,
  };
}

function ritRagEvents(
  shown: readonly NodeId[],
  read: readonly ReadItem[],
  words: string,
): TraceEventInput[] {
  const toc = `[{"title": ${JSON.stringify(words)}}]`;
  return [
    modelCall("rit-rag.turn", "", words, [
      { id: "c1", name: "get_toc_structure", arguments: { query: words } },
    ]),
    {
      type: "retrieved",
      query: words,
      mode: "hybrid",
      chunks: read.map(({ id }) => `${id}#0` as ChunkId),
      durationMs: 1,
    },
    {
      type: "tool_call",
      id: "c1",
      name: "get_toc_structure",
      arguments: { query: words },
      result: toc,
      durationMs: 1,
    },
    { type: "shown", query: words, nodes: shown, selected: shown.slice(0, 50), tokens: 900 },
    modelCall("rit-rag.turn", `Reading. ${words}`, words, [
      { id: "c2", name: "get_content", arguments: { ids: read.map(({ id }) => id) } },
    ]),
    {
      type: "tool_call",
      id: "c2",
      name: "get_content",
      arguments: { ids: read.map(({ id }) => id) },
      result: words,
      durationMs: 1,
    },
    { type: "read", items: read },
    { type: "note", note: words, detail: { words } },
    { type: "limit", limit: "search_budget", detail: words },
    { type: "error", code: "E_TOY", message: words },
    modelCall("rit-rag.turn", `It was 12 crowns. ${words}`, words),
  ];
}

function vanillaEvents(read: readonly ReadItem[], words: string): TraceEventInput[] {
  return [{ type: "read", items: read }, modelCall("vanilla.answer", words, words)];
}

function modelCall(
  task: string,
  reply: string,
  words: string,
  toolCalls: { id: string; name: string; arguments: { [name: string]: string | string[] } }[] = [],
): TraceEventInput {
  return {
    type: "model_call",
    task,
    role: "answer",
    model: "toy:model",
    messages: [{ role: "user", content: words }],
    carriedMessages: 0,
    reply,
    toolCalls,
    stopReason: toolCalls.length > 0 ? "tool_calls" : "stop",
    usage: { ...noUsage, uncachedInputTokens: 400, outputTokens: 30, llmMs: 300, costUsd: 0.0005 },
  };
}
