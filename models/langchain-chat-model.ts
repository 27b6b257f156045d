import { setMaxListeners } from "node:events";
import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import { RitbenchError } from "../core/errors.ts";
import { fingerprint } from "../core/fingerprint.ts";
import type { ChatMessage, ChatModel, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/model-error.ts";
import { readLangChainReply, toLangChainMessages } from "./langchain-messages.ts";
import { toProviderError } from "./network/failures.ts";
import { systemTime, type Time } from "./time.ts";

export interface LangChainChatModelOptions {
  model: BaseChatModel;
  /** The model's window in tokens; absent = as its profile says, else 32,768. */
  contextTokens?: number;
  time?: Time;
}

const fallbackContextTokens = 32_768;
const never = new AbortController().signal;

/**
 * Any LangChain chat model with tool calling as a model of ours. Sampling, length and retries are the model's own;
 * no cache, no ledger: its cost is unknown (null). Tokens come from `usage_metadata`; where a model reports none they
 * are counted with the o200k encoding. Several tool calls in one turn are not switched off, because the switch has
 * no common name; the agent loop runs them in order. A refusal that the integration swallows (ChatOpenAI over chat
 * completions) is an empty reply.
 *
 * @throws RitbenchError E_MODEL_TOOLS for a model that cannot be given tools.
 */
export function langchainChatModel({
  model,
  contextTokens,
  time = systemTime,
}: LangChainChatModelOptions): ChatModel {
  if (typeof model.bindTools !== "function") {
    throw new RitbenchError("E_MODEL_TOOLS", "the chat model cannot call tools", {
      where: model.getName(),
      expected: "a LangChain chat model with bindTools",
      next: "take one that its integration lists under tool calling",
    });
  }
  const id = `langchain:${model.getName()}${nameOf(model)}`;
  return {
    id,
    fingerprint: fingerprint({ langchain: id }),
    contextTokens: contextTokens ?? model.profile?.maxInputTokens ?? fallbackContextTokens,
    offline: false,
    async call(request) {
      const signal = request.signal ?? never;
      if (signal.aborted) throw new ModelError("aborted", `the call of ${id} was interrupted`);
      setMaxListeners(0, signal);
      const startedMs = time.now();
      try {
        const reply = await orAborted(send(model, request, signal), signal);
        return modelReply(reply, request, time.now() - startedMs);
      } catch (error) {
        if (signal.aborted) throw new ModelError("aborted", `the call of ${id} was interrupted`);
        const { kind, message } = toProviderError(error, secretOf(model), time.now());
        throw new ModelError(kind, message, { where: id });
      }
    },
  };
}

/** Some integrations drop the signal (Gemini's does); the caller is let go all the same. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function send(
  model: BaseChatModel,
  { messages, tools = [], toolChoice = "auto" }: ModelRequest,
  signal: AbortSignal,
): Promise<AIMessage> {
  const input = toLangChainMessages(messages);
  if (tools.length === 0) return (await model.invoke(input, { signal })) as AIMessage;
  const functions = tools.map(({ name, description, parameters }) => ({
    type: "function" as const,
    function: { name, description, parameters },
  }));
  const choice = toolChoice === "required" ? "any" : toolChoice;
  const bound = model.bindTools!(functions, { tool_choice: choice });
  return (await bound.invoke(input, { signal })) as AIMessage;
}

function modelReply(message: AIMessage, request: ModelRequest, llmMs: number): ModelReply {
  const { usage, ...reply } = readLangChainReply(message, promptText(request));
  return {
    ...reply,
    usage: {
      ...usage,
      llmMs,
      waitMs: 0,
      replayed: false,
      attempts: 1,
      costUsd: null,
      cachedCostUsd: null,
    },
  };
}

/** What the prompt says, for counting where the model does not. */
function promptText({ messages, tools }: ModelRequest): string {
  const said = (message: ChatMessage) =>
    message.role === "assistant" && message.toolCalls?.length
      ? message.content + JSON.stringify(message.toolCalls)
      : message.content;
  return [...(tools === undefined ? [] : [JSON.stringify(tools)]), ...messages.map(said)].join(
    "\n",
  );
}

/** The model's name as most integrations keep it. */
function nameOf(model: BaseChatModel): string {
  const { model: name, modelName } = model as { model?: unknown; modelName?: unknown };
  const found = [name, modelName].find((value) => typeof value === "string" && value !== "");
  return found === undefined ? "" : `/${found}`;
}

/** The key, to be cut out of error messages. */
function secretOf(model: BaseChatModel): string {
  const fields = Object.keys(model.lc_secrets ?? {});
  const values = fields.map((field) => (model as unknown as Record<string, unknown>)[field]);
  return values.find((value) => typeof value === "string") ?? "";
}
