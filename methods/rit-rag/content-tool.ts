import { z } from "zod";
import type { NodeHandle } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import type { ReadItem } from "../../core/trace.ts";
import { type AgentTool, defineTool } from "../../pipelines/agent-loop/index.ts";
import { roomMeter } from "../../pipelines/reading/room-meter.ts";
import { toolDescriptions } from "./prompts.ts";
import type { Shown } from "./shown.ts";

const schema = z.object({
  ids: z.array(z.string().min(1)).min(1).describe("ids of readable nodes, three to five"),
});

type Entry = Record<string, unknown>;
type Readable = Pick<MethodContext, "corpus" | "chunks">;

/** Read(S) as a tool (notes 2.3): one entry per id, an error for those that cannot be read. */
export function contentTool(context: Readable, shown: Shown): AgentTool {
  const { corpus } = context;
  return defineTool({
    name: "get_content",
    description: toolDescriptions.content,
    schema,
    run({ ids }, { roomTokens }) {
      const entries: Entry[] = [];
      const reads: ReadItem[] = [];
      const room = roomMeter(roomTokens);
      for (const id of new Set(ids.map((given) => given.trim()))) {
        const node = corpus.findNode(id);
        const fault = node === undefined ? unknownId(id) : nodeFault(context, shown, node);
        if (node === undefined || fault !== undefined) {
          entries.push({ id, ...fault });
          continue;
        }
        const { entry, end } = room.place(
          { id },
          { title: corpus.title(node), content: corpus.text(node) },
        );
        entries.push(entry);
        if (end > 0) reads.push(readItem(context, node, end));
      }
      return {
        content: JSON.stringify(entries),
        reads,
        droppedTokens: room.droppedTokens,
        ...(reads.length === 0 ? { refused: "nothing_readable" } : {}),
      };
    },
  });
}

function unknownId(id: string): Entry {
  return {
    error: "unknown_id",
    detail: `no node has the id ${id}`,
    next: "copy ids exactly from a result of get_toc_structure",
  };
}

function nodeFault({ corpus }: Readable, shown: Shown, node: NodeHandle): Entry | undefined {
  if (!shown.allows(node)) {
    return {
      error: "not_shown",
      detail: "no table of contents has shown this node",
      next: "ask get_toc_structure for the section first",
    };
  }
  if (!corpus.readable(node)) {
    return {
      error: "not_readable",
      detail: "this node has no text of its own",
      next: "fetch readable nodes below it",
    };
  }
  return undefined;
}

function readItem({ corpus, chunks }: Readable, node: NodeHandle, end: number): ReadItem {
  const nodeId = corpus.nodeId(node);
  return {
    kind: "node",
    id: nodeId,
    documentId: corpus.document(corpus.documentIndex(node)).id,
    spans: [{ nodeId, start: 0, end }],
    tokens: chunks.countTokens(corpus.text(node).slice(0, end)),
  };
}
