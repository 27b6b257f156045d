import { plainText } from "./plain-text.ts";
import { headOf, isBest, printed, type Table } from "./table.ts";

/** The table as GitHub Markdown, best values bold, every cell escaped. */
export function markdownTable(table: Table): string {
  const head = table.columns.map((column) => escapeMarkdown(headOf(column)));
  const rule = table.columns.map(({ align }) => (align === "right" ? "---:" : "---"));
  const rows = table.rows.map((row) =>
    table.columns.map((column) => {
      const text = escapeMarkdown(printed(column, row));
      return isBest(table, column, row) ? `**${text}**` : text;
    }),
  );
  const lines = [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  return [
    `### ${escapeMarkdown(table.title)}`,
    "",
    ...lines,
    "",
    ...table.notes.map((note) => `- ${escapeMarkdown(note)}`),
    "",
  ].join("\n");
}

/** Text that shows as itself in Markdown: no markup, no HTML, no cell border, no link. */
export function escapeMarkdown(text: string): string {
  return plainText(text)
    .replace(/[\\`*_[\]|#~]/gu, "\\$&")
    .replace(/&/gu, "&amp;")
    .replace(/</gu, "&lt;")
    .replace(/>/gu, "&gt;")
    .replace(/:\/\//gu, ":&#47;&#47;");
}
