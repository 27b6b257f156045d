import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import type { MethodAnswer } from "../../core/method.ts";
import { overflowAnswer } from "../answer-format/answer-once.ts";
import type { CallContext } from "../tracing/call-model.ts";
import { stepBound } from "./limits.ts";
import { type AgentRun, type AgentSpec, startRun } from "./run-state.ts";
import { runPendingCalls } from "./run-tools.ts";
import { finalise, type Step, think } from "./turns.ts";

/** `run` is one object for the whole question: nothing is checkpointed, a question is resumed whole. */
const AgentState = Annotation.Root({ run: Annotation<AgentRun>, step: Annotation<Step> });

const nextStep = ({ step }: typeof AgentState.State): Step => step;

/**
 * Compiled once for all agents and questions; compiling costs more than a short question. A turn and its tool calls
 * are one step: every step costs about a millisecond of LangGraph's own.
 */
const graph = new StateGraph(AgentState)
  .addNode("turn", async ({ run }) => {
    const step = await think(run);
    if (step !== "act") return { step };
    await runPendingCalls(run);
    return { step: "think" as const };
  })
  .addNode("finalise", async ({ run }) => ({ step: await finalise(run) }))
  .addEdge(START, "turn")
  .addConditionalEdges("turn", nextStep, { think: "turn", finalise: "finalise", done: END })
  .addEdge("finalise", END)
  // The checkpointer of a graph around it would store a question's whole state, corpus included.
  .compile({ checkpointer: false });

/**
 * Runs one agent on one question until it answers or is made to answer. Every rule of the notes' A20-A28
 * that is not a method's own holds here: budgets, context notices, forced final message, reminders, and a
 * message history that a provider accepts whatever the model does.
 *
 * @throws ModelError when a model call failed for good; a prompt over the window is the outcome
 *   `context_overflow` instead.
 */
export async function runAgent(spec: AgentSpec, context: CallContext): Promise<MethodAnswer> {
  const run = startRun(spec, context);
  try {
    await graph.invoke({ run, step: "think" }, { recursionLimit: stepBound(spec.limits) });
  } catch (error) {
    return overflowAnswer(error, context.tracer, run.readIds.size === 0 ? ["noRead"] : []);
  }
  if (run.answer === undefined) throw new Error("the agent graph ended without an answer");
  return run.answer;
}
