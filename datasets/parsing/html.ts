import { load } from "cheerio";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { createBlockWriter } from "./block-writer.ts";
import { type Section, sectionTree, type TreeOptions } from "./sections.ts";

/** The little of a DOM node that is read here; cheerio's own types come from a package of its own. */
interface DomNode {
  type: string;
  name?: string;
  data?: string;
  children?: DomNode[];
  sourceCodeLocation?: { startLine: number } | null;
}

const HEADING = /^h[1-6]$/;
const DROPPED = new Set(
  "head script style noscript template svg iframe object nav button select textarea".split(" "),
);
const BLOCK = new Set(
  (
    "address article aside blockquote body br caption dd details dialog div dl dt fieldset figcaption figure " +
    "footer form header hr html main ol p section summary tbody tfoot thead ul"
  ).split(" "),
);

/**
 * Heading sections (h1 to h6) of an HTML page or fragment. Text is what a reader sees: entities decoded,
 * blanks folded (kept in `pre`), one line per block, `- ` before list items, table rows as `a | b | c`;
 * scripts, styles, navigation and form controls are left out. Headings without words make no section.
 */
export function htmlTree(html: string, options: TreeOptions): DocumentTree {
  const sections: Section[] = [];
  const writer = createBlockWriter();
  let preamble = "";
  const closeSection = () => {
    const text = writer.take();
    const last = sections.at(-1);
    if (last === undefined) preamble = text;
    else last.text = text;
  };
  walk(parse(html), {
    enter(node) {
      if (node.type === "text") writer.text(node.data ?? "");
      const name = node.name ?? "";
      if (DROPPED.has(name)) return false;
      if (HEADING.test(name)) {
        const title = titleOf(node);
        if (title === "") return false;
        closeSection();
        const line = node.sourceCodeLocation?.startLine;
        sections.push({
          level: Number(name[1]),
          title,
          text: "",
          ...(line !== undefined && { line }),
        });
        return false;
      }
      if (name === "table") writer.openTable(isDataTable(node));
      else if (name === "tr") writer.row();
      else if (name === "td" || name === "th") writer.openCell();
      else if (name === "pre") writer.openPre();
      else if (name === "li") writer.openItem();
      else if (BLOCK.has(name)) writer.block();
      return true;
    },
    leave(node) {
      const name = node.name ?? "";
      if (name === "table") writer.closeTable();
      else if (name === "tr") writer.row();
      else if (name === "pre") writer.closePre();
      else if (name === "li") writer.closeItem();
      else if (BLOCK.has(name) || name === "td" || name === "th") writer.block();
    },
  });
  closeSection();
  return sectionTree(preamble, sections, options);
}

/** Text of the page's `title` element; undefined where there is none or it is blank. */
export function htmlTitle(html: string): string | undefined {
  return load(html)("head > title").first().text().replace(/\s+/g, " ").trim() || undefined;
}

function parse(html: string): DomNode {
  return load(html, { sourceCodeLocationInfo: true }).root()[0] as unknown as DomNode;
}

/** Depth-first, without recursion: pages may nest deeper than the stack. `enter` false skips what is below. */
function walk(
  root: DomNode,
  visit: { enter(node: DomNode): boolean; leave(node: DomNode): void },
): void {
  const stack: { node: DomNode; next: number }[] = [];
  const push = (node: DomNode) => {
    if (visit.enter(node)) stack.push({ node, next: 0 });
  };
  push(root);
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const child = top.node.children?.[top.next++];
    if (child !== undefined) push(child);
    else {
      visit.leave(top.node);
      stack.pop();
    }
  }
}

function titleOf(heading: DomNode): string {
  let title = "";
  walk(heading, {
    enter(node) {
      if (node.type === "text") title += node.data ?? "";
      else if (node.name === "br") title += " ";
      return !DROPPED.has(node.name ?? "");
    },
    leave: () => {},
  });
  return title.replace(/\s+/g, " ").trim();
}

/** A table that holds headings or tables lays out a page; its cells are read as blocks, one after another. */
function isDataTable(table: DomNode): boolean {
  let data = true;
  walk(table, {
    enter(node) {
      const name = node.name ?? "";
      if (node !== table && (name === "table" || HEADING.test(name))) data = false;
      return data;
    },
    leave: () => {},
  });
  return data;
}
