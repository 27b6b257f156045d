import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ChatGoogleGenerativeAI, GoogleGenerativeAIChatInput } from "@langchain/google-genai";
import type { Json } from "../../core/json.ts";
import type { AssistantMessage, ChatMessage, Sampling, StopReason } from "../../core/model.ts";
import type { Provider, ProviderReply, ProviderRequest } from "../provider.ts";
import { ProviderError } from "../provider-error.ts";
import { toProviderError } from "./failures.ts";
import { onceOnly } from "./memoise.ts";
import type { NetworkProviderOptions } from "./options.ts";
import { callsIn, fromToolCall, spokenText, toToolCall } from "./tool-calls.ts";
import { googleTokens } from "./usage.ts";

type Complete = ChatGoogleGenerativeAI["completionWithRetry"];
interface WireRequest {
  contents: { role: string; parts: { functionResponse?: unknown }[] }[];
  generationConfig?: { seed?: number };
}

/** The part of a generateContent reply that is read; the client checks nothing. */
interface Generated {
  modelVersion?: string;
  usageMetadata?: { readonly [key: string]: unknown };
  promptFeedback?: { blockReason?: string };
  candidates?: {
    finishReason?: string;
    finishMessage?: string;
    content?: { parts?: Part[] };
  }[];
}
interface Part {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { id?: string; name?: string; args?: unknown };
}

/** Under this key LangChain looks for the signatures of function calls that must travel back. */
const signaturesKey = "__gemini_function_call_thought_signatures__";
const thinkingBudget = { none: 0, minimal: 512, low: 1_024, medium: 8_192, high: 24_576 };
const blocked = new Set([
  "SAFETY",
  "RECITATION",
  "BLOCKLIST",
  "PROHIBITED_CONTENT",
  "SPII",
  "LANGUAGE",
  "IMAGE_SAFETY",
]);

const load = onceOnly(() => import("@langchain/google-genai"));

/** Google's Gemini API (generateContent). */
export function googleProvider(options: NetworkProviderOptions): Provider {
  const { id, model, key, contextTokens, identity, time } = options;
  return {
    id,
    contextTokens,
    offline: false,
    identity,
    ready: async () => {
      await load();
    },
    async send(request, { signal }) {
      const { seed, minP, ...sampling } = request.sampling ?? {};
      if (minP !== undefined) throw new ProviderError("bad_request", "Google has no minP sampling");
      const fields = { ...clientFields(options, sampling, request), model, apiKey: key };
      const messages = toLangChain(request.messages);
      const call = await tappedClient(fields, seed, signal);
      try {
        await call.client.invoke(messages, { ...callOptions(request), signal });
      } catch (error) {
        // The client throws on a reply without text; what came is judged here instead.
        if (call.generated() === undefined) throw toProviderError(error, key, time.now());
      }
      return readReply(call.generated(), id, callsIn(request.messages));
    },
  };
}

function clientFields(
  { identity }: NetworkProviderOptions,
  { temperature, topP, topK, reasoningEffort }: Sampling,
  { maxTokens, responseFormat }: ProviderRequest,
): Omit<GoogleGenerativeAIChatInput, "model"> {
  return {
    baseUrl: identity.baseUrl,
    maxRetries: 0,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(topK === undefined ? {} : { topK }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(responseFormat === "json" ? { json: true } : {}),
    ...(reasoningEffort === undefined
      ? {}
      : { thinkingConfig: { thinkingBudget: thinkingBudget[reasoningEffort] } }),
  };
}

/**
 * A client for one call. The stock class drops the abort signal and the thinking tokens of a plain
 * call and splits the results of one turn over several contents, which Gemini refuses; all three
 * are mended where the request leaves and the reply arrives.
 */
async function tappedClient(
  fields: GoogleGenerativeAIChatInput,
  seed: number | undefined,
  signal: AbortSignal,
) {
  const { ChatGoogleGenerativeAI } = await load();
  let generated: Generated | undefined;
  class TappedGoogle extends ChatGoogleGenerativeAI {
    override async completionWithRetry(...[request, options]: Parameters<Complete>) {
      const wire = request as unknown as WireRequest;
      wire.contents = joinResults(wire.contents);
      if (seed !== undefined) wire.generationConfig = { ...wire.generationConfig, seed };
      const result = await super.completionWithRetry(request, { ...options, signal });
      generated = result.response as unknown as Generated;
      return result;
    }
  }
  return { client: new TappedGoogle(fields), generated: () => generated };
}

function joinResults(contents: WireRequest["contents"]): WireRequest["contents"] {
  const joined: WireRequest["contents"] = [];
  for (const content of contents) {
    const last = joined.at(-1);
    const isResult = content.parts.some((part) => part.functionResponse !== undefined);
    if (isResult && last?.parts.every((part) => part.functionResponse !== undefined)) {
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...content.parts] };
    } else {
      joined.push(content);
    }
  }
  return joined;
}

function callOptions({ tools, toolChoice }: ProviderRequest) {
  if (tools === undefined) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: "function" as const,
      function: { name, description, parameters },
    })),
    tool_choice: toolChoice === "required" ? "any" : (toolChoice ?? "auto"),
  };
}

/** The client wants the system text first and alone: several system messages become one. */
function toLangChain(messages: readonly ChatMessage[]): BaseMessage[] {
  const system = messages.flatMap((m) => (m.role === "system" ? [m.content] : []));
  const converted: BaseMessage[] = [];
  if (system.length > 0) converted.push(new SystemMessage(system.join("\n\n")));
  for (const message of messages) {
    if (message.role === "user") converted.push(new HumanMessage(message.content));
    if (message.role === "assistant") converted.push(assistantMessage(message));
    if (message.role === "tool") {
      const { content, toolCallId, name } = message;
      converted.push(new ToolMessage({ content, tool_call_id: toolCallId, name }));
    }
  }
  return converted;
}

function assistantMessage(message: AssistantMessage): AIMessage {
  const signatures = (message.provider as { google?: { signatures?: Json } } | undefined)?.google
    ?.signatures;
  return new AIMessage({
    content: spokenText(message),
    tool_calls: (message.toolCalls ?? []).map(fromToolCall),
    ...(signatures === undefined ? {} : { additional_kwargs: { [signaturesKey]: signatures } }),
  });
}

function readReply(raw: Generated | undefined, id: string, earlierCalls: number): ProviderReply {
  const candidate = raw?.candidates?.[0];
  const usage = googleTokens(raw?.usageMetadata ?? {});
  const reason = candidate?.finishReason ?? raw?.promptFeedback?.blockReason;
  const refused = reason !== undefined && blocked.has(reason);
  if (raw === undefined || (candidate === undefined && raw.promptFeedback === undefined)) {
    throw new ProviderError("server", "the reply has no message in it", { usage });
  }
  if (reason === "MALFORMED_FUNCTION_CALL" || reason === "UNEXPECTED_TOOL_CALL") {
    // Nothing of such a call arrives that could be answered; asking again is the vendor's advice.
    throw new ProviderError("server", `${id} broke off a tool call (${reason})`, { usage });
  }
  const parts = candidate?.content?.parts ?? [];
  const answered = parts.filter((part) => part.thought !== true);
  const signatures: { [id: string]: string } = {};
  const calls = answered.flatMap((part, i) => {
    if (part.functionCall === undefined) return [];
    // Gemini tells calls apart by position alone; an id of ours keeps results and signatures together.
    const callId = part.functionCall.id ?? `call_${earlierCalls + i}`;
    if (part.thoughtSignature !== undefined) signatures[callId] = part.thoughtSignature;
    return [toToolCall(callId, part.functionCall.name ?? "", part.functionCall.args ?? {})];
  });
  return {
    message: {
      role: "assistant",
      content: answered.map((part) => part.text ?? "").join(""),
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(Object.keys(signatures).length === 0 ? {} : { provider: { google: { signatures } } }),
    },
    stopReason: refused || candidate === undefined ? "refusal" : stopReasonOf(reason, calls.length),
    usage,
    ...(raw.modelVersion === undefined ? {} : { resolvedModel: raw.modelVersion }),
  };
}

function stopReasonOf(reason: string | undefined, calls: number): StopReason {
  if (reason === "MAX_TOKENS") return "length";
  return calls > 0 ? "tool_calls" : "stop";
}
