import type { ChatModel, ModelReply, ModelRequest, ModelRole } from "../../core/model.ts";
import { ModelError } from "../../core/model-error.ts";
import type { Tracer } from "../../core/trace.ts";

/** What a traced call needs of a method's context. */
export interface CallContext {
  model: ChatModel;
  tracer: Tracer;
  signal: AbortSignal;
}

/**
 * Calls the model and leaves a `model_call` event, or an `error` event and the error.
 *
 * @throws ModelError as the model throws it; kind `aborted` when the signal has fired before.
 */
export async function callModel(
  { model, tracer, signal }: CallContext,
  request: ModelRequest,
  role: ModelRole = "answer",
): Promise<ModelReply> {
  if (signal.aborted) throw new ModelError("aborted", "the question was interrupted");
  let reply: ModelReply;
  try {
    reply = await model.call({ ...request, signal });
  } catch (error) {
    if (error instanceof ModelError) {
      tracer.emit({ type: "error", code: error.code, message: error.message });
    }
    throw error;
  }
  const { message, stopReason, usage } = reply;
  tracer.emit({
    type: "model_call",
    task: request.task,
    role,
    model: reply.resolvedModel ?? model.id,
    messages: [...request.messages],
    carriedMessages: 0,
    ...(request.tools === undefined ? {} : { tools: request.tools }),
    reply: message.content,
    ...(message.toolCalls === undefined ? {} : { toolCalls: message.toolCalls }),
    stopReason,
    usage,
  });
  return reply;
}
