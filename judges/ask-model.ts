import type { JudgeContext } from "../core/judge.ts";
import type { ChatMessage, ModelReply, ModelRequest } from "../core/model.ts";
import { ModelError } from "../core/model-error.ts";
import type { UnscoredReason } from "../core/record.ts";
import { noUsage, sumUsage, type Usage } from "../core/usage.ts";

/** One question to a judge model: the readable reply, or why there is none. Usage covers both attempts. */
export type Asked<T> = { usage: Usage; reply: string } & (
  | { ok: true; value: T }
  | { ok: false; reason: Extract<UnscoredReason, "parse" | "range" | "judge_error">; value?: never }
);

/** What a parser makes of a reply. */
export type Read<T> = { ok: true; value: T } | { ok: false; reason: "parse" | "range" };

/**
 * Asks at temperature 0, and once more with a reminder when the reply cannot be read; unreadable replies never enter
 * the cache. A failed call is `judge_error`.
 *
 * @throws ModelError for the kinds that end the whole pass: `budget` and `aborted`.
 */
export async function askJudge<T>(
  context: JudgeContext,
  request: Pick<ModelRequest, "task" | "messages" | "hints" | "responseFormat">,
  read: (reply: string) => Read<T>,
  reminder: string,
): Promise<Asked<T>> {
  const model = context.model;
  if (model === undefined) throw new Error(`${request.task} needs a judge model`);
  const call = (messages: readonly ChatMessage[]): Promise<ModelReply> =>
    model.call({
      ...request,
      messages,
      sampling: { temperature: 0 },
      signal: context.signal,
      cacheable: (reply) => read(reply.message.content).ok,
    });
  let usage: Usage = noUsage;
  try {
    const first = await call(request.messages);
    usage = first.usage;
    const value = read(first.message.content);
    if (value.ok) return { ok: true, value: value.value, usage, reply: first.message.content };
    const second = await call([
      ...request.messages,
      { role: "assistant", content: first.message.content || "(nothing)" },
      { role: "user", content: reminder },
    ]);
    usage = sumUsage([usage, second.usage]);
    const again = read(second.message.content);
    const reply = second.message.content;
    return again.ok
      ? { ok: true, value: again.value, usage, reply }
      : { ok: false, reason: again.reason, usage, reply };
  } catch (error) {
    if (!(error instanceof ModelError) || error.kind === "budget" || error.kind === "aborted") {
      throw error;
    }
    const billed = error.usage === undefined ? usage : sumUsage([usage, error.usage]);
    return {
      ok: false,
      reason: "judge_error",
      usage: billed,
      reply: `${error.code}: ${error.message}`,
    };
  }
}
