import type { DocumentTree } from "../../core/corpus/corpus.ts";
import type { Paper, PaperSection } from "./paper.ts";

/** Title of a section whose heading the source lost. */
export const UNTITLED_SECTION = "Untitled section";
export const ABSTRACT_TITLE = "Abstract";
const SEPARATOR = ":::";

export interface PaperTree {
  tree: DocumentTree;
  /** Number of the node within the paper, by the full name of a section with text, outer blanks cut; the last wins. */
  ordinals: ReadonlyMap<string, number>;
  /** Headings that only their sub-sections mention: nodes without text. */
  addedParents: number;
  untitled: number;
}

interface OpenNode extends DocumentTree {
  children: OpenNode[];
}

/**
 * The paper as a tree: the paper itself, its abstract, and the sections nested by ` ::: `. Blank paragraphs are
 * left out, the others are joined by a blank line.
 */
export function paperTree(paper: Paper): PaperTree {
  const root: OpenNode = { title: paper.title, documentId: paper.id, children: [] };
  const byPath = new Map<string, OpenNode>();
  const sourceNames = new Map<DocumentTree, string>();
  let addedParents = 0;
  let untitled = 0;
  if (paper.abstract.trim() !== "") {
    root.children.push({ title: ABSTRACT_TITLE, text: paper.abstract.trim(), children: [] });
  }
  for (const section of paper.sections) {
    const path = pathOf(section.name);
    let parent = root;
    for (let length = 1; length < path.length; length++) {
      const key = keyOf(path.slice(0, length));
      const known = byPath.get(key);
      parent = known ?? add(parent, key, { title: path[length - 1]!, children: [] });
      if (known === undefined) addedParents++;
    }
    const node = add(parent, keyOf(path), sectionNode(path.at(-1)!, section));
    if (section.name !== null) sourceNames.set(node, section.name.trim());
    if (path.at(-1) === UNTITLED_SECTION) untitled++;
  }
  return { tree: root, ordinals: ordinalsOf(root, sourceNames), addedParents, untitled };

  function add(parent: OpenNode, key: string, node: OpenNode): OpenNode {
    parent.children.push(node);
    byPath.set(key, node);
    return node;
  }
}

/** Titles from the top section down. Blank parts are dropped, unless there is nothing else: then they keep the depth. */
function pathOf(name: string | null): string[] {
  const parts = (name ?? "").split(SEPARATOR).map((part) => part.trim());
  const titled = parts.filter((part) => part !== "");
  return titled.length > 0 ? titled : parts.map(() => UNTITLED_SECTION);
}

function keyOf(path: readonly string[]): string {
  return JSON.stringify(path);
}

function sectionNode(title: string, section: PaperSection): OpenNode {
  const text = section.paragraphs
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
  return { title, ...(text !== "" && { text }), children: [] };
}

function ordinalsOf(root: OpenNode, names: ReadonlyMap<DocumentTree, string>): Map<string, number> {
  const ordinals = new Map<string, number>();
  let ordinal = 0;
  const visit = (node: OpenNode): void => {
    const name = names.get(node);
    if (name !== undefined && node.text !== undefined) ordinals.set(name, ordinal);
    ordinal++;
    for (const child of node.children) visit(child);
  };
  visit(root);
  return ordinals;
}
