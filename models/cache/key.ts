import { sha256 } from "../../core/fingerprint.ts";
import { canonicalJson, type Json } from "../../core/json.ts";
import type { ChatMessage } from "../../core/model.ts";
import type { ProviderIdentity, ProviderRequest } from "../provider.ts";

/** One message of a key, short enough to store with every entry. */
export interface MessagePart {
  role: string;
  hash: string;
  chars: number;
  preview: string;
}

/** The parts of a cache key as `explain` prints them; long ones are hashes. */
export interface KeyParts {
  provider: string;
  model: string;
  baseUrl: string;
  repeat: number;
  messages: readonly MessagePart[];
  tools: string | null;
  toolChoice: string;
  parallelToolCalls: boolean;
  sampling: { readonly [field: string]: Json | undefined };
  maxTokens: number | null;
  responseFormat: string | null;
}

export interface CacheKey {
  /** SHA-256 in hex. */
  id: string;
  parts: KeyParts;
  /** Hash of the first user message: entries that share it are compared when a miss is explained. */
  near: string;
}

const previewChars = 80;

/**
 * Key of a call: everything the provider can see, who the provider is, and which repeat it is. Task,
 * hints, role, timeouts, concurrency and prompt-caching marks change no reply and are left out.
 */
export function cacheKey(identity: ProviderIdentity, request: ProviderRequest): CacheKey {
  const hasTools = request.tools !== undefined && request.tools.length > 0;
  const settings = {
    ...identity,
    repeat: request.repeat,
    toolChoice: hasTools ? (request.toolChoice ?? "auto") : "none",
    parallelToolCalls: hasTools && (request.parallelToolCalls ?? false),
    sampling: { ...request.sampling },
    maxTokens: request.maxTokens ?? null,
    responseFormat: request.responseFormat ?? null,
  };
  const toolsJson = hasTools ? canonicalJson(request.tools) : null;
  const messages = request.messages.map((message) => {
    const hash = sha256(canonicalJson(message));
    return { role: message.role, hash, chars: textOf(message).length, preview: previewOf(message) };
  });
  const tools = toolsJson === null ? null : sha256(toolsJson);
  const hashes = messages.map((m) => m.hash);
  return {
    id: sha256(canonicalJson({ version: 1, ...settings, tools, messages: hashes })),
    parts: { ...settings, tools, messages },
    near: messages.find((m) => m.role === "user")?.hash ?? "none",
  };
}

/** How a request's key differs from a stored one, in words; empty when they are equal. */
export function differences(wanted: KeyParts, stored: KeyParts): string[] {
  const found: string[] = [];
  const compare = (name: string, a: Json | undefined, b: Json | undefined) => {
    if (canonicalJson(a ?? null) !== canonicalJson(b ?? null)) {
      found.push(`${name} is ${canonicalJson(a ?? null)}, stored was ${canonicalJson(b ?? null)}`);
    }
  };
  const single = ["provider", "model", "baseUrl", "repeat", "maxTokens", "responseFormat"] as const;
  for (const name of [...single, "toolChoice", "parallelToolCalls"] as const) {
    compare(name, wanted[name], stored[name]);
  }
  const fields = new Set([...Object.keys(wanted.sampling), ...Object.keys(stored.sampling)]);
  for (const field of [...fields].sort()) {
    compare(`sampling.${field}`, wanted.sampling[field], stored.sampling[field]);
  }
  if (wanted.tools !== stored.tools) found.push("the tools differ");
  const shared = Math.min(wanted.messages.length, stored.messages.length);
  for (let i = 0; i < shared; i++) {
    const message = wanted.messages[i]!;
    if (message.hash !== stored.messages[i]!.hash)
      found.push(`messages[${i}] (${message.role}) differs`);
  }
  compare("number of messages", wanted.messages.length, stored.messages.length);
  return found;
}

function textOf(message: ChatMessage): string {
  return message.content;
}

function previewOf(message: ChatMessage): string {
  return textOf(message).slice(0, previewChars).replace(/\s+/g, " ");
}
