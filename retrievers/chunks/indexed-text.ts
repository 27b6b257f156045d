import type { Corpus } from "../../core/corpus/corpus.ts";
import type { ChunkHandle, NodeHandle } from "../../core/ids.ts";
import type { Chunks } from "../../core/retriever.ts";

/**
 * What the indexes see of a chunk: its body alone (A3), or, as an ablation (`prefixPath`), the titles from the
 * root down to its node before it. What is read stays the chunk's own text;
 * an encoder whose window the path and the chunk together exceed cuts the chunk's end off.
 */
export type IndexedText = "body" | "path";

export function indexedText(
  corpus: Corpus,
  chunks: Chunks,
  kind: IndexedText,
): (chunk: ChunkHandle) => string {
  if (kind === "body") return chunks.text;
  let lastNode = -1;
  let lastPath = "";
  return (chunk) => {
    const node = chunks.node(chunk);
    if (node !== lastNode) {
      lastNode = node;
      lastPath = titlePath(corpus, node);
    }
    return `${lastPath}\n${chunks.text(chunk)}`;
  };
}

function titlePath(corpus: Corpus, node: NodeHandle): string {
  return [...corpus.ancestors(node), node].map((each) => corpus.title(each)).join(" > ");
}
