import type { MethodContext } from "../../core/method.ts";
import type { AgentTool } from "../../pipelines/agent-loop/index.ts";
import type { RitRagParameters } from "./config.ts";
import { contentTool } from "./content-tool.ts";
import { shownNodes } from "./shown.ts";
import { tocTool } from "./toc-tool.ts";

/** What the two tools need of a method's context. */
export type RitRagToolContext = Pick<
  MethodContext,
  "corpus" | "chunks" | "retriever" | "metadata" | "tracer"
>;

/** The two tools for one question; they share what has been shown. */
export function ritRagTools(context: RitRagToolContext, parameters: RitRagParameters): AgentTool[] {
  const shown = shownNodes(parameters.strictCurrentToc);
  return [tocTool(context, parameters, shown), contentTool(context, shown)];
}
