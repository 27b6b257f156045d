import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessage } from "@langchain/core/messages";
import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { createRitRagTools, type Documents } from "ritbench";

/** RIT-RAG's tools in a graph of one's own; a fresh pair for each conversation. */
export async function converse(
  model: BaseChatModel,
  documents: Documents,
  messages: BaseMessage[],
): Promise<BaseMessage[]> {
  const tools = createRitRagTools({ ...documents, parameters: { n: 25 } });
  const withTools = model.bindTools!(tools);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("model", async (state) => ({ messages: [await withTools.invoke(state.messages)] }))
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "model")
    .addConditionalEdges("model", wantsTools, { yes: "tools", no: END })
    .addEdge("tools", "model")
    .compile();
  return (await graph.invoke({ messages })).messages;
}

function wantsTools({ messages }: typeof MessagesAnnotation.State): "yes" | "no" {
  const calls = (messages.at(-1) as { tool_calls?: unknown[] } | undefined)?.tool_calls ?? [];
  return calls.length > 0 ? "yes" : "no";
}
