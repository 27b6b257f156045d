import { z } from "zod";
import type { NodeHandle } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import { countO200k, fitsO200k } from "../../core/o200k.ts";
import {
  type AgentTool,
  defineTool,
  type ToolResult,
  toolError,
  WARN_PERCENT,
} from "../../pipelines/agent-loop/index.ts";
import { tracedSearch } from "../../pipelines/passages/index.ts";
import type { RitRagParameters } from "./config.ts";
import { induceSubForest } from "./induce.ts";
import { toolDescriptions } from "./prompts.ts";
import { type ScoredNode, topNodes } from "./score-nodes.ts";
import { serialiseSubForest } from "./serialise.ts";
import type { Shown } from "./shown.ts";

const schema = z.object({
  query: z.string().min(1).describe("what the wanted sections are about, in words they may use"),
});

type Forest = Pick<MethodContext, "corpus" | "metadata">;

/** A sub-forest ready to be shown: `nodes` in the order of the JSON. */
export interface RenderedForest {
  json: string;
  nodes: readonly NodeHandle[];
}

/** From the selected nodes, best first, to the JSON the model sees. */
export function renderForest(
  { corpus, metadata }: Forest,
  selected: readonly ScoredNode[],
  flatMetadata: boolean,
): RenderedForest {
  const trees = induceSubForest(
    corpus,
    selected.map(({ node }) => node),
  );
  const json = serialiseSubForest(corpus, trees, {
    metadata: (node) => metadata.get(node),
    flat: flatMetadata,
  });
  return { json, nodes: trees.flatMap(({ nodes }) => nodes) };
}

/** GetToC(q) as a tool (notes 2.2). Remembers in `shown` which nodes the model has seen. */
export function tocTool(
  context: Omit<Parameters<typeof tracedSearch>[0], "signal"> & Forest,
  parameters: RitRagParameters,
  shown: Shown,
): AgentTool {
  const { corpus, chunks } = context;
  const { n, kPrime, Bs, flatMetadata, refuseTocAbove80 } = parameters;
  return defineTool({
    name: "get_toc_structure",
    description: toolDescriptions.toc,
    schema,
    budget: Bs,
    afterBudget: "fetch text with get_content from the tables of contents you have, or answer",
    exclusive: true,
    async run({ query }, { roomTokens, percentUsed, signal }): Promise<ToolResult> {
      if (refuseTocAbove80 && percentUsed >= WARN_PERCENT) {
        const next = "write the final message from what you have read";
        return {
          content: toolError("context_warning", "the context window is too full", next),
          refused: "context_warning",
        };
      }
      const hits = await tracedSearch({ ...context, signal }, query, kPrime);
      const selected = topNodes(hits, (chunk) => chunks.node(chunk), n);
      if (selected.length === 0) {
        const notice = "no section matches this query; try other words for it";
        return { content: JSON.stringify({ notice, trees: [] }) };
      }
      const { forest, kept, droppedTokens } = fitForest(
        (best) => renderForest(context, best, flatMetadata),
        selected,
        roomTokens,
      );
      shown.add(forest.nodes);
      const notice = `the context window is nearly full: the best ${kept.length} of ${selected.length} matching sections`;
      return {
        content:
          droppedTokens === 0 ? forest.json : `{"notice":"${notice}","trees":${forest.json}}`,
        shown: {
          query,
          nodes: forest.nodes.map((node) => corpus.nodeId(node)),
          selected: kept.map(({ node }) => corpus.nodeId(node)),
        },
        droppedTokens,
      };
    },
  });
}

/** Halves the selection until its forest fits; a single node is left to the loop's own guard. */
function fitForest(
  render: (selected: readonly ScoredNode[]) => RenderedForest,
  selected: readonly ScoredNode[],
  roomTokens: number,
): { forest: RenderedForest; kept: readonly ScoredNode[]; droppedTokens: number } {
  const whole = render(selected);
  let forest = whole;
  let kept = selected;
  while (kept.length > 1 && !fitsO200k(forest.json, roomTokens)) {
    kept = kept.slice(0, kept.length >> 1);
    forest = render(kept);
  }
  const droppedTokens =
    kept.length === selected.length ? 0 : countO200k(whole.json) - countO200k(forest.json);
  return { forest, kept, droppedTokens };
}
