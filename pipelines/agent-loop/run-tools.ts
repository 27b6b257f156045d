import { performance } from "node:perf_hooks";
import { z } from "zod";
import { messageOf } from "../../core/errors.ts";
import type { ToolCall } from "../../core/model.ts";
import { ModelError } from "../../core/model-error.ts";
import { countO200k } from "../../core/o200k.ts";
import { NOTICE_TOKENS } from "./context-meter.ts";
import type { AgentRun } from "./run-state.ts";
import { type AgentTool, type ToolResult, toolError } from "./tool.ts";

/**
 * Answers every pending call, in order, one at a time: one tool message each, whatever is wrong with it.
 *
 * @throws ModelError when a handler's own model call (or the question itself) was stopped.
 */
export async function runPendingCalls(run: AgentRun): Promise<void> {
  const calls = run.pending;
  run.pending = [];
  const exclusive = exclusiveToolOf(run, calls);
  for (const [position, call] of calls.entries()) {
    const startMs = performance.now();
    const tool = admit(run, call, position, exclusive);
    const result = "run" in tool ? await runTool(run, tool, call) : tool;
    record(run, call, result, performance.now() - startMs);
  }
}

/** The exclusive tool that a turn calls beside others, if it does. */
function exclusiveToolOf(run: AgentRun, calls: readonly ToolCall[]): string | undefined {
  const names = new Set(calls.map((call) => call.name));
  if (names.size < 2) return undefined;
  const exclusive = run.spec.tools.find((tool) => tool.exclusive && names.has(tool.name))?.name;
  if (exclusive !== undefined) {
    run.context.tracer.emit({
      type: "note",
      note: "exclusive_turn_violation",
      detail: { tools: [...names] },
    });
  }
  return exclusive;
}

/** Counts a call against the budgets (A25). Returns the tool to run, or the refusal. */
function admit(
  run: AgentRun,
  call: ToolCall,
  position: number,
  exclusive: string | undefined,
): AgentTool | ToolResult {
  const { limits, tools } = run.spec;
  const refuse = (refused: string, detail: string, next: string): ToolResult => ({
    content: toolError(refused, detail, next),
    refused,
  });
  if (run.callsUsed >= limits.calls) {
    return refuse(
      "budget_spent",
      `all ${limits.calls} tool calls are used; this one was not run`,
      "write the final message from what you have read",
    );
  }
  const tool = run.toolsByName.get(call.name);
  if (tool === undefined) {
    run.callsUsed++;
    const names = tools.map(({ name }) => name).join(", ");
    return refuse("unknown_tool", `there is no tool named ${call.name}`, `call one of: ${names}`);
  }
  const fault = argumentFault(tool, call);
  if (fault !== undefined) {
    if (run.freeRejections > 0) run.freeRejections--;
    else run.callsUsed++;
    return refuse(
      "bad_arguments",
      fault,
      `call ${tool.name} again with arguments that fit its schema`,
    );
  }
  run.callsUsed++;
  if (limits.callsPerTurn !== undefined && position >= limits.callsPerTurn) {
    return refuse(
      "too_many_calls",
      `at most ${limits.callsPerTurn} tool calls are run in one turn; this one was not`,
      "look at the results you have, then decide on the next call",
    );
  }
  if (exclusive !== undefined && call.name !== exclusive) {
    return refuse(
      "separate_turns",
      `${call.name} cannot be called in the same turn as ${exclusive}; only ${exclusive} was run`,
      `study the result of ${exclusive}, then call ${call.name} in a turn of its own`,
    );
  }
  const usedOfTool = run.callsByTool.get(tool.name) ?? 0;
  if (tool.budget !== undefined && usedOfTool >= tool.budget) {
    const detail = `${tool.name} may be called ${tool.budget} times for one question`;
    run.context.tracer.emit({ type: "limit", limit: "search_budget", detail });
    return refuse("tool_budget_spent", detail, tool.afterBudget ?? "go on with the other tools");
  }
  run.callsByTool.set(tool.name, usedOfTool + 1);
  return tool;
}

function argumentFault(tool: AgentTool, call: ToolCall): string | undefined {
  if (call.invalid !== undefined) return "the arguments are not valid JSON";
  const parsed = tool.schema.safeParse(call.arguments);
  return parsed.success ? undefined : z.prettifyError(parsed.error);
}

/** Runs a handler. Whatever it throws, model errors aside, becomes a result that tells the model to go on. */
async function runTool(run: AgentRun, tool: AgentTool, call: ToolCall): Promise<ToolResult> {
  const { tracer, signal } = run.context;
  const roomTokens = run.meter.roomTokens();
  try {
    return await tool.run(tool.schema.parse(call.arguments), {
      roomTokens,
      percentUsed: run.meter.percent(),
      signal,
    });
  } catch (error) {
    if (error instanceof ModelError) throw error;
    if (signal.aborted) {
      throw new ModelError("aborted", "the question was interrupted", { cause: error });
    }
    tracer.emit({ type: "error", code: "E_TOOL_FAILED", message: messageOf(error) });
    return {
      content: toolError(
        "tool_failed",
        `${tool.name} could not be run`,
        "try other arguments or another tool, or answer from what you have read",
      ),
      refused: "tool_failed",
    };
  }
}

/** Adds the tool message and writes what happened to the trace: the call, then what it showed or let read. */
function record(run: AgentRun, call: ToolCall, result: ToolResult, durationMs: number): void {
  const { tracer } = run.context;
  const kept = withinRoom(run, result);
  run.messages.push({
    role: "tool",
    toolCallId: call.id,
    name: call.name,
    content: kept.content,
  });
  tracer.emit({
    type: "tool_call",
    id: call.id,
    name: call.name,
    arguments: call.invalid ?? call.arguments,
    result: kept.content,
    ...(kept.refused === undefined ? {} : { refused: kept.refused }),
    durationMs,
  });
  if (kept.droppedTokens !== undefined && kept.droppedTokens > 0) {
    tracer.emit({
      type: "limit",
      limit: "context",
      detail: `${kept.droppedTokens} tokens of the result of ${call.name} were left out`,
    });
  }
  if (kept.shown !== undefined) {
    tracer.emit({ type: "shown", ...kept.shown, tokens: kept.tokens });
  }
  const items = (kept.reads ?? []).filter(({ id }) => !run.readIds.has(id));
  if (items.length === 0) return;
  for (const { id } of items) run.readIds.add(id);
  tracer.emit({ type: "read", items });
}

/**
 * Last resort for a handler that did not mind `roomTokens`: the result is withheld rather than the window
 * burst. Results as short as the notice in their place always pass.
 */
function withinRoom(run: AgentRun, result: ToolResult): ToolResult & { tokens: number } {
  const tokens = countO200k(result.content);
  if (tokens <= Math.max(run.meter.roomTokens(), NOTICE_TOKENS)) {
    run.meter.add(tokens);
    return { ...result, tokens };
  }
  const content = toolError(
    "no_room",
    "the result does not fit into what is left of the context window",
    "write the final message from what you have read",
  );
  const errorTokens = countO200k(content);
  run.meter.add(errorTokens);
  return { content, refused: "no_room", droppedTokens: tokens, tokens: errorTokens };
}
