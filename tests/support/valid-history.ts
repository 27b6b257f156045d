import type { ChatMessage } from "../../core/model.ts";

/**
 * What a provider would refuse in a conversation that is sent to it, or undefined: tool calls without their
 * results right after them in order, results without a call, ids used twice, an empty message, a last message
 * that is the assistant's.
 */
export function historyFault(messages: readonly ChatMessage[]): string | undefined {
  const ids = new Set<string>();
  let open: { id: string; name: string }[] = [];
  for (const [position, message] of messages.entries()) {
    const at = `message ${position}`;
    if (message.role === "system" && position > 0) return `${at}: a system message after the first`;
    if (message.role === "tool") {
      const expected = open.shift();
      if (expected === undefined) return `${at}: a tool result without a call`;
      if (expected.id !== message.toolCallId || expected.name !== message.name) {
        return `${at}: result of ${message.toolCallId}, but ${expected.id} is due`;
      }
      continue;
    }
    if (open.length > 0) return `${at}: ${open.length} tool calls have no result`;
    if (message.role !== "assistant") {
      if (message.content.trim() === "") return `${at}: empty`;
      continue;
    }
    if (message.content.trim() === "" && !message.toolCalls?.length) return `${at}: empty`;
    for (const call of message.toolCalls ?? []) {
      if (call.id === "" || ids.has(call.id)) return `${at}: tool call id "${call.id}" used twice`;
      ids.add(call.id);
    }
    open = (message.toolCalls ?? []).map(({ id, name }) => ({ id, name }));
  }
  if (open.length > 0) return `${open.length} tool calls have no result`;
  const last = messages.at(-1);
  if (last === undefined || last.role === "assistant" || last.role === "system") {
    return "the last message is not the user's or a tool's";
  }
  return undefined;
}
