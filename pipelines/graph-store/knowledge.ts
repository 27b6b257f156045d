import type { GraphChunk } from "../graph-chunks/index.ts";
import { csvBlock } from "../graph-records/table.ts";

/** What a graph method lays before its model: tables, and the chunks of the last one by its row numbers. */
export interface Knowledge {
  text: string;
  sources: GraphChunk[];
  sizes: { entities: number; relationships: number; sources: number };
}

/** Tables of a graph with the source texts as the last one. */
export function knowledgeOf(
  tables: readonly string[],
  sources: GraphChunk[],
  sizes: Omit<Knowledge["sizes"], "sources">,
): Knowledge {
  const rows = sources.map((chunk) => [chunk.text]);
  return {
    text: [...tables, csvBlock("Sources", ["content"], rows)].join("\n\n"),
    sources,
    sizes: { ...sizes, sources: sources.length },
  };
}
