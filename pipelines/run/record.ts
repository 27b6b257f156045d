import type { MethodAnswer } from "../../core/method.ts";
import { keyOf, type RecordKey, type RunRecord } from "../../core/record.ts";
import { traceFileName } from "../../core/run-folder/paths.ts";
import type { ReadItem, Trace, TraceEvent } from "../../core/trace.ts";
import { inputTokens, sumUsage, type Usage } from "../../core/usage.ts";

/** Price of a token count, in USD per million. */
export interface TokenPrice {
  inputUsdPerMillion: number;
  outputUsdPerMillion: number;
}

export interface RecordParts {
  key: RecordKey;
  answer: MethodAnswer;
  events: readonly TraceEvent[];
  wallMs: number;
  error?: { code: string; message: string };
  /** Usage billed by calls that failed and so are in no event (A37). */
  failedUsage?: Usage;
  /** Price for the hypothetical cost of an offline model; absent for real models. */
  hypothetical?: TokenPrice;
}

/** A question's record: what its trace adds up to. */
export function recordOf(parts: RecordParts): RunRecord {
  const { key, answer, events, error } = parts;
  const calls = events.flatMap((event) =>
    event.type === "model_call" && event.role === "answer" ? [event.usage] : [],
  );
  const usage = sumUsage(parts.failedUsage === undefined ? calls : [...calls, parts.failedUsage]);
  return {
    schema: "ritbench.record/1",
    ...key,
    outcome: answer.outcome,
    answer: answer.answer,
    reasoning: answer.reasoning,
    sources: answer.sources,
    flags: answer.flags ?? [],
    reads: distinctReads(events),
    shownNodes: [
      ...new Set(events.flatMap((event) => (event.type === "shown" ? event.nodes : []))),
    ],
    toolCalls: countTools(events),
    modelCalls: calls.length,
    usage,
    ...(parts.hypothetical === undefined
      ? {}
      : { costAtHaikuUsd: costOf(usage, parts.hypothetical) }),
    wallMs: Math.round(parts.wallMs),
    trace: traceFileName(key),
    ...(error === undefined ? {} : { error }),
  };
}

/** Items read, each once, in the order of the first read. */
function distinctReads(events: readonly TraceEvent[]): ReadItem[] {
  const items = new Map<string, ReadItem>();
  for (const event of events) {
    if (event.type !== "read") continue;
    for (const item of event.items) {
      const id = `${item.kind} ${item.id}`;
      if (!items.has(id)) items.set(id, item);
    }
  }
  return [...items.values()];
}

/** Calls that went to a tool, by name; what was asked for once the budget was spent never ran and is not counted. */
function countTools(events: readonly TraceEvent[]): { [tool: string]: number } {
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.type === "tool_call" && event.refused !== "budget_spent")
      counts.set(event.name, (counts.get(event.name) ?? 0) + 1);
  }
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function costOf(usage: Usage, price: TokenPrice): number {
  const input = inputTokens(usage) * price.inputUsdPerMillion;
  return (input + usage.outputTokens * price.outputUsdPerMillion) / 1e6;
}

/** The stored form of a question's events. */
export function traceOf(key: RecordKey, events: readonly TraceEvent[]): Trace {
  return { schema: "ritbench.trace/1", key: keyOf(key), events };
}
