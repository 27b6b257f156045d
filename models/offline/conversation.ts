import type { Json } from "../../core/json.ts";
import type { ProviderRequest } from "../provider.ts";

/** One tool call of the conversation with its result, parsed where it is JSON. */
export interface CalledTool {
  name: string;
  arguments: Json;
  result: Json;
}

/** What the offline model makes of an agent's messages. */
export interface Conversation {
  question: string;
  calls: readonly CalledTool[];
  /** Tools are switched off, or the context warning stands. */
  mustAnswer: boolean;
}

/** Reads an agent's request: its question and what its tools have returned so far. */
export function readConversation({
  messages,
  hints,
  toolChoice,
  tools,
}: ProviderRequest): Conversation {
  const results = new Map<string, Json>();
  for (const message of messages) {
    if (message.role === "tool") results.set(message.toolCallId, jsonOf(message.content));
  }
  const calls = messages.flatMap((message) =>
    message.role === "assistant"
      ? (message.toolCalls ?? []).map((call) => ({
          name: call.name,
          arguments: call.arguments,
          result: results.get(call.id) ?? null,
        }))
      : [],
  );
  const first = messages.find(({ role }) => role === "user")?.content ?? "";
  const warned = messages.at(-1)?.content.includes("\n[CONTEXT WARNING]") ?? false;
  return {
    question: typeof hints?.question === "string" ? hints.question : first,
    calls,
    mustAnswer: warned || toolChoice === "none" || !tools?.length,
  };
}

/** The objects of a result: an array, or the array under `key` where a notice came along. */
export function resultItems(result: Json, key: string): { readonly [field: string]: Json }[] {
  const list = isObject(result) ? result[key] : result;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** A field as text; empty where it is none. */
export function textField(item: { readonly [field: string]: Json }, field: string): string {
  const value = item[field];
  return typeof value === "string" ? value : "";
}

export function isObject(value: Json | undefined): value is { readonly [field: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
