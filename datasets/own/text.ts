import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { firstLine } from "../../core/forest/page-title.ts";

/** Longer texts are cut into parts, so that reading a node does not mean reading the file. */
const MAX_PART_LENGTH = 8_000;

/**
 * A plain text file: one node, or parts of at most 8,000 characters below the root, cut after a blank line
 * where there is one, else after a line end, else hard.
 */
export function textTree(source: string, title: string): DocumentTree {
  const text = source.trim();
  if (text.length <= MAX_PART_LENGTH) return text === "" ? { title } : { title, text };
  const children: DocumentTree[] = [];
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start);
    const part = text.slice(start, end).trimEnd();
    const line = firstLine(part);
    const label = `part ${children.length + 1}`;
    if (part.trim() !== "") {
      children.push({ title: line === undefined ? label : `${label}: ${line}`, text: part });
    }
    start = end;
  }
  return { title, children };
}

function partEnd(text: string, start: number): number {
  const limit = start + MAX_PART_LENGTH;
  if (limit >= text.length) return text.length;
  const window = text.slice(start, limit);
  const paragraph = Math.max(
    ...[...window.matchAll(/\n[^\S\n]*\n/g)].map((gap) => gap.index + gap[0].length),
    0,
  );
  if (paragraph > MAX_PART_LENGTH / 2) return start + paragraph;
  const line = window.lastIndexOf("\n") + 1;
  if (line > MAX_PART_LENGTH / 2) return start + line;
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]/.test(text[limit - 1]!) ? limit - 1 : limit;
}
