import type { Trace, TraceEvent } from "../../core/trace.ts";
import type { PageEvent, PageMessage } from "./page-data.ts";

/** Events of a trace as a page shows them; `indexOf` finds a node's position on the page. */
export function pageEvents(
  trace: Trace,
  indexOf: (nodeId: string) => number | undefined,
): PageEvent[] {
  const results = new Map<string, string>();
  return trace.events.map((event) => {
    if (event.type === "tool_call") results.set(event.id, event.result);
    return pageEvent(event, results, indexOf);
  });
}

function pageEvent(
  event: TraceEvent,
  results: ReadonlyMap<string, string>,
  indexOf: (nodeId: string) => number | undefined,
): PageEvent {
  switch (event.type) {
    case "model_call":
      return {
        type: event.type,
        task: event.task,
        role: event.role,
        model: event.model,
        messages: event.messages.map((message): PageMessage => {
          if (message.role === "tool" && results.get(message.toolCallId) === message.content) {
            return { role: "tool", name: message.name, asAbove: true };
          }
          return { role: message.role, content: message.content };
        }),
        carriedMessages: event.carriedMessages,
        tools: (event.tools ?? []).map(({ name }) => name),
        reply: event.reply,
        toolCalls: (event.toolCalls ?? []).map((call) => ({
          name: call.name,
          arguments: call.arguments,
          invalid: call.invalid ?? null,
        })),
        stopReason: event.stopReason,
        usage: event.usage,
      };
    case "tool_call":
      return {
        type: event.type,
        name: event.name,
        arguments: event.arguments,
        result: event.result,
        refused: event.refused ?? null,
      };
    case "retrieved":
      return {
        type: event.type,
        query: event.query,
        mode: event.mode,
        chunks: event.chunks,
      };
    case "shown":
      return {
        type: event.type,
        query: event.query,
        nodes: event.nodes.length,
        selected: event.selected.length,
        tokens: event.tokens,
      };
    case "read":
      return {
        type: event.type,
        items: event.items.map(({ kind, id, spans, tokens }) => ({
          kind,
          id,
          node: indexOf(spans[0]?.nodeId ?? id) ?? null,
          tokens,
        })),
      };
    default: {
      const { atMs: _, ...rest } = event;
      return rest;
    }
  }
}
