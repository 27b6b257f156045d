import { type ZodType, z } from "zod";
import type { NodeId } from "../../core/ids.ts";
import type { Json } from "../../core/json.ts";
import type { ToolDefinition } from "../../core/model.ts";
import type { ReadItem } from "../../core/trace.ts";

/** What a handler may know of the state of the conversation. */
export interface ToolContext {
  /** Tokens a result may have before the context passes 95% of the window (A22). */
  roomTokens: number;
  /** Share of the window in use, rounded down. */
  percentUsed: number;
  signal: AbortSignal;
}

/** What a tool gives back. The loop writes the trace events once the result has really gone to the model. */
export interface ToolResult {
  /** What the model sees, as a rule JSON. */
  content: string;
  /** Text that this result puts into the context. */
  reads?: readonly ReadItem[];
  /** Titles that this result puts before the model. */
  shown?: { query: string; nodes: readonly NodeId[]; selected: readonly NodeId[] };
  /** Why the tool declined (for the trace); `content` tells the model. */
  refused?: string;
  /** Text left out for want of room, in tokens. */
  droppedTokens?: number;
}

/** A tool of an agent. Made anew for every question, so that its handler can hold the question's state. */
export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** Zod object schema of the arguments. */
  readonly schema: ZodType;
  /** Calls allowed for one question; absent = the total budget alone. */
  readonly budget?: number;
  /** What the model should do once `budget` is spent. */
  readonly afterBudget?: string;
  /** A turn that calls this tool may call no other one: the others are refused (A26). */
  readonly exclusive?: boolean;
  /** Gets arguments that satisfy `schema`. Problems are results (`toolError`), not exceptions. */
  run(args: unknown, context: ToolContext): Promise<ToolResult> | ToolResult;
}

/** An {@link AgentTool} whose handler's arguments are typed by its schema. */
export function defineTool<Schema extends ZodType>(
  tool: Omit<AgentTool, "schema" | "run"> & {
    readonly schema: Schema;
    run(args: z.output<Schema>, context: ToolContext): Promise<ToolResult> | ToolResult;
  },
): AgentTool {
  return { ...tool, run: (args, context) => tool.run(args as z.output<Schema>, context) };
}

/** A tool's way to say no: what happened and what the model should do next. */
export function toolError(error: string, detail: string, next: string): string {
  return JSON.stringify({ error, detail, next });
}

const definitions = new WeakMap<ZodType, ToolDefinition["parameters"]>();

/** The tool as a model sees it. */
export function definitionOf({ name, description, schema }: AgentTool): ToolDefinition {
  let parameters = definitions.get(schema);
  if (parameters === undefined) {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input" });
    parameters = rest as { [key: string]: Json };
    definitions.set(schema, parameters);
  }
  return { name, description, parameters };
}
