/** One block of a page: a heading, a paragraph, or the rows of a table. */
export type Block =
  | { kind: "heading"; level: number; text: string; outlineTitle: string }
  | { kind: "paragraph"; text: string }
  | { kind: "table"; rows: readonly (readonly string[])[] };

/** The text source of a sample PDF. */
export interface PdfSource {
  title: string;
  /** Which headings become outline entries: none, those of the first level, or all. */
  outline: "none" | "top" | "full";
  /** Printed above each page that is not blank. */
  header: string | undefined;
  /** Blocks of each physical page; an empty list is a blank page. */
  pages: readonly (readonly Block[])[];
}

const pageMark = /^<!-- page -->$/m;
const headingLine = /^(#{1,6}) (.*?)(?: <!-- outline: (".*") -->)?$/;

/**
 * Reads the text source of a sample PDF: front matter (`title`, `outline`, `header`), then blocks
 * with blank lines between them, with `<!-- page -->` where a new page begins.
 * A heading may name another title for the outline in a comment (a JSON string).
 */
export function parsePdfSource(source: string): PdfSource {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source);
  if (!match) throw new Error("a PDF source starts with front matter between two lines of ---");
  const fields = new Map<string, string>();
  for (const line of (match[1] ?? "").split("\n")) {
    const at = line.indexOf(": ");
    fields.set(line.slice(0, at), line.slice(at + 2));
  }
  const outline = fields.get("outline");
  if (outline !== "none" && outline !== "top" && outline !== "full")
    throw new Error(`outline must be none, top or full, not ${outline}`);
  const header = fields.get("header");
  return {
    title: JSON.parse(fields.get("title") ?? '""') as string,
    outline,
    header: header === undefined ? undefined : (JSON.parse(header) as string),
    pages: (match[2] ?? "").split(pageMark).map(parseBlocks),
  };
}

function parseBlocks(page: string): Block[] {
  return page
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .filter((block) => block !== "")
    .map(parseBlock);
}

function parseBlock(block: string): Block {
  const heading = headingLine.exec(block);
  if (heading) {
    const text = heading[2] ?? "";
    const outlineTitle = heading[3] === undefined ? text : (JSON.parse(heading[3]) as string);
    return { kind: "heading", level: (heading[1] ?? "").length, text, outlineTitle };
  }
  if (block.startsWith("|")) {
    const rows = block.split("\n").map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
    return { kind: "table", rows };
  }
  return { kind: "paragraph", text: block };
}

/** The text of each page in reading order, as a reader of the PDF finds it. */
export function pageTexts(source: PdfSource): string[] {
  return source.pages.map((blocks, index) => {
    if (blocks.length === 0) return "";
    const texts = blocks.map((block) =>
      block.kind === "table"
        ? block.rows.map((row) => row.filter((cell) => cell !== "").join(" ")).join("\n")
        : block.text,
    );
    return [...(source.header === undefined ? [] : [source.header]), ...texts, `${index + 1}`].join(
      "\n\n",
    );
  });
}
