import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { Json } from "../core/json.ts";
import type { AssistantMessage, ChatMessage, ModelReply, StopReason } from "../core/model.ts";
import { countO200k } from "../core/o200k.ts";
import { fromToolCall, spokenText, toToolCall } from "./network/tool-calls.ts";
import type { TokenCounts } from "./provider.ts";

type Reply = Omit<ModelReply, "usage"> & { usage: TokenCounts };

/** What an integration may want back unchanged: thinking with its signature, reasoning items, its own copies. */
interface Original {
  content: AIMessage["content"];
  additional_kwargs: AIMessage["additional_kwargs"];
  response_metadata: AIMessage["response_metadata"];
  id?: string;
}

/** A conversation as LangChain messages. */
export function toLangChainMessages(messages: readonly ChatMessage[]): BaseMessage[] {
  return messages.map(toLangChainMessage);
}

function toLangChainMessage(message: ChatMessage): BaseMessage {
  switch (message.role) {
    case "system":
      return new SystemMessage(message.content);
    case "user":
      return new HumanMessage(message.content);
    case "tool": {
      const { content, toolCallId, name } = message;
      return new ToolMessage({ content, tool_call_id: toolCallId, name });
    }
    case "assistant":
      return assistantMessage(message);
  }
}

function assistantMessage(message: AssistantMessage): AIMessage {
  const original = (message.provider as { langchain?: unknown } | undefined)?.langchain;
  return new AIMessage({
    content: spokenText(message),
    ...(original as Original | undefined),
    tool_calls: (message.toolCalls ?? []).map(fromToolCall),
  });
}

/** @param prompt the text of the request, counted where the message has no `usage_metadata`. */
export function readLangChainReply(message: AIMessage, prompt: string): Reply {
  const calls = [
    ...(message.tool_calls ?? []).map(({ id, name, args }) => toToolCall(id ?? "", name, args)),
    ...(message.invalid_tool_calls ?? []).map(({ id, name, args }) => ({
      ...toToolCall(id ?? "", name ?? "", {}),
      invalid: args ?? "",
    })),
  ];
  const refusal = message.additional_kwargs.refusal;
  const refused = typeof refusal === "string" && refusal !== "";
  const content = message.text === "" && refused ? refusal : message.text;
  const { model_name, model } = message.response_metadata as {
    model_name?: unknown;
    model?: unknown;
  };
  const resolved = [model_name, model].find((name) => typeof name === "string" && name !== "");
  return {
    message: {
      role: "assistant",
      content,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...providerOf(message),
    },
    stopReason: refused ? "refusal" : stopReasonOf(message, calls.length),
    usage: tokensOf(message, prompt, content + (calls.length === 0 ? "" : JSON.stringify(calls))),
    ...(resolved === undefined ? {} : { resolvedModel: resolved as string }),
  };
}

/** Kept only where the message is more than text and calls. */
function providerOf(message: AIMessage): { provider?: Json } {
  const { content, additional_kwargs, response_metadata, id } = message;
  if (typeof content === "string" && Object.keys(additional_kwargs).length === 0) return {};
  const original: Original = {
    content,
    additional_kwargs,
    response_metadata,
    ...(id === undefined ? {} : { id }),
  };
  return { provider: { langchain: original as unknown as Json } };
}

const cut = /^(length|max_?tokens|max_output_tokens|model_context_window_exceeded|incomplete)$/;
const blocked =
  /^(refusal|content_filter|content_filtered|guardrail_intervened|safety|recitation|blocklist|prohibited_content|spii)$/;

/** Every vendor has words of its own, and another place for them. */
function stopReasonOf({ response_metadata }: AIMessage, calls: number): StopReason {
  const meta = response_metadata as Record<string, unknown>;
  const { incomplete_details } = meta as { incomplete_details?: { reason?: unknown } | null };
  const reasons = [
    incomplete_details?.reason,
    meta.finish_reason,
    meta.finishReason,
    meta.stop_reason,
    meta.stopReason,
    meta.done_reason,
  ].flatMap((reason) => (typeof reason === "string" ? [reason.toLowerCase()] : []));
  if (reasons.some((reason) => blocked.test(reason))) return "refusal";
  if (reasons.some((reason) => cut.test(reason))) return "length";
  return calls > 0 ? "tool_calls" : "stop";
}

/** `input_tokens` includes cached ones, `output_tokens` reasoning, in every integration. */
function tokensOf(message: AIMessage, prompt: string, said: string): TokenCounts {
  // The class infers this field as never there.
  const reported = message.usage_metadata as UsageMetadata | undefined;
  if (reported === undefined) {
    return {
      uncachedInputTokens: countO200k(prompt),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: countO200k(said),
      reasoningTokens: 0,
    };
  }
  const { input_tokens, output_tokens, input_token_details, output_token_details } = reported;
  const read = Math.min(input_tokens, input_token_details?.cache_read ?? 0);
  const write = Math.min(input_tokens - read, input_token_details?.cache_creation ?? 0);
  return {
    uncachedInputTokens: input_tokens - read - write,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: output_tokens,
    reasoningTokens: output_token_details?.reasoning ?? 0,
  };
}
