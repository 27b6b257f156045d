import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageFields, type BaseMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  type LangGraphRunnableConfig,
  MessagesAnnotation,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { describeSource, type SourceReference } from "../core/corpus/source.ts";
import type { AskedQuestion, MethodAnswer, Outcome, SharedResources } from "../core/method.ts";
import type { ReadItem, TraceEvent, TraceEventInput } from "../core/trace.ts";
import { inputTokens, sumUsage, type Usage } from "../core/usage.ts";
import { createRitRag, type RitRagConfig } from "../methods/rit-rag/index.ts";
import { langchainChatModel } from "../models/langchain-chat-model.ts";
import { createTracer } from "../pipelines/tracing/tracer.ts";
import { questionOf } from "./question.ts";

export interface RitRagAgentOptions {
  /** Any LangChain chat model with tool calling; its sampling, length and retries are its own. */
  model: BaseChatModel;
  /** From `openDocuments`, or a corpus of your own with chunks, retriever, embedder and metadata. */
  documents: SharedResources;
  /** n, k', B and Bs of the paper, and the method's variants. */
  parameters?: RitRagConfig;
  /** The model's window in tokens; absent = as its profile says, else 32,768. */
  contextTokens?: number;
}

const RitRagState = Annotation.Root({
  ...MessagesAnnotation.spec,
  /** The answer alone, as in the message that is appended. */
  answer: Annotation<string>,
  reasoning: Annotation<string>,
  /** What the answer names as its sources; without `documentId` where the corpus has no such id. */
  sources: Annotation<readonly SourceReference[]>,
  outcome: Annotation<Outcome>,
  /** Nodes whose text the model has read, in order. */
  reads: Annotation<readonly ReadItem[]>,
});

/** State of the graph after a question. */
export type RitRagAgentState = typeof RitRagState.State;

/**
 * RIT-RAG as a compiled LangGraph graph over a list of messages. The last human message is the question; what was said
 * before goes with it. The answer is appended as an `AIMessage` with the tokens of all calls; `answer`, `reasoning`,
 * `sources`, `outcome` and `reads` are in the state.
 *
 * With `streamMode: "custom"` the events of the trace come as they happen (`TraceEvent`): `model_call`, `tool_call`,
 * `retrieved`, `shown` (the sub-forest), `read`, `limit`.
 *
 * The graph keeps nothing between calls and can serve several conversations at once.
 *
 * @throws RitbenchError E_MODEL_TOOLS for a model without `bindTools`; a run rejects with E_AGENT_QUESTION without a
 *   human message, and with `ModelError` when a model call fails.
 *
 * @example
 * const agent = createRitRagAgent({ model: new ChatOpenAI({ model: "gpt-5-mini" }), documents });
 * const { answer, sources } = await agent.invoke({ messages: [new HumanMessage("How long is the warranty?")] });
 */
export function createRitRagAgent({
  model,
  documents,
  parameters = {},
  contextTokens,
}: RitRagAgentOptions) {
  const method = createRitRag(parameters);
  const chatModel = langchainChatModel({
    model,
    ...(contextTokens === undefined ? {} : { contextTokens }),
  });
  return new StateGraph(RitRagState)
    .addNode("rit-rag", async ({ messages }, config: LangGraphRunnableConfig) => {
      const tracer = createTracer(() => performance.now());
      const forward = (event: TraceEventInput) => {
        tracer.emit(event);
        config.writer?.(tracer.events.at(-1));
      };
      const question: AskedQuestion = {
        id: "question" as AskedQuestion["id"],
        text: questionOf(messages),
      };
      const answer = await method.answer(question, {
        ...documents,
        model: chatModel,
        tracer: { emit: forward },
        signal: config.signal ?? new AbortController().signal,
      });
      return stateOf(documents, answer, tracer.events);
    })
    .addEdge(START, "rit-rag")
    .addEdge("rit-rag", END)
    .compile({ name: "rit-rag" });
}

function stateOf(
  documents: SharedResources,
  { answer, reasoning, sources, outcome }: MethodAnswer,
  events: readonly TraceEvent[],
): RitRagAgentState {
  const usages = events.flatMap((event) => (event.type === "model_call" ? [event.usage] : []));
  return {
    messages: [answerMessage(answer, outcome, sumUsage(usages))],
    answer,
    reasoning,
    sources: sources.map((id) => describeSource(documents, id)),
    outcome,
    reads: events.flatMap((event) => (event.type === "read" ? event.items : [])),
  };
}

function answerMessage(answer: string, outcome: Outcome, usage: Usage): BaseMessage {
  const [input, output] = [inputTokens(usage), usage.outputTokens];
  return new AIMessage({
    content: answer,
    response_metadata: { outcome },
    usage_metadata: { input_tokens: input, output_tokens: output, total_tokens: input + output },
    // The class infers usage_metadata as a field that is never there.
  } as unknown as AIMessageFields);
}
