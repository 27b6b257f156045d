import type { AssistantMessage, ChatMessage, UserMessage } from "../../core/model.ts";
import { type AgentTurn, WARN_PERCENT } from "../../pipelines/agent-loop/index.ts";
import { type CallContext, callModel } from "../../pipelines/tracing/call-model.ts";
import { plannerPrompt, reasonerPrompt } from "./prompts.ts";

/** First lines of what the two advising roles put into the conversation. */
const PLAN = "[PLAN]";
const ANALYSIS = "[ANALYSIS]";

/**
 * The hook of one question that runs before each turn of the executor: the planner once, then the reasoner each
 * time. What they say is advice in the conversation; only the executor searches and ends the episode.
 */
export function advise(context: CallContext, question: string) {
  return async ({ index, messages, callsLeft, percentUsed }: AgentTurn): Promise<ChatMessage[]> => {
    const added: ChatMessage[] = [];
    if (index === 0) {
      const plan = await say(context, "interact-rag.plan", question, [
        { role: "system", content: plannerPrompt.text },
        { role: "user", content: question },
      ]);
      if (plan !== "") added.push({ role: "user", content: `${PLAN}\n${plan}` });
    }
    // From the warning on the executor has to answer: there is no path left to choose.
    if (percentUsed >= WARN_PERCENT) return added;
    const analysis = await say(context, "interact-rag.reason", question, [
      { role: "system", content: reasonerPrompt.text },
      ...reasonerView([...messages, ...added]),
      { role: "user", content: `${callsLeft} searches are left. Write your analysis now.` },
    ]);
    if (analysis !== "") added.push({ role: "user", content: `${ANALYSIS}\n${analysis}` });
    return added;
  };
}

/** The reply's text, or nothing for a refusal: advice that is not there does not end a question. */
async function say(
  context: CallContext,
  task: string,
  question: string,
  messages: readonly ChatMessage[],
): Promise<string> {
  const { message, stopReason } = await callModel(context, { task, messages, hints: { question } });
  return stopReason === "refusal" ? "" : message.content.trim();
}

/**
 * The executor's conversation as the reasoner sees it: question and plan, its own analyses as its own words, the
 * executor's searches and their results as text, so that no tool has to be declared; notices on the executor's
 * window left out.
 */
export function reasonerView(messages: readonly ChatMessage[]): (UserMessage | AssistantMessage)[] {
  const said = (role: "user" | "assistant", content: string) => ({ role, content });
  return messages.flatMap((message): (UserMessage | AssistantMessage)[] => {
    const { role, content } = message;
    if (role === "system") return [];
    if (role === "tool") return [said("user", `[RESULT]\n${content}`)];
    if (role === "user") {
      if (content.startsWith("[CONTEXT USAGE]")) return [];
      return content.startsWith(`${ANALYSIS}\n`)
        ? [said("assistant", content.slice(ANALYSIS.length + 1))]
        : [said("user", content)];
    }
    return [
      ...(content.trim() === "" ? [] : [said("user", `[EXECUTOR]\n${content}`)]),
      ...(message.toolCalls ?? []).map((call) =>
        said("user", `[SEARCH]\n${call.invalid ?? JSON.stringify(call.arguments)}`),
      ),
    ];
  });
}
