import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { messageOf, RitbenchError } from "../core/errors.ts";
import { sha256 } from "../core/fingerprint.ts";
import type { Json } from "../core/json.ts";
import type { ToolCall } from "../core/model.ts";
import { ModelError } from "../core/model-error.ts";
import { countO200k } from "../core/o200k.ts";
import { toToolCall } from "./network/tool-calls.ts";
import type { Provider, ProviderFactory, ProviderReply, ProviderRequest } from "./provider.ts";

const entrySchema = z.strictObject({
  /** Serves only calls of this prompt task. */
  task: z.string().optional(),
  /** Serves only calls that have this text in one of their messages. */
  contains: z.string().optional(),
  /** How many calls it serves; one by default. */
  times: z.union([z.int().positive(), z.literal("always")]).default(1),
  text: z.string().default(""),
  toolCalls: z
    .array(z.strictObject({ name: z.string(), arguments: z.json().default({}) }))
    .default([]),
  stop: z.enum(["stop", "tool_calls", "length", "refusal"]).optional(),
});

type Entry = z.infer<typeof entrySchema>;

const contextTokens = 200_000;

/**
 * `scripted:<file>`: replies from a YAML list or a JSONL file. Each call takes the first entry that
 * fits its task and text and is not used up; a call without one is a clear error. String
 * `arguments` go out as they are, so that a script can play a model with broken JSON. Token counts
 * are those of the o200k BPE.
 *
 * @throws RitbenchError E_SCRIPT for a file that cannot be read.
 */
export const scriptedProvider: ProviderFactory = (path) => {
  const content = readScript(path);
  const entries = parseScript(content, path);
  const used = entries.map(() => 0);
  let calls = 0;
  const provider: Provider = {
    id: `scripted:${path}`,
    contextTokens,
    offline: true,
    version: sha256(content),
    async send(request) {
      const index = entries.findIndex((entry, i) => left(entry, used[i]!) && fits(entry, request));
      const entry = entries[index];
      if (entry === undefined) throw missing(path, request, entries.length);
      used[index]! += 1;
      const reply = replyOf(entry, request, calls);
      calls += entry.toolCalls.length;
      return reply;
    },
  };
  return provider;
};

function readScript(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new RitbenchError("E_SCRIPT", "the script of replies cannot be read", {
      where: path,
      got: messageOf(error),
      cause: error,
    });
  }
}

/** A YAML list of entries, or one JSON object a line. */
export function parseScript(content: string, where: string): Entry[] {
  let raw: unknown;
  try {
    raw = where.endsWith(".jsonl")
      ? content.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line)]))
      : parse(content);
  } catch (error) {
    throw new RitbenchError("E_SCRIPT", "the script of replies is neither YAML nor JSONL", {
      where,
      got: messageOf(error),
      cause: error,
    });
  }
  const parsed = z.array(entrySchema).safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new RitbenchError("E_SCRIPT", issue.message, {
    where: `${where}, entry ${issue.path.map(String).join(".") || "list"}`,
    expected: "a list of {task?, contains?, times?, text?, toolCalls?, stop?}",
  });
}

function left({ times }: Entry, used: number): boolean {
  return times === "always" || used < times;
}

function fits({ task, contains }: Entry, request: ProviderRequest): boolean {
  if (task !== undefined && task !== request.task) return false;
  return contains === undefined || request.messages.some((m) => m.content.includes(contains));
}

function replyOf(entry: Entry, request: ProviderRequest, calls: number): ProviderReply {
  const toolCalls = entry.toolCalls.map(
    (call, i): ToolCall => toToolCall(`call_${calls + i}`, call.name, call.arguments as Json),
  );
  const output = entry.text + (toolCalls.length === 0 ? "" : JSON.stringify(toolCalls));
  return {
    message: {
      role: "assistant",
      content: entry.text,
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    },
    stopReason: entry.stop ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
    usage: {
      uncachedInputTokens: request.messages.reduce((n, m) => n + countO200k(m.content), 0),
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: countO200k(output),
      reasoningTokens: 0,
    },
  };
}

function missing(path: string, request: ProviderRequest, entries: number): ModelError {
  const last = request.messages.findLast((m) => m.role !== "assistant")?.content ?? "";
  return new ModelError(
    "missing_reply",
    `the script has no reply left for a ${request.task} call`,
    {
      where: path,
      expected: `one of its ${entries} entries to fit and not be used up`,
      got: `a call ending in "${last.slice(-120).replace(/\s+/g, " ")}"`,
      next: "add an entry, or give an existing one `times: always`",
    },
  );
}
