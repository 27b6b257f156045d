import { keyOf, type RecordKey } from "../../core/record.ts";
import type { Trace, TraceEvent, TraceEventInput, Tracer } from "../../core/trace.ts";

/** A tracer that keeps its events, each stamped with the milliseconds since it was made. */
export interface RecordingTracer extends Tracer {
  readonly events: readonly TraceEvent[];
}

/** @param now milliseconds on any clock that does not run backwards. */
export function createTracer(now: () => number): RecordingTracer {
  const start = now();
  const events: TraceEvent[] = [];
  return {
    events,
    emit(event: TraceEventInput) {
      events.push({ atMs: Math.round(now() - start), ...event });
    },
  };
}

export function traceOf(key: RecordKey, events: readonly TraceEvent[]): Trace {
  return { schema: "ritbench.trace/1", key: keyOf(key), events };
}
