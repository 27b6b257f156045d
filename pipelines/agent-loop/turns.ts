import type { AssistantMessage, ModelReply, ToolCall } from "../../core/model.ts";
import { readFinalMessage } from "../answer-format/index.ts";
import { callModel } from "../tracing/call-model.ts";
import { FINALISE_PERCENT, WARN_PERCENT } from "./context-meter.ts";
import { loopPrompts } from "./prompts.ts";
import { type AgentRun, addMessages } from "./run-state.ts";

/** Where the graph goes next. */
export type Step = "think" | "act" | "finalise" | "done";

/** One model turn with tools: meter, hook, call. */
export async function think(run: AgentRun): Promise<Step> {
  const { spec, meter } = run;
  if (run.callsUsed >= spec.limits.calls) return force(run, "budget");
  if (spec.beforeTurn !== undefined && meter.percent() < FINALISE_PERCENT) {
    const added = await spec.beforeTurn({
      index: run.turns,
      messages: run.messages,
      callsLeft: spec.limits.calls - run.callsUsed,
      percentUsed: meter.percent(),
    });
    addMessages(run, added);
  }
  if (meter.percent() >= FINALISE_PERCENT) return force(run, "context");
  addMessages(run, [{ role: "user", content: contextNotice(run) }]);
  run.turns++;
  const reply = await call(run, "auto");
  if (reply.stopReason !== "refusal" && reply.message.toolCalls?.length) {
    run.pending = reply.message.toolCalls;
    return "act";
  }
  if (needsReminder(run, reply)) {
    run.reminded = true;
    const tools = spec.tools.map(({ name }) => name).join(" or ");
    addMessages(run, [{ role: "user", content: loopPrompts.readReminder.render({ tools }) }]);
    return "think";
  }
  return settle(run, reply);
}

/** The last call once budget or window are used up, tools switched off (A28). */
export async function finalise(run: AgentRun): Promise<Step> {
  const content =
    run.forced === "context"
      ? loopPrompts.finaliseContext.render()
      : loopPrompts.finaliseBudget.render({ calls: String(run.spec.limits.calls) });
  addMessages(run, [{ role: "user", content }]);
  return settle(run, await call(run, "none"));
}

function force(run: AgentRun, limit: "budget" | "context"): Step {
  run.forced = limit;
  const detail =
    limit === "budget"
      ? `all ${run.spec.limits.calls} tool calls are used`
      : `${run.meter.usedTokens} of ${run.context.model.contextTokens} tokens (estimate)`;
  run.context.tracer.emit({ type: "limit", limit, detail });
  return "finalise";
}

function contextNotice(run: AgentRun): string {
  const percent = run.meter.percent();
  const values = {
    used: String(run.meter.usedTokens),
    limit: String(run.context.model.contextTokens),
    percent: String(percent),
  };
  const usage = loopPrompts.usage.render(values);
  if (percent < WARN_PERCENT) return usage;
  const detail = `warned at ${percent}% of ${values.limit} tokens`;
  run.context.tracer.emit({ type: "limit", limit: "context", detail });
  return `${usage}\n${loopPrompts.warning.render(values)}`;
}

async function call(run: AgentRun, toolChoice: "auto" | "none"): Promise<ModelReply> {
  const { spec, context, definitions } = run;
  const reply = await callModel(context, {
    task: spec.task,
    messages: [...run.messages],
    tools: definitions,
    toolChoice,
    parallelToolCalls: spec.parallelToolCalls ?? false,
    hints: { ...spec.hints, question: spec.question },
  });
  const message =
    toolChoice === "none" ? withoutCalls(reply.message) : uniqueCalls(run, reply.message);
  run.messages.push(message);
  const calls = message.toolCalls === undefined ? "" : JSON.stringify(message.toolCalls);
  run.meter.report(reply.usage, message.content + calls);
  return { ...reply, message };
}

function needsReminder(run: AgentRun, { message, stopReason }: ModelReply): boolean {
  const complete = stopReason === "stop" || stopReason === "tool_calls";
  return (
    (run.spec.requireRead ?? true) &&
    run.readIds.size === 0 &&
    !run.reminded &&
    complete &&
    message.content.trim() !== ""
  );
}

function settle(run: AgentRun, { message, stopReason }: ModelReply): Step {
  const flags: string[] = [];
  if (run.forced !== undefined) flags.push("forced");
  if ((run.spec.requireRead ?? true) && run.readIds.size === 0) flags.push("noRead");
  const ending =
    run.forced === "budget"
      ? "budget_exhausted"
      : run.forced === "context"
        ? "context_overflow"
        : "answered";
  run.answer = readFinalMessage(message.content, stopReason, ending, flags);
  return "done";
}

/** Calls in a reply to which no tool may answer would leave the conversation open. */
function withoutCalls({
  toolCalls: _,
  provider: __,
  ...message
}: AssistantMessage): AssistantMessage {
  return message;
}

/**
 * Gives calls without an id, or with one that the conversation has already, an id of their own: providers
 * refuse a history in which two calls share one.
 */
function uniqueCalls(run: AgentRun, message: AssistantMessage): AssistantMessage {
  if (!message.toolCalls?.length)
    return { role: message.role, content: message.content, ...providerOf(message) };
  let renamed = false;
  const toolCalls = message.toolCalls.map((call, position): ToolCall => {
    let id = call.id;
    for (let i = position; id === "" || run.callIds.has(id); i++) {
      id = `call_${run.turns}_${i}`;
      renamed = true;
    }
    run.callIds.add(id);
    return { ...call, id };
  });
  return {
    role: message.role,
    content: message.content,
    toolCalls,
    ...(renamed ? {} : providerOf(message)),
  };
}

/** Opaque provider content may hold the old ids, so it stays only where nothing was renamed. */
function providerOf({ provider }: AssistantMessage): Pick<AssistantMessage, "provider"> {
  return provider === undefined ? {} : { provider };
}
