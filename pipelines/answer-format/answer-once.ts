import type { MethodAnswer } from "../../core/method.ts";
import type { ModelRequest } from "../../core/model.ts";
import { ModelError } from "../../core/model-error.ts";
import type { Tracer } from "../../core/trace.ts";
import { type CallContext, callModel } from "../tracing/call-model.ts";
import { readFinalMessage } from "./index.ts";

/**
 * The single answering call of methods without tools.
 *
 * @throws ModelError unless the prompt was over the window: that is the outcome `context_overflow`.
 */
export async function answerOnce(
  context: CallContext,
  request: ModelRequest,
  flags: readonly string[] = [],
): Promise<MethodAnswer> {
  try {
    const { message, stopReason } = await callModel(context, request);
    return readFinalMessage(message.content, stopReason, "answered", flags);
  } catch (error) {
    return overflowAnswer(error, context.tracer, flags);
  }
}

/** Turns "prompt too long" into its outcome; throws every other error on. */
export function overflowAnswer(
  error: unknown,
  tracer: Tracer,
  flags: readonly string[],
): MethodAnswer {
  if (!(error instanceof ModelError) || error.kind !== "context_overflow") throw error;
  tracer.emit({ type: "limit", limit: "context", detail: error.message });
  return {
    outcome: "context_overflow",
    answer: "",
    reasoning: "",
    sources: [],
    ...(flags.length > 0 ? { flags } : {}),
  };
}
