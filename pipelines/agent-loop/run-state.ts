import type { Json } from "../../core/json.ts";
import type { MethodAnswer } from "../../core/method.ts";
import type { ChatMessage, ToolCall, ToolDefinition } from "../../core/model.ts";
import { countO200k } from "../../core/o200k.ts";
import type { CallContext } from "../tracing/call-model.ts";
import { type ContextMeter, contextMeter } from "./context-meter.ts";
import { type AgentLimits, FREE_REJECTIONS } from "./limits.ts";
import { type AgentTool, definitionOf } from "./tool.ts";

/** What a hook sees before a turn. */
export interface AgentTurn {
  /** From 0. */
  index: number;
  /** The conversation so far; not to be changed. */
  messages: readonly ChatMessage[];
  callsLeft: number;
  percentUsed: number;
}

/** One agent on one question. */
export interface AgentSpec {
  /** Task name of its turns, as the offline model knows them: `rit-rag.turn`. */
  task: string;
  system: string;
  /** The question as the user message. */
  question: string;
  tools: readonly AgentTool[];
  limits: AgentLimits;
  /** Ask once more when the model answers without having read any text (A27). Default true. */
  requireRead?: boolean;
  /** Let the provider return several calls a turn. Default false, so that budgets are exact; several are handled all the same. */
  parallelToolCalls?: boolean;
  /** Runs before every turn but the forced last one; its messages are added to the conversation. May call models (`callModel`). */
  beforeTurn?(turn: AgentTurn): Promise<readonly ChatMessage[]>;
  /** Facts for the offline model; the question is always among them. */
  hints?: { readonly [key: string]: Json };
}

/** Why no further turn is granted. */
export type Forced = "budget" | "context";

/** The state of one question while the graph runs. */
export interface AgentRun {
  readonly spec: AgentSpec;
  readonly context: CallContext;
  readonly definitions: readonly ToolDefinition[];
  readonly toolsByName: ReadonlyMap<string, AgentTool>;
  readonly meter: ContextMeter;
  readonly messages: ChatMessage[];
  turns: number;
  /** Calls that count against the total budget. */
  callsUsed: number;
  readonly callsByTool: Map<string, number>;
  freeRejections: number;
  /** Tool call ids in use; providers want them unique in a conversation. */
  readonly callIds: Set<string>;
  /** Ids of the items read so far. */
  readonly readIds: Set<string>;
  reminded: boolean;
  pending: readonly ToolCall[];
  forced?: Forced;
  answer?: MethodAnswer;
}

export function startRun(spec: AgentSpec, context: CallContext): AgentRun {
  const meter = contextMeter(context.model.contextTokens);
  const definitions = spec.tools.map(definitionOf);
  const run: AgentRun = {
    spec,
    context,
    definitions,
    toolsByName: new Map(spec.tools.map((tool) => [tool.name, tool])),
    meter,
    messages: [],
    turns: 0,
    callsUsed: 0,
    callsByTool: new Map(),
    freeRejections: FREE_REJECTIONS,
    callIds: new Set(),
    readIds: new Set(),
    reminded: false,
    pending: [],
  };
  if (definitions.length > 0) meter.add(countO200k(JSON.stringify(definitions)));
  addMessages(run, [
    { role: "system", content: spec.system },
    { role: "user", content: spec.question },
  ]);
  return run;
}

/** Appends to the conversation and to the estimate of the next prompt. */
export function addMessages(run: AgentRun, messages: readonly ChatMessage[]): void {
  for (const message of messages) {
    run.messages.push(message);
    run.meter.add(countO200k(message.content));
  }
}
