import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage } from "@langchain/core/messages";
import { createRitRagAgent, type Documents, type TraceEvent } from "ritbench";

/** Asks RIT-RAG one question; `say` gets a line for each step and the answer with its sources. */
export async function askMyDocs(
  model: BaseChatModel,
  documents: Documents,
  question: string,
  say: (line: string) => void,
): Promise<void> {
  const agent = createRitRagAgent({ model, documents, parameters: { n: 25 } });
  const stream = await agent.stream(
    { messages: [new HumanMessage(question)] },
    { streamMode: ["custom", "values"] },
  );
  let state: Awaited<ReturnType<typeof agent.invoke>> | undefined;
  for await (const [mode, chunk] of stream) {
    if (mode === "custom") say(describe(chunk as TraceEvent));
    else state = chunk as typeof state;
  }
  say(`${state?.outcome}: ${state?.answer}`);
  for (const { titlePath, documentId, pages } of state?.sources ?? []) {
    say(`source: ${titlePath.join(" > ")} (${documentId}${pages ? `, p. ${pages[0]}` : ""})`);
  }
}

function describe(event: TraceEvent): string {
  switch (event.type) {
    case "shown":
      return `shown: ${event.nodes.length} titles for "${event.query}"`;
    case "read":
      return `read: ${event.items.map(({ id }) => id).join(", ")}`;
    default:
      return event.type;
  }
}
