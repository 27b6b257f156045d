import type { Json } from "../../core/json.ts";
import type { AssistantMessage, ChatMessage, ToolCall } from "../../core/model.ts";

/** A tool call whose arguments came as a value or as JSON text; anything but an object is `invalid`. */
export function toToolCall(id: string, name: string, raw: unknown): ToolCall {
  let value = raw;
  if (typeof raw === "string") {
    if (raw.trim() === "") return { id, name, arguments: {} };
    try {
      value = JSON.parse(raw);
    } catch {
      return { id, name, arguments: {}, invalid: raw };
    }
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return {
      id,
      name,
      arguments: {},
      invalid: typeof raw === "string" ? raw : JSON.stringify(raw),
    };
  }
  return { id, name, arguments: value as Json };
}

/** The shape LangChain messages carry a call in. An invalid call goes back with no arguments: servers refuse broken JSON. */
export function fromToolCall(call: ToolCall): {
  type: "tool_call";
  id: string;
  name: string;
  args: Record<string, unknown>;
} {
  const args = call.arguments;
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args);
  return {
    type: "tool_call",
    id: call.id,
    name: call.name,
    args: call.invalid === undefined && isObject ? (args as Record<string, unknown>) : {},
  };
}

/** An assistant's text as it goes back: Anthropic and Gemini refuse a turn of theirs with nothing in it. */
export function spokenText({ content, toolCalls }: AssistantMessage): string {
  return content === "" && (toolCalls?.length ?? 0) === 0 ? "(no text)" : content;
}

/** Tool calls of a conversation so far: where a vendor gives calls no id, the next one is numbered from here. */
export function callsIn(messages: readonly ChatMessage[]): number {
  return messages.reduce(
    (n, m) => n + (m.role === "assistant" ? (m.toolCalls?.length ?? 0) : 0),
    0,
  );
}
