import type { DocumentTree } from "../../../core/corpus/corpus.ts";
import { countO200k } from "../../../core/o200k.ts";

export interface MarkdownOptions {
  title: string;
  /** Sub-trees of fewer tokens become one node; absent = none do. */
  thinBelowTokens?: number;
}

interface OpenNode extends DocumentTree {
  children: OpenNode[];
  level: number;
}

/**
 * PageIndex's Markdown mode: ATX headings of level 1 to 6 outside code fences make the tree, each with the
 * 1-based line of its heading; a node's text runs to the next heading. Text before the first heading is the root's.
 */
export function markdownStructure(source: string, options: MarkdownOptions): DocumentTree {
  const root: OpenNode = { title: options.title, level: 0, children: [] };
  const path: OpenNode[] = [root];
  let lines: string[] = [];
  let fence: string | undefined;
  const finish = (): void => {
    const text = lines
      .join("\n")
      .replace(/^(?:[^\S\n]*\n)+/, "")
      .trimEnd();
    if (text !== "") path.at(-1)!.text = text;
    lines = [];
  };
  source.split(/\r?\n/).forEach((line, i) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (mark !== undefined && closes(mark, fence!, line)) fence = undefined;
    const heading =
      fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line) : null;
    if (heading === null || heading[2] === "") {
      lines.push(line);
      return;
    }
    finish();
    const level = heading[1]!.length;
    while (path.length > 1 && path.at(-1)!.level >= level) path.pop();
    const node: OpenNode = {
      title: heading[2]!,
      level,
      children: [],
      attributes: { line: i + 1 },
    };
    path.at(-1)!.children.push(node);
    path.push(node);
  });
  finish();
  if (options.thinBelowTokens !== undefined) thin(root, options.thinBelowTokens);
  return plain(root);
}

/** A fence ends at a line of the same mark, at least as long, with nothing behind it. */
function closes(mark: string, fence: string, line: string): boolean {
  return mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark;
}

/** Gives the tokens of a sub-tree after its thinning. */
function thin(node: OpenNode, floor: number): number {
  const below = node.children.reduce((sum, child) => sum + thin(child, floor), 0);
  const total = below + countO200k(node.text ?? "");
  if (node.children.length > 0 && total < floor && node.level > 0) {
    node.text = [node.text, ...node.children.flatMap(({ title, text }) => [title, text])]
      .filter((part) => part !== undefined)
      .join("\n\n");
    node.children = [];
  }
  return total;
}

function plain({ level: _, children, ...node }: OpenNode): DocumentTree {
  return { ...node, children: children.map(plain) };
}
