import { frontMatterOf } from "../parsing/markdown.ts";
import { type Keyrefs, resolveKeyrefs } from "./keyrefs.ts";

export interface PageText {
  title?: string;
  text: string;
}

/** Marks of the kramdown dialect with site data: only then are attribute lists taken for markup. */
const DIALECT = /\{\{\s*site\.data\.|^[ \t]*\{:\s?[#.\w]/m;
const ATTRIBUTES = /\{:[^{}\n]*\}/g;
const FENCE = /^[ \t]*(?:>[ \t]*)?(`{3,}|~{3,})/;

/**
 * Title and text of a Markdown page as a reader sees them: without front matter, HTML comments and its top heading;
 * in the dialect with `{: ...}` lists also without those, and with placeholders resolved or dropped. Code keeps
 * everything but placeholders.
 */
export function markdownPage(source: string, keyrefs: readonly Keyrefs[]): PageText {
  const { data, bodyStart } = frontMatterOf(source);
  const body = source.slice(bodyStart).replaceAll("\r\n", "\n");
  const dialect = DIALECT.test(body);
  const lines = visibleLines(dialect ? resolveKeyrefs(body, keyrefs) : body, dialect);
  const heading = topHeading(lines);
  const frontTitle = typeof data.title === "string" ? plainTitle(data.title) : "";
  const title = frontTitle || (heading === undefined ? "" : plainTitle(heading.text));
  const rest =
    heading !== undefined && plainTitle(heading.text) === title
      ? lines.toSpliced(heading.line, 1)
      : lines;
  return {
    ...(title !== "" && { title }),
    text: rest
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  };
}

/** Anchor of a page's top heading, `{: #anchor}` on the line below it. */
export function headingAnchor(source: string): string | undefined {
  return /^# .*\r?\n\s*\{:\s*#([\w.-]+)/m.exec(source)?.[1];
}

/** A title without Markdown's code marks and emphasis and with single blanks. */
export function plainTitle(markdown: string): string {
  return markdown
    .replace(ATTRIBUTES, "")
    .replace(/`([^`]*)`/g, "$1")
    .replace(/\*\*([^*]+)\*\*/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}

function topHeading(lines: readonly string[]): { line: number; text: string } | undefined {
  const line = lines.findIndex((content) => content.trim() !== "");
  const text = /^#[ \t]+(.*?)[ \t]*#*$/.exec(lines[line] ?? "")?.[1];
  return text === undefined ? undefined : { line, text };
}

/** Lines outside comments; outside code also without attribute lists, a line of nothing else dropped. */
function visibleLines(body: string, dialect: boolean): string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  let inComment = false;
  for (const source of body.split("\n")) {
    const mark = inComment ? undefined : FENCE.exec(source)?.[1];
    if (fence !== undefined) {
      lines.push(source);
      if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    if (mark !== undefined) {
      fence = mark;
      lines.push(source);
      continue;
    }
    const outside = outsideComments(source, inComment);
    inComment = outside.inComment;
    const line = dialect ? outside.text.replace(ATTRIBUTES, "").trimEnd() : outside.text;
    if (line.trim() !== "" || source.trim() === "") lines.push(line);
  }
  return lines;
}

function outsideComments(
  line: string,
  startsInside: boolean,
): { text: string; inComment: boolean } {
  let inComment = startsInside;
  let text = "";
  for (let at = 0; at < line.length; ) {
    const mark = inComment ? "-->" : "<!--";
    const next = line.indexOf(mark, at);
    if (!inComment) text += line.slice(at, next < 0 ? line.length : next);
    if (next < 0) break;
    inComment = !inComment;
    at = next + mark.length;
  }
  return { text, inComment };
}
