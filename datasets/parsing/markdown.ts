import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toString as plainText } from "mdast-util-to-string";
import { gfm } from "micromark-extension-gfm";
import { parse as parseYaml } from "yaml";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { type Section, sectionTree, type TreeOptions } from "./sections.ts";

/**
 * Heading sections of a Markdown file (CommonMark + GFM: ATX and setext headings, none inside fences,
 * tables, lists or quotes). Node texts are exact slices of `source`, outer blank lines cut, heading lines
 * left out; front matter belongs to no node. Headings without words stay part of the text around them.
 */
export function markdownTree(source: string, options: TreeOptions): DocumentTree {
  const bodyStart = frontMatterOf(source).bodyStart;
  const body = source.slice(bodyStart);
  const lineOffset = countLines(source.slice(0, bodyStart));
  const headings = headingsOf(body);
  const sections = headings.map(
    (heading, i): Section => ({
      level: heading.level,
      title: heading.title,
      line: heading.line + lineOffset,
      text: trimBlankLines(body.slice(heading.end, headings[i + 1]?.start ?? body.length)),
    }),
  );
  const preamble = body.slice(0, headings[0]?.start ?? body.length);
  const tree = sectionTree(trimBlankLines(preamble), sections, options);
  if (tree.attributes !== undefined || tree.text === undefined) return tree;
  // A root without a heading of its own stands on the first line of its text.
  const line = 1 + lineOffset + countLines(preamble.slice(0, preamble.search(/\S/)));
  return { ...tree, attributes: { line } };
}

interface Heading {
  level: number;
  title: string;
  line: number;
  start: number;
  end: number;
}

function headingsOf(body: string): Heading[] {
  const root = fromMarkdown(body, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return root.children.flatMap((node) => {
    if (node.type !== "heading" || node.position === undefined) return [];
    const title = plainText(node, { includeImageAlt: true }).replace(/\s+/g, " ").trim();
    if (title === "") return [];
    const { start, end } = node.position;
    return [{ level: node.depth, title, line: start.line, start: start.offset!, end: end.offset! }];
  });
}

export interface FrontMatter {
  /** Fields of the YAML block; empty where there is none or it does not parse. */
  data: { readonly [key: string]: unknown };
  /** Where the text after the block (and after a byte-order mark) begins. */
  bodyStart: number;
}

/**
 * The YAML block between `---` lines at the head of a Markdown file. A thematic break that opens a text is
 * no front matter: the block must read as a mapping, or at least begin with a key.
 */
export function frontMatterOf(source: string): FrontMatter {
  const start = source.startsWith("\uFEFF") ? 1 : 0;
  const none = { data: {}, bodyStart: start };
  const block = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(
    source.slice(start),
  );
  if (block === null || block.index !== 0) return none;
  const bodyStart = start + block[0].length;
  const yaml = block[1]!;
  try {
    const data: unknown = parseYaml(yaml, { logLevel: "error", prettyErrors: false });
    if (data === null) return { data: {}, bodyStart };
    if (typeof data === "object" && !Array.isArray(data)) {
      return { data: data as FrontMatter["data"], bodyStart };
    }
  } catch {
    // Unquoted colons make many real blocks bad YAML; their first line still tells them from prose.
    if (/^\s*["']?[\w.-]+["']?\s*:(\s|$)/.test(yaml)) return { data: {}, bodyStart };
  }
  return none;
}

/** Cuts blank lines at both ends and blanks at the end; the first line keeps its indent (it may be code). */
function trimBlankLines(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
