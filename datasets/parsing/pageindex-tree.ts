import { z } from "zod";
import type { PageRangeTree } from "../../core/forest/page-ranges.ts";
import { parseJson, parseRecord } from "./jsonl.ts";

interface RawNode {
  title: string;
  start_index?: number | null | undefined;
  end_index?: number | null | undefined;
  summary?: string | null | undefined;
  prefix_summary?: string | null | undefined;
  nodes?: RawNode[] | null | undefined;
}

const index = z.int().nullish();
const node: z.ZodType<RawNode> = z.object({
  title: z.string(),
  start_index: index,
  end_index: index,
  summary: z.string().nullish(),
  prefix_summary: z.string().nullish(),
  nodes: z.lazy(() => z.array(node)).nullish(),
});
const file = z.object({
  doc_name: z.string().optional(),
  doc_description: z.string().nullish(),
  structure: z.array(node),
});

export interface PageIndexTree {
  description?: string;
  trees: PageRangeTree[];
}

/**
 * A ready-made PageIndex tree (`{doc_name, structure: [{title, start_index, end_index, summary?, nodes?}]}`). Its
 * indices count from 1 and are inclusive; here they count from 0. Summaries become node metadata.
 *
 * @throws RitbenchError E_DATA_FORMAT that names the file and field
 */
export function parsePageIndexTree(json: string, where: string): PageIndexTree {
  const raw = parseRecord(file, parseJson(json, where), where);
  return {
    trees: raw.structure.map(convert),
    ...(raw.doc_description && { description: raw.doc_description }),
  };
}

function convert(raw: RawNode): PageRangeTree {
  const summary = raw.summary || raw.prefix_summary;
  return {
    title: raw.title.replace(/\s+/g, " ").trim(),
    start: fromOne(raw.start_index),
    end: fromOne(raw.end_index),
    children: (raw.nodes ?? []).map(convert),
    ...(summary && { metadata: { summary } }),
  };
}

function fromOne(value: number | null | undefined): number | null {
  return value == null ? null : value - 1;
}
