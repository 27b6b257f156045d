import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ChatOpenAICompletions, ChatOpenAIFields } from "@langchain/openai";
import type { Json } from "../../core/json.ts";
import type { AssistantMessage, ChatMessage, StopReason } from "../../core/model.ts";
import type { Provider, ProviderReply, ProviderRequest } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { toProviderError } from "./failures.ts";
import { memoise, onceOnly } from "./memoise.ts";
import type { NetworkProviderOptions } from "./options.ts";
import { callsIn, fromToolCall, toToolCall } from "./tool-calls.ts";
import { openaiTokens } from "./usage.ts";

/** The part of a chat completion that is read; the client checks nothing. */
interface Completion {
  model?: string;
  usage?: { readonly [key: string]: unknown };
  choices?: {
    finish_reason?: string;
    message?: {
      content?: string | null;
      refusal?: string | null;
      reasoning_content?: string | null;
      tool_calls?: { id?: string; function?: { name?: string; arguments?: unknown } }[] | null;
    };
  }[];
}

/** The stock class, except that the completion is handed on as it came; refusals and broken arguments are read here. */
const load = onceOnly(async () => {
  const { ChatOpenAICompletions } = await import("@langchain/openai");
  return class RawCompletions extends ChatOpenAICompletions {
    protected override _convertCompletionsMessageToBaseMessage(_: unknown, raw: object) {
      return new AIMessage({ content: "", additional_kwargs: { raw } });
    }
  };
});

/**
 * OpenAI's chat completions, and every server that speaks them (`openai-compatible`: Ollama, vLLM,
 * llama.cpp). `topK`, `minP` and switching thinking off go to compatible servers only.
 */
export function openaiProvider({
  id,
  model,
  key,
  timeoutMs,
  contextTokens,
  identity,
  time,
}: NetworkProviderOptions): Provider {
  const compatible = identity.provider === "openai-compatible";
  const clientFor = memoise(async (fields: ChatOpenAIFields) => {
    const Client = await load();
    return new Client(fields);
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
      const { temperature, topP, topK, minP, reasoningEffort, seed } = request.sampling ?? {};
      if (!compatible && (topK !== undefined || minP !== undefined)) {
        throw new ProviderError("bad_request", "OpenAI has no topK and no minP sampling");
      }
      const extra: { [key: string]: Json } = {};
      if (topK !== undefined) extra.top_k = topK;
      if (minP !== undefined) extra.min_p = minP;
      if (reasoningEffort !== undefined) {
        if (compatible && reasoningEffort === "none") {
          extra.chat_template_kwargs = { enable_thinking: false };
        } else {
          extra.reasoning_effort = reasoningEffort;
        }
      }
      const client: ChatOpenAICompletions = await clientFor({
        model,
        apiKey: key,
        maxRetries: 0,
        timeout: timeoutMs,
        streaming: false,
        configuration: { baseURL: identity.baseUrl, maxRetries: 0 },
        modelKwargs: extra,
        ...(temperature === undefined ? {} : { temperature }),
        ...(topP === undefined ? {} : { topP }),
        ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
      });
      const messages = request.messages.map(toLangChain);
      try {
        const reply = await client.invoke(messages, { ...callOptions(request, seed), signal });
        return readReply(reply.additional_kwargs.raw as Completion, callsIn(request.messages));
      } catch (error) {
        throw toProviderError(error, key, time.now());
      }
    },
  };
}

function callOptions(
  { tools, toolChoice, parallelToolCalls, responseFormat }: ProviderRequest,
  seed?: number,
) {
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(responseFormat === "json" ? { response_format: { type: "json_object" as const } } : {}),
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: "function" as const,
            function: { name, description, parameters },
          })),
          tool_choice: toolChoice ?? "auto",
          parallel_tool_calls: parallelToolCalls ?? false,
        }),
  };
}

function toLangChain(message: ChatMessage): BaseMessage {
  switch (message.role) {
    case "system":
      return new SystemMessage(message.content);
    case "user":
      return new HumanMessage(message.content);
    case "tool":
      return new ToolMessage({ content: message.content, tool_call_id: message.toolCallId });
    case "assistant":
      return new AIMessage({
        content: message.content,
        tool_calls: (message.toolCalls ?? []).map(fromToolCall),
      });
  }
}

function readReply(raw: Completion, earlierCalls: number): ProviderReply {
  const choice = raw.choices?.[0];
  if (choice?.message === undefined) {
    throw new ProviderError("server", "the reply has no message in it");
  }
  const { message, finish_reason: finish } = choice;
  const calls = (message.tool_calls ?? []).map((call, i) =>
    toToolCall(
      call.id ?? `call_${earlierCalls + i}`,
      call.function?.name ?? "",
      call.function?.arguments ?? "",
    ),
  );
  const refused = typeof message.refusal === "string" && message.refusal !== "";
  const content = refused ? message.refusal! : (message.content ?? "");
  const reply: AssistantMessage = {
    role: "assistant",
    content,
    ...(calls.length === 0 ? {} : { toolCalls: calls }),
  };
  return {
    message: reply,
    stopReason: refused ? "refusal" : stopReasonOf(finish, calls.length),
    usage: openaiTokens(raw.usage ?? {}),
    ...(raw.model === undefined ? {} : { resolvedModel: raw.model }),
  };
}

function stopReasonOf(finish: string | undefined, calls: number): StopReason {
  if (finish === "length") return "length";
  if (finish === "content_filter") return "refusal";
  // Some compatible servers say "stop" beside tool calls.
  return calls > 0 ? "tool_calls" : "stop";
}
