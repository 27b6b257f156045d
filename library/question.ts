import type { BaseMessage } from "@langchain/core/messages";
import { RitbenchError } from "../core/errors.ts";
import { loadPrompt } from "../core/prompt-file.ts";

const conversation = loadPrompt(new URL("./prompts/conversation.md", import.meta.url));

const speakers: { readonly [type: string]: string } = {
  system: "Instructions",
  human: "User",
  ai: "Assistant",
};

/**
 * The last human message as a question; what instructions, user and assistant said before it goes in front.
 *
 * @throws RitbenchError E_AGENT_QUESTION without a human message that has text.
 */
export function questionOf(messages: readonly BaseMessage[]): string {
  const last = messages.findLastIndex((message) => message.getType() === "human");
  const question = messages[last]?.text.trim() ?? "";
  if (question === "") {
    throw new RitbenchError("E_AGENT_QUESTION", "there is no question to answer", {
      expected: "a human message with text in `messages`",
      got: `${messages.length} messages`,
    });
  }
  const earlier = messages.slice(0, last).flatMap((message) => {
    const speaker = speakers[message.getType()];
    const text = message.text.trim();
    return speaker === undefined || text === "" ? [] : [`${speaker}: ${text}`];
  });
  if (earlier.length === 0) return question;
  return conversation.render({ earlier: earlier.join("\n\n"), question });
}
