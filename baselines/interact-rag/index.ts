import type { Method } from "../../core/method.ts";
import { agentFingerprint, runAgent } from "../../pipelines/agent-loop/index.ts";
import { type InteractRagConfig, interactRagConfig } from "./config.ts";
import { CALLS_PER_TURN, promptHashes, systemPrompt } from "./prompts.ts";
import { interactTool } from "./tool.ts";
import { advise } from "./workflow.ts";

export { type InteractRagConfig, interactRagConfig } from "./config.ts";

/** Raised when search or workflow behave differently. */
const VERSION = 1;

/**
 * Interact-RAG (arXiv 2510.27566) as a zero-shot workflow (A35): a planner and a reasoner advise an executor, which
 * searches chunks with one composable tool. Rebuilt from descriptions (notes 5); there is no official code.
 */
export function createInteractRag(config: InteractRagConfig = {}): Method {
  const parameters = interactRagConfig.parse(config);
  const system = systemPrompt(parameters);
  return {
    name: "interact-rag",
    title: "Interact-RAG",
    fingerprint: agentFingerprint({
      method: "interact-rag",
      version: VERSION,
      parameters,
      prompts: promptHashes(parameters.workflow),
    }),
    scoredReads: true,
    answer: (question, context) =>
      runAgent(
        {
          task: "interact-rag.turn",
          system,
          question: question.text,
          tools: [interactTool(context, parameters)],
          limits: { calls: parameters.B, callsPerTurn: CALLS_PER_TURN },
          parallelToolCalls: true,
          ...(parameters.workflow === "roles"
            ? { beforeTurn: advise(context, question.text) }
            : {}),
        },
        context,
      ),
  };
}
