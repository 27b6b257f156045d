import type { Fingerprint } from "./fingerprint.ts";
import type { Json } from "./json.ts";
import type { Usage } from "./usage.ts";

/** One tool request of a model. `arguments` is the parsed object, or `invalid` holds the raw text that did not parse. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Json;
  invalid?: string;
}

/** A tool as a model sees it; `parameters` is a JSON Schema object. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: { [key: string]: Json };
}

export interface SystemMessage {
  role: "system";
  content: string;
}
export interface UserMessage {
  role: "user";
  content: string;
}
export interface AssistantMessage {
  role: "assistant";
  content: string;
  toolCalls?: readonly ToolCall[];
  /** Opaque provider content (thinking signatures and the like) that must be sent back unchanged. */
  provider?: Json;
}
export interface ToolMessage {
  role: "tool";
  toolCallId: string;
  /** Name of the tool that answered. */
  name: string;
  content: string;
}
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** Sampling as sent to the provider; an absent field is left to the provider. */
export interface Sampling {
  temperature?: number;
  topP?: number;
  topK?: number;
  minP?: number;
  reasoningEffort?: "none" | "minimal" | "low" | "medium" | "high";
  seed?: number;
}

/** Whose money a call is: question answering, preprocessing, or judging. */
export type ModelRole = "answer" | "build" | "judge";

/**
 * One call through the gateway. `task` names the prompt task (`rit-rag.turn`, `node-metadata`, `judge.binary`):
 * the offline model serves a request by its task; it is not part of the cache key.
 */
export interface ModelRequest {
  task: string;
  messages: readonly ChatMessage[];
  tools?: readonly ToolDefinition[];
  toolChoice?: "auto" | "none" | "required";
  parallelToolCalls?: boolean;
  sampling?: Sampling;
  maxTokens?: number;
  /** Asks the provider for a reply that is a JSON object. */
  responseFormat?: "json";
  /** Facts for the offline model only (never sent, never in the key), such as the question inside a longer prompt. */
  hints?: { readonly [key: string]: Json };
  signal?: AbortSignal;
  /** Rejects a reply that must not be cached (an unreadable verdict). */
  cacheable?: (reply: ModelReply) => boolean;
}

export type StopReason = "stop" | "tool_calls" | "length" | "refusal";

export interface ModelReply {
  message: AssistantMessage;
  stopReason: StopReason;
  usage: Usage;
  /** Model id as the provider reports it, for the manifest. */
  resolvedModel?: string;
}

/**
 * A model bound to provider, sampling defaults, role and repeat. `call` throws `ModelError` (core/model-error.ts)
 * when every attempt failed.
 */
export interface ChatModel {
  /** `anthropic:claude-haiku-4-5`, `offline:extractive`. */
  readonly id: string;
  readonly fingerprint: Fingerprint;
  /** Size of the model's window in tokens. */
  readonly contextTokens: number;
  /** True for models that are stand-ins (offline, scripted): captions must say so. */
  readonly offline: boolean;
  call(request: ModelRequest): Promise<ModelReply>;
}
