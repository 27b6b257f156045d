import { plainText } from "./plain-text.ts";
import { type Column, isBest, printed, type Table } from "./table.ts";

/** The table for LaTeX with booktabs: best values bold, everything escaped, notes as a small line below. */
export function latexTable(table: Table): string {
  const spec = table.columns.map(({ align }) => (align === "right" ? "r" : "l")).join("");
  const row = (cells: readonly string[]): string => `    ${cells.join(" & ")} \\\\`;
  return [
    "\\begin{table}[t]",
    "  \\centering",
    `  \\caption{${escapeLatex(table.title)}}`,
    `  \\begin{tabular}{${spec}}`,
    "    \\toprule",
    ...groupHeads(table.columns),
    row(table.columns.map(({ label }) => escapeLatex(label))),
    "    \\midrule",
    ...table.rows.map((values) =>
      row(
        table.columns.map((column) => {
          const text = escapeLatex(printed(column, values));
          return isBest(table, column, values) ? `\\textbf{${text}}` : text;
        }),
      ),
    ),
    "    \\bottomrule",
    "  \\end{tabular}",
    ...table.notes.map((note) => `  \\par\\footnotesize ${escapeLatex(note)}`),
    "\\end{table}",
    "",
  ].join("\n");
}

/** A line of heads over neighbouring columns, with a rule under each; nothing where no column has one. */
function groupHeads(columns: readonly Column[]): string[] {
  if (columns.every(({ group }) => group === undefined)) return [];
  const spans: { group: string | undefined; first: number; count: number }[] = [];
  for (const [index, { group }] of columns.entries()) {
    const last = spans.at(-1);
    if (last !== undefined && last.group === group) last.count++;
    else spans.push({ group, first: index + 1, count: 1 });
  }
  const cells = spans.map(({ group, count }) =>
    group === undefined
      ? " &".repeat(count - 1)
      : `\\multicolumn{${count}}{c}{${escapeLatex(group)}}`,
  );
  const rules = spans
    .filter(({ group }) => group !== undefined)
    .map(({ first, count }) => `\\cmidrule(lr){${first}-${first + count - 1}}`);
  return [`    ${cells.join(" & ")} \\\\`, `    ${rules.join(" ")}`];
}

const special: { readonly [character: string]: string } = {
  "\\": "\\textbackslash{}",
  "{": "\\{",
  "}": "\\}",
  $: "\\$",
  "&": "\\&",
  "#": "\\#",
  "%": "\\%",
  _: "\\_",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  '"': "\\textquotedbl{}",
  "–": "--",
  "—": "---",
  "…": "\\ldots{}",
  "·": "\\textperiodcentered{}",
  "±": "\\ensuremath{\\pm}",
  "×": "\\ensuremath{\\times}",
  "≥": "\\ensuremath{\\geq}",
  "≤": "\\ensuremath{\\leq}",
};

/** Text that typesets as itself; characters that a plain engine cannot set become a question mark in brackets. */
export function escapeLatex(text: string): string {
  return [...plainText(text)]
    .map(
      (character) => special[character] ?? (/[\u0020-\u024f]/u.test(character) ? character : "[?]"),
    )
    .join("");
}
