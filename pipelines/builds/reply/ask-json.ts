import type { z } from "zod";
import { messageOf, RitbenchError } from "../../../core/errors.ts";
import type { ChatMessage, ChatModel, ModelReply, ModelRequest } from "../../../core/model.ts";
import { loadPrompt } from "../../../core/prompt-file.ts";
import { readJson } from "./read-json.ts";

/** Told to a model whose reply could not be read; part of every build's prompts. */
export const repairPrompt = loadPrompt(new URL("./prompts/repair-json.md", import.meta.url));

export interface AskedJson<T> {
  value: T;
  /** The reply ended before its JSON did. */
  cut: boolean;
  reply: ModelReply;
}

export interface AskOptions {
  /** Calls in all, the first one included. */
  attempts?: number;
  /** Take what is whole of a reply that was cut off. */
  allowCut?: boolean;
}

const ATTEMPTS = 3;

/**
 * Calls a model until its reply holds JSON of the schema, at most three times; each further call shows the model its
 * reply and what was wrong with it. Unreadable replies are kept out of the response cache.
 *
 * @throws RitbenchError E_REPLY_JSON after the last attempt; ModelError as the model throws it
 */
export async function askJson<T>(
  model: ChatModel,
  request: ModelRequest,
  schema: z.ZodType<T>,
  { attempts = ATTEMPTS, allowCut = false }: AskOptions = {},
): Promise<AskedJson<T>> {
  let messages: readonly ChatMessage[] = request.messages;
  for (let attempt = 1; ; attempt++) {
    const reply = await model.call({
      ...request,
      messages,
      responseFormat: "json",
      cacheable: (candidate) => "value" in read(candidate, schema, allowCut),
    });
    const outcome = read(reply, schema, allowCut);
    if ("value" in outcome) return { ...outcome, reply };
    if (attempt >= attempts) throw outcome.error;
    messages = repaired(request.messages, reply, outcome.error);
  }
}

function read<T>(
  reply: ModelReply,
  schema: z.ZodType<T>,
  allowCut: boolean,
): { value: T; cut: boolean } | { error: RitbenchError } {
  try {
    const { value, cut } = readJson(reply.message.content, { allowCut });
    const parsed = schema.safeParse(value);
    if (parsed.success) return { value: parsed.data, cut };
    const issue = parsed.error.issues[0]!;
    return {
      error: new RitbenchError("E_REPLY_JSON", "the reply's JSON has another shape", {
        where: issue.path.map(String).join(".") || "top level",
        got: issue.message,
      }),
    };
  } catch (error) {
    if (error instanceof RitbenchError) return { error };
    throw error;
  }
}

/** An empty reply cannot be shown to providers; the same question goes out again. */
function repaired(
  messages: readonly ChatMessage[],
  { message }: ModelReply,
  error: RitbenchError,
): readonly ChatMessage[] {
  if (message.content.trim() === "") return messages;
  const fault = [messageOf(error), error.details.where, error.details.got]
    .filter((part) => part !== undefined)
    .join("; ");
  return [
    ...messages,
    { role: "assistant", content: message.content },
    { role: "user", content: repairPrompt.render({ fault }) },
  ];
}
