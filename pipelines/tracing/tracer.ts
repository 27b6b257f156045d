import type { ChatMessage } from "../../core/model.ts";
import type { TraceEvent, TraceEventInput, Tracer } from "../../core/trace.ts";
import { replyMessage } from "./prompts.ts";

/** A tracer whose events can be read back. */
export interface CollectingTracer extends Tracer {
  readonly events: readonly TraceEvent[];
}

/**
 * Collects one question's events. Emitters give a `model_call` with its whole prompt; stored are only the
 * messages that no earlier call of the trace has (an agent re-sends its history every turn, and whole prompts
 * would grow with the square of the turns). `fullPrompts` undoes it.
 *
 * @param clock milliseconds; only differences are used.
 */
export function createTracer(clock: () => number): CollectingTracer {
  const startMs = clock();
  const events: TraceEvent[] = [];
  const conversations: (readonly ChatMessage[])[] = [];
  return {
    events,
    emit(event: TraceEventInput) {
      const atMs = clock() - startMs;
      if (event.type !== "model_call" || event.carriedMessages > 0) {
        events.push({ ...event, atMs });
        return;
      }
      const { carried, from } = longestShared(event.messages, conversations);
      conversations.push([...event.messages, replyMessage(event)]);
      const stored = {
        ...event,
        messages: event.messages.slice(carried),
        carriedMessages: carried,
        atMs,
      };
      const previous = conversations.length - 2;
      events.push(carried > 0 && from !== previous ? { ...stored, carriedFrom: from } : stored);
    },
  };
}

/** The earlier conversation with which a prompt shares most leading messages; the latest of equals. */
function longestShared(
  prompt: readonly ChatMessage[],
  conversations: readonly (readonly ChatMessage[])[],
): { carried: number; from: number } {
  let best = { carried: 0, from: -1 };
  conversations.forEach((conversation, from) => {
    let carried = 0;
    while (carried < prompt.length && sameMessage(prompt[carried], conversation[carried]))
      carried++;
    if (carried > 0 && carried >= best.carried) best = { carried, from };
  });
  return best;
}

function sameMessage(a: ChatMessage | undefined, b: ChatMessage | undefined): boolean {
  if (a === b) return true;
  if (a?.role !== b?.role || a?.content !== b?.content) return false;
  return JSON.stringify(a, traced) === JSON.stringify(b, traced);
}

/** Opaque provider content is not part of a trace. */
const traced = (key: string, value: unknown): unknown => (key === "provider" ? undefined : value);
