import { DynamicStructuredTool } from "@langchain/core/tools";
import type { NodeMetadataSource } from "../../core/method.ts";
import type { AgentTool, ToolResult } from "../../pipelines/agent-loop/index.ts";
import { type RitRagConfig, ritRagParameters } from "./config.ts";
import { type RitRagToolContext, ritRagTools } from "./tools.ts";

/** Parameters of the tools themselves; budgets and context notices belong to the agent around them. */
export type RitRagToolParameters = Pick<
  RitRagConfig,
  "n" | "kPrime" | "strictCurrentToc" | "flatMetadata"
>;

export interface RitRagToolsOptions
  extends Pick<RitRagToolContext, "corpus" | "chunks" | "retriever"> {
  /** Summaries and keywords by node; absent = titles only. */
  metadata?: NodeMetadataSource;
  parameters?: RitRagToolParameters;
}

const titlesOnly: NodeMetadataSource = { kind: "titles", get: () => undefined };
const noTrace = { emit: () => {} };
const never = new AbortController().signal;

/**
 * RIT-RAG's two tools, `get_toc_structure` and `get_content`, for an agent of one's own. They give the model the same
 * JSON as in the harness; each tool message carries what it showed or let read as its `artifact`
 * (`{shown: {query, nodes, selected}}` or `{reads}`).
 *
 * The pair remembers which nodes a table of contents has shown, and reads no others. That memory is one conversation's:
 * make a pair for each, and keep it while the conversation lasts.
 *
 * @example
 * const documents = await openDocuments("./my-docs");
 * const agent = createReactAgent({ llm: model, tools: createRitRagTools(documents) });
 */
export function createRitRagTools({
  corpus,
  chunks,
  retriever,
  metadata = titlesOnly,
  parameters = {},
}: RitRagToolsOptions): DynamicStructuredTool[] {
  const context: RitRagToolContext = { corpus, chunks, retriever, metadata, tracer: noTrace };
  return ritRagTools(context, ritRagParameters(parameters)).map(structuredTool);
}

function structuredTool(tool: AgentTool): DynamicStructuredTool {
  return new DynamicStructuredTool({
    name: tool.name,
    description: tool.description,
    schema: tool.schema as DynamicStructuredTool["schema"],
    responseFormat: "content_and_artifact",
    async func(input, _manager, config) {
      const result = await tool.run(input, {
        roomTokens: Number.POSITIVE_INFINITY,
        percentUsed: 0,
        signal: config?.signal ?? never,
      });
      return [result.content, artifactOf(result)];
    },
  });
}

function artifactOf({ shown, reads }: ToolResult): Pick<ToolResult, "shown" | "reads"> {
  return { ...(shown === undefined ? {} : { shown }), ...(reads === undefined ? {} : { reads }) };
}
