import { z } from "zod";
import type { MethodContext } from "../../core/method.ts";
import type { ReadItem } from "../../core/trace.ts";
import {
  type AgentTool,
  defineTool,
  type ToolResult,
  toolError,
} from "../../pipelines/agent-loop/index.ts";
import { roomMeter } from "../../pipelines/reading/room-meter.ts";
import { type DocumentView, readItemOf, textOf, type Unit } from "./document-view.ts";
import { countPages, formatPageSpec, type PageRange, parsePageSpec } from "./page-spec.ts";
import { toolDescriptions } from "./prompts.ts";
import { PART_CHARS, structureParts } from "./structure.ts";

/** Pages that one call may ask for. */
const MOST_PAGES = 1000;

/** The three tools for one question, bound to its one document (notes 6.5). */
export function pageIndexTools(context: MethodContext, view: DocumentView): AgentTool[] {
  return [documentTool(context, view), structureTool(context, view), contentTool(context, view)];
}

function documentTool({ metadata }: MethodContext, view: DocumentView): AgentTool {
  const { document, kind, count } = view;
  const description = metadata.get(document.root)?.summary;
  return defineTool({
    name: "get_document",
    description: toolDescriptions.document,
    schema: z.object({}),
    run: () => ({
      content: JSON.stringify({
        doc_id: document.id,
        name: document.title,
        ...(description ? { description } : {}),
        type: kind,
        status: "completed",
        ...(kind === "pages" ? { page_count: count } : { line_count: count }),
      }),
    }),
  });
}

function structureTool(context: MethodContext, view: DocumentView): AgentTool {
  const { corpus } = context;
  return defineTool({
    name: "get_document_structure",
    description: toolDescriptions.structure,
    schema: z.object({
      part: z.int().min(1).optional().describe("which part of a long structure; 1 where absent"),
    }),
    run({ part = 1 }): ToolResult {
      const parts = structureParts(context, view);
      const chosen = parts[part - 1];
      if (chosen === undefined) {
        const detail = `the structure has ${parts.length} part${parts.length === 1 ? "" : "s"}`;
        return {
          content: toolError("no_such_part", detail, `ask for a part from 1 to ${parts.length}`),
          refused: "no_such_part",
        };
      }
      const pagination = { part, total_parts: parts.length, has_more: part < parts.length };
      const tail = parts.length === 1 ? "" : `,"pagination":${JSON.stringify(pagination)}`;
      return {
        content: `{"structure":${chosen.json}${tail}}`,
        shown: {
          query: view.document.id,
          nodes: chosen.nodes.map((node) => corpus.nodeId(node)),
          selected: [],
        },
      };
    },
  });
}

function contentTool(context: MethodContext, view: DocumentView): AgentTool {
  return defineTool({
    name: "get_page_content",
    description: toolDescriptions.content,
    schema: z.object({
      pages: z.string().describe('pages or heading lines: "5", "3,8", "5-7", "1-3,7"'),
    }),
    run({ pages }, { roomTokens }): ToolResult {
      const ranges = parsePageSpec(pages);
      if (ranges === undefined) return badSpec(pages);
      const asked = view.units.filter(({ number }) => inRanges(ranges, number));
      const count = view.kind === "pages" ? countPages(ranges) : asked.length;
      if (count > MOST_PAGES) return tooMany(count);
      if (asked.length === 0) return outOfRange(view);
      return readUnits(context, view, asked, roomTokens);
    },
  });
}

/** Units in order until their text passes the limit; what is left is named for a further call. */
function readUnits(
  { corpus, chunks }: MethodContext,
  view: DocumentView,
  asked: readonly Unit[],
  roomTokens: number,
): ToolResult {
  const room = roomMeter(roomTokens);
  const entries: unknown[] = [];
  const reads: ReadItem[] = [];
  let chars = 0;
  for (const unit of asked) {
    const content = textOf(corpus, unit);
    if (entries.length > 0 && chars + content.length > PART_CHARS) break;
    chars += content.length;
    const title = unit.title === undefined ? {} : { title: unit.title };
    const { entry, end } = room.place({ page: unit.number }, { ...title, content });
    entries.push(entry);
    const read = readItemOf(view, unit, end, chunks.countTokens(content.slice(0, end)));
    if (read !== undefined) reads.push(read);
  }
  const rest = asked.slice(entries.length).map(({ number }) => number);
  const remaining = rest.length === 0 ? {} : { remaining_pages: formatPageSpec(rest) };
  return {
    content: JSON.stringify({ pages: entries, ...remaining }),
    reads,
    droppedTokens: room.droppedTokens,
  };
}

function inRanges(ranges: readonly PageRange[], number: number): boolean {
  return ranges.some(([from, to]) => number >= from && number <= to);
}

function badSpec(pages: string): ToolResult {
  return {
    content: toolError(
      "invalid_pages",
      `${JSON.stringify(pages.slice(0, 80))} names no pages`,
      'write pages as "5", "3,8", "5-7" or "1-3,7"',
    ),
    refused: "invalid_pages",
  };
}

function tooMany(count: number): ToolResult {
  return {
    content: toolError(
      "too_many_pages",
      `${count} pages are asked for, at most ${MOST_PAGES} can be`,
      "ask for the few pages that the structure points to",
    ),
    refused: "too_many_pages",
  };
}

function outOfRange({ kind, count }: DocumentView): ToolResult {
  const [detail, next] =
    kind === "pages"
      ? [`the document has pages 1 to ${count}`, "ask for pages within the document"]
      : [
          `no heading stands on these lines; the document has ${count} lines`,
          "copy line_num of headings from get_document_structure",
        ];
  return {
    content: toolError("pages_out_of_range", detail!, next!),
    refused: "pages_out_of_range",
  };
}
