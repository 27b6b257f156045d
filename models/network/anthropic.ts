import type {
  ChatAnthropic,
  ChatAnthropicCallOptions,
  ChatAnthropicInput,
} from "@langchain/anthropic";
import {
  AIMessage,
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  SystemMessage,
} from "@langchain/core/messages";
import type { Json } from "../../core/json.ts";
import type {
  AssistantMessage,
  ChatMessage,
  Sampling,
  StopReason,
  ToolMessage,
  UserMessage,
} from "../../core/model.ts";
import type { Provider, ProviderReply, ProviderRequest } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { toProviderError } from "./failures.ts";
import { memoise, onceOnly } from "./memoise.ts";
import type { NetworkProviderOptions } from "./options.ts";
import { fromToolCall, spokenText, toToolCall } from "./tool-calls.ts";
import { anthropicTokens } from "./usage.ts";

type AnthropicToolChoice = NonNullable<ChatAnthropicCallOptions["tool_choice"]>;
type Block = { type: string; [key: string]: unknown };

/** Thinking tokens granted per effort; the vendor's smallest budget is 1,024. */
const thinkingBudget = { minimal: 1_024, low: 4_096, medium: 8_192, high: 16_384 };
const keep = { cache_control: { type: "ephemeral" } };

const load = onceOnly(() => import("@langchain/anthropic"));

/** Anthropic's messages API. It has no JSON mode: `responseFormat` is left to the prompt. */
export function anthropicProvider({
  id,
  model,
  key,
  timeoutMs,
  contextTokens,
  identity,
  promptCaching,
  time,
}: NetworkProviderOptions): Provider {
  const clientFor = memoise(async (fields: ChatAnthropicInput) => {
    const { ChatAnthropic } = await load();
    return new ChatAnthropic(fields);
  });
  return {
    id,
    contextTokens,
    offline: false,
    identity,
    ready: async () => {
      await load();
    },
    async send(request, { signal }) {
      const client: ChatAnthropic = await clientFor({
        model,
        apiKey: key,
        anthropicApiUrl: identity.baseUrl,
        maxRetries: 0,
        clientOptions: { baseURL: identity.baseUrl, maxRetries: 0, timeout: timeoutMs },
        streaming: false,
        ...samplingFields(request.sampling ?? {}, request.maxTokens),
      });
      // Only a conversation with tools comes back with the same beginning; elsewhere writing costs more than it saves.
      const marked = promptCaching && request.tools !== undefined;
      const messages = toLangChain(request.messages, marked);
      try {
        const reply = await client.invoke(messages, { ...callOptions(request, marked), signal });
        return readReply(reply);
      } catch (error) {
        throw toProviderError(error, key, time.now());
      }
    },
  };
}

function samplingFields(
  sampling: Sampling,
  maxTokens: number | undefined,
): Partial<ChatAnthropicInput> {
  const { temperature, topP, topK, minP, reasoningEffort, seed } = sampling;
  if (minP !== undefined || seed !== undefined) {
    throw new ProviderError("bad_request", "Anthropic has no minP and no seed");
  }
  if (maxTokens === undefined) {
    throw new ProviderError(
      "bad_request",
      "Anthropic needs maxTokens; set it for the model or the provider",
    );
  }
  const fields: Partial<ChatAnthropicInput> = {
    maxTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
  };
  if (reasoningEffort === undefined || reasoningEffort === "none") return fields;
  const budget = Math.min(thinkingBudget[reasoningEffort], Math.floor(maxTokens / 2));
  if (budget < thinkingBudget.minimal) {
    throw new ProviderError(
      "bad_request",
      `reasoning needs maxTokens of at least 2048, got ${maxTokens}`,
    );
  }
  return { ...fields, thinking: { type: "enabled", budget_tokens: budget } };
}

function callOptions(
  { tools, toolChoice, parallelToolCalls }: ProviderRequest,
  marked: boolean,
): Partial<ChatAnthropicCallOptions> {
  if (tools === undefined) return {};
  const type = toolChoice === "required" ? "any" : (toolChoice ?? "auto");
  const parallel =
    type === "none" ? {} : { disable_parallel_tool_use: !(parallelToolCalls ?? false) };
  return {
    tools: tools.map(({ name, description, parameters }, i) => ({
      name,
      description,
      input_schema: parameters as { type: "object" },
      ...(marked && i === tools.length - 1
        ? { cache_control: { type: "ephemeral" as const } }
        : {}),
    })),
    // The option's type leaves the parallel switch out; the client passes objects on unchanged.
    tool_choice: { type, ...parallel } as unknown as AnthropicToolChoice,
  };
}

/** All results of a turn go into one user message, other text after them (the API wants it so). */
function toLangChain(messages: readonly ChatMessage[], marked: boolean): BaseMessage[] {
  const converted: BaseMessage[] = [];
  let turn: Block[] = [];
  const flush = () => {
    if (turn.length > 0) converted.push(new HumanMessage({ content: turn as ContentBlock[] }));
    turn = [];
  };
  messages.forEach((message, i) => {
    const last = marked && i === messages.length - 1;
    if (message.role === "user" || message.role === "tool") {
      turn.push({ ...userBlock(message), ...(last && message.content !== "" ? keep : {}) });
      if (messages[i + 1]?.role !== "user" && messages[i + 1]?.role !== "tool") flush();
    } else if (message.role === "system") {
      const block = { type: "text", text: message.content, ...(marked ? keep : {}) };
      converted.push(new SystemMessage({ content: [block] as ContentBlock[] }));
    } else {
      converted.push(assistantMessage(message));
    }
  });
  return converted;
}

function userBlock(message: UserMessage | ToolMessage): Block {
  return message.role === "user"
    ? { type: "text", text: message.content }
    : { type: "tool_result", tool_use_id: message.toolCallId, content: message.content };
}

function assistantMessage(message: AssistantMessage): AIMessage {
  const calls = (message.toolCalls ?? []).map(fromToolCall);
  const blocks = anthropicBlocks(message.provider);
  if (blocks !== undefined)
    return new AIMessage({ content: blocks as ContentBlock[], tool_calls: calls });
  return new AIMessage({ content: spokenText(message), tool_calls: calls });
}

function anthropicBlocks(provider: Json | undefined): Block[] | undefined {
  if (typeof provider !== "object" || provider === null || Array.isArray(provider))
    return undefined;
  const blocks = (provider as { anthropic?: unknown }).anthropic;
  return Array.isArray(blocks) ? (blocks as Block[]) : undefined;
}

function readReply(reply: AIMessage): ProviderReply {
  const meta = reply.response_metadata as {
    stop_reason?: string;
    model?: string;
    usage?: { readonly [key: string]: unknown };
  };
  const blocks: Block[] =
    typeof reply.content === "string"
      ? [{ type: "text", text: reply.content }]
      : (reply.content as Block[]);
  const calls = blocks
    .filter((block) => block.type === "tool_use")
    .map((block) => toToolCall(String(block.id), String(block.name), block.input));
  const content = blocks.map((block) => (block.type === "text" ? String(block.text) : "")).join("");
  const opaque = blocks.some((block) => block.type !== "text" && block.type !== "tool_use");
  return {
    message: {
      role: "assistant",
      content,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(opaque ? { provider: { anthropic: blocks as unknown as Json } } : {}),
    },
    stopReason: stopReasonOf(meta.stop_reason, calls.length),
    usage: anthropicTokens(meta.usage ?? {}),
    ...(meta.model === undefined ? {} : { resolvedModel: meta.model }),
  };
}

function stopReasonOf(reason: string | undefined, calls: number): StopReason {
  if (reason === "max_tokens" || reason === "model_context_window_exceeded") return "length";
  if (reason === "refusal") return "refusal";
  return calls > 0 ? "tool_calls" : "stop";
}
