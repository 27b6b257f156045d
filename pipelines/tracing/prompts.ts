import type { AssistantMessage, ChatMessage } from "../../core/model.ts";
import type { TraceEvent } from "../../core/trace.ts";

type ModelCallEvent = Extract<TraceEvent, { type: "model_call" }>;

/** The assistant message that a model call ended with, as far as a trace keeps it. */
export function replyMessage({
  reply,
  toolCalls,
}: Pick<ModelCallEvent, "reply" | "toolCalls">): AssistantMessage {
  return { role: "assistant", content: reply, ...(toolCalls?.length ? { toolCalls } : {}) };
}

/** The whole prompt of every model call of a trace, in order: the inverse of the tracer's shortening. */
export function fullPrompts(events: readonly TraceEvent[]): ChatMessage[][] {
  const prompts: ChatMessage[][] = [];
  const conversations: ChatMessage[][] = [];
  for (const event of events) {
    if (event.type !== "model_call") continue;
    const from = event.carriedFrom ?? conversations.length - 1;
    const prompt = [
      ...(conversations[from] ?? []).slice(0, event.carriedMessages),
      ...event.messages,
    ];
    prompts.push(prompt);
    conversations.push([...prompt, replyMessage(event)]);
  }
  return prompts;
}
