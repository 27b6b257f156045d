import type { Method } from "../../core/method.ts";
import { agentFingerprint, runAgent } from "../../pipelines/agent-loop/index.ts";
import { type RitRagConfig, ritRagParameters } from "./config.ts";
import { promptsFingerprint, systemPrompt } from "./prompts.ts";
import { ritRagTools } from "./tools.ts";

export {
  type RitRagConfig,
  type RitRagParameters,
  ritRagConfig,
  ritRagParameters,
} from "./config.ts";
export { induceSubForest, type SubTree } from "./induce.ts";
export {
  createRitRagTools,
  type RitRagToolParameters,
  type RitRagToolsOptions,
} from "./langchain-tools.ts";
export { systemPrompt } from "./prompts.ts";
export { type ScoredNode, topNodes } from "./score-nodes.ts";
export { serialiseSubForest } from "./serialise.ts";
export { type RenderedForest, renderForest } from "./toc-tool.ts";
export { type RitRagToolContext, ritRagTools } from "./tools.ts";

/** Raised when selection, serialisation or the tools behave differently. */
const VERSION = 1;

/**
 * RIT-RAG (arXiv 2610.11370): an agent that is shown, for a query, the part of the corpus's section trees
 * that matches it, and reads the nodes it picks there.
 */
export function createRitRag(config: RitRagConfig = {}): Method {
  const parameters = ritRagParameters(config);
  return {
    name: "rit-rag",
    title: "RIT-RAG",
    fingerprint: agentFingerprint({
      method: "rit-rag",
      version: VERSION,
      parameters,
      prompts: promptsFingerprint,
    }),
    scoredReads: true,
    answer: (question, context) =>
      runAgent(
        {
          task: "rit-rag.turn",
          system: systemPrompt(parameters, context.metadata.kind),
          question: question.text,
          tools: ritRagTools(context, parameters),
          limits: { calls: parameters.B },
        },
        context,
      ),
  };
}
