import { z } from "zod";
import type { Method, MethodContext } from "../../core/method.ts";
import { loadPrompt } from "../../core/prompt-file.ts";
import {
  type AgentTool,
  agentFingerprint,
  defineTool,
  runAgent,
} from "../../pipelines/agent-loop/index.ts";
import { finalFormatPrompt } from "../../pipelines/answer-format/index.ts";
import { type Passage, passagesThatFit, searchPassages } from "../../pipelines/passages/index.ts";

export const agenticSearchConfig = z.strictObject({
  k: z.int().min(1).max(200).default(5).describe("chunks returned by a search"),
  B: z.int().min(1).max(1000).default(10).describe("tool calls for one question"),
});

export type AgenticSearchConfig = z.input<typeof agenticSearchConfig>;

/** Raised when the tool behaves differently. */
const VERSION = 1;

const systemPrompt = loadPrompt(new URL("./prompts/system.md", import.meta.url));
const toolPrompt = loadPrompt(new URL("./prompts/search-corpus.md", import.meta.url));

const schema = z.object({
  query: z.string().min(1).describe("what to search for, in words the wanted passage may contain"),
});

/** Agentic Search (section 5.1 and Fig. 7 of the paper): an agent with one search tool over flat chunks. */
export function createAgenticSearch(config: AgenticSearchConfig = {}): Method {
  const { k, B } = agenticSearchConfig.parse(config);
  const system = systemPrompt.render({
    k: String(k),
    calls: String(B),
    final_format: finalFormatPrompt.render({ source_kind: "Ids of the passages" }),
  });
  return {
    name: "agentic-search",
    title: "Agentic Search",
    fingerprint: agentFingerprint({
      method: "agentic-search",
      version: VERSION,
      k,
      B,
      prompts: [systemPrompt, toolPrompt, finalFormatPrompt].map((prompt) => prompt.hash),
    }),
    scoredReads: true,
    answer: (question, context) =>
      runAgent(
        {
          task: "agentic-search.turn",
          system,
          question: question.text,
          tools: [searchTool(context, k)],
          limits: { calls: B },
        },
        context,
      ),
  };
}

function searchTool(context: MethodContext, k: number): AgentTool {
  return defineTool({
    name: "search_corpus",
    description: toolPrompt.text,
    schema,
    async run({ query }, { roomTokens }) {
      const passages = await searchPassages(context, query, k);
      if (passages.length === 0) {
        const notice = "no passage matches this query; try other words for it";
        return { content: JSON.stringify({ notice, passages: [] }) };
      }
      const { kept, droppedTokens } = passagesThatFit(passages, passageJson, roomTokens);
      const json = `[${kept.map(passageJson).join(",")}]`;
      const notice = `the context window is nearly full: the best ${kept.length} of ${passages.length}`;
      return {
        content: droppedTokens === 0 ? json : `{"notice":"${notice}","passages":${json}}`,
        reads: kept.map(({ item }) => item),
        droppedTokens,
      };
    },
  });
}

function passageJson({ item, heading, text }: Passage): string {
  return JSON.stringify({ id: item.id, title: heading, text });
}
