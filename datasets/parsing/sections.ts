import type { DocumentTree, NodeAttributes } from "../../core/corpus/corpus.ts";

/** A heading and the text below it, up to the next heading of any level. */
export interface Section {
  /** 1 (top) to 6. */
  level: number;
  title: string;
  /** Own text, without the heading line. */
  text: string;
  /** 1-based line of the heading in its source file, where known. */
  line?: number;
}

export interface TreeOptions {
  /** Title of the document's root node. */
  title: string;
  /**
   * Makes the one top heading with nothing before it the root, under its own title (a file whose name is
   * all else that is known). Without it such a heading becomes the root only when it repeats `title`.
   */
  promoteSoleHeading?: boolean;
}

/**
 * A document's tree from its flat sections: each section goes below the nearest earlier one of a smaller
 * level. The root holds the text before the first heading, so every piece of text has one owner.
 */
export function sectionTree(
  preamble: string,
  sections: readonly Section[],
  { title, promoteSoleHeading = false }: TreeOptions,
): DocumentTree {
  const [first, ...others] = sections;
  const sole =
    first !== undefined &&
    preamble === "" &&
    others.every((section) => section.level > first.level) &&
    (promoteSoleHeading || sameTitle(first.title, title));
  const root = sole ? nodeOf(first) : withText({ title, children: [] }, preamble);
  const open: { level: number; node: OpenNode }[] = [{ level: 0, node: root }];
  for (const section of sole ? others : sections) {
    while (open.length > 1 && open.at(-1)!.level >= section.level) open.pop();
    const node = nodeOf(section);
    open.at(-1)!.node.children.push(node);
    open.push({ level: section.level, node });
  }
  return root;
}

interface OpenNode extends DocumentTree {
  children: OpenNode[];
}

function nodeOf({ title, text, line }: Section): OpenNode {
  const attributes: NodeAttributes | undefined = line === undefined ? undefined : { line };
  return withText({ title, children: [], ...(attributes && { attributes }) }, text);
}

function withText(node: OpenNode, text: string): OpenNode {
  return text === "" ? node : { ...node, text };
}

function sameTitle(a: string, b: string): boolean {
  const plain = (title: string) => title.toLowerCase().replace(/\s+/g, " ").trim();
  return plain(a) === plain(b);
}
