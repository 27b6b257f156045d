import { RitbenchError } from "../../core/errors.ts";
import type { AssistantMessage, ChatMessage } from "../../core/model.ts";
import { countO200k } from "../../core/o200k.ts";
import type { ProviderFactory, ProviderReply, ProviderRequest } from "../provider.ts";
import type { OfflineReply } from "./task.ts";
import { offlineTasks } from "./tasks/index.ts";

/** Raised when a rule says something else for the same request. */
const VERSION = "1";

const CONTEXT_TOKENS = 200_000;

/**
 * `offline:extractive`: not a language model but rules that pick tools, nodes and sentences by the words they
 * share with the question, one rule per prompt task. Deterministic, without key, network, latency or cost.
 *
 * @throws RitbenchError E_MODEL_UNKNOWN for another name than `extractive`.
 */
export const offlineProvider: ProviderFactory = (name) => {
  if (name !== "extractive") {
    throw new RitbenchError("E_MODEL_UNKNOWN", `there is no offline model called ${name}`, {
      expected: "offline:extractive",
      got: `offline:${name}`,
    });
  }
  return {
    id: "offline:extractive",
    contextTokens: CONTEXT_TOKENS,
    offline: true,
    version: VERSION,
    send: async (request) => respond(request),
  };
};

/**
 * The reply to one request.
 *
 * @throws RitbenchError E_OFFLINE_TASK for a task without a rule.
 */
export function respond(request: ProviderRequest): ProviderReply {
  const task = Object.hasOwn(offlineTasks, request.task) ? offlineTasks[request.task] : undefined;
  if (task === undefined) {
    throw new RitbenchError("E_OFFLINE_TASK", `the offline model has no rule for ${request.task}`, {
      expected: `one of ${Object.keys(offlineTasks).join(", ")}`,
      next: "choose another model for this step",
    });
  }
  const reply = task(request);
  const message = messageOf(reply, request);
  const calls = message.toolCalls ?? [];
  return {
    message,
    stopReason: calls.length > 0 ? "tool_calls" : "stop",
    usage: {
      uncachedInputTokens: promptTokens(request),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: countO200k(message.content) + callTokens(message),
      reasoningTokens: 0,
    },
  };
}

/** Tool calls get ids that no earlier call of the conversation has. */
function messageOf(
  { content, toolCalls }: OfflineReply,
  request: ProviderRequest,
): AssistantMessage {
  if (toolCalls === undefined) return { role: "assistant", content };
  const turn = request.messages.filter(({ role }) => role === "assistant").length;
  return {
    role: "assistant",
    content,
    toolCalls: toolCalls.map((call, i) => ({ id: `offline_${turn}_${i}`, ...call })),
  };
}

function promptTokens({ messages, tools }: ProviderRequest): number {
  const toolTokens = tools?.length ? countO200k(JSON.stringify(tools)) : 0;
  return messages.reduce((total, message) => total + messageTokens(message), toolTokens);
}

/** An agent sends its history again every turn; each message is counted once. */
const counted = new WeakMap<ChatMessage, number>();

function messageTokens(message: ChatMessage): number {
  const known = counted.get(message);
  if (known !== undefined) return known;
  const calls = message.role === "assistant" ? callTokens(message) : 0;
  const tokens = countO200k(message.content) + calls;
  counted.set(message, tokens);
  return tokens;
}

function callTokens({ toolCalls }: AssistantMessage): number {
  return toolCalls?.length ? countO200k(JSON.stringify(toolCalls)) : 0;
}
