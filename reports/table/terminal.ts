import { plainText } from "./plain-text.ts";
import { type Column, headOf, printed, type Table } from "./table.ts";

/** The table as aligned text. Where it would be wider than `columns`, left columns wrap (if they may) or are cut with an ellipsis. */
export function terminalTable(whole: Table, columns: number): string {
  const table = withoutDispensable(whole, columns);
  const cells = table.rows.map((row) => table.columns.map((c) => plainText(printed(c, row))));
  const widths = table.columns.map((column, i) =>
    Math.max(displayWidth(headOf(column)), ...cells.map((row) => displayWidth(row[i]!))),
  );
  shrink(table, widths, columns);
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, i) => pad(clip(text, widths[i]!), widths[i]!, table.columns[i]!.align ?? "left"))
      .join("  ")
      .trimEnd();
  const lines = (texts: readonly string[]): string[] => {
    const pieces = texts.map((text, i) =>
      table.columns[i]!.wrap === true ? wrap(text, widths[i]!) : [text],
    );
    const height = Math.max(...pieces.map(({ length }) => length));
    return Array.from({ length: height }, (_, at) => line(pieces.map((piece) => piece[at] ?? "")));
  };
  return [
    plainText(table.title),
    "",
    line(table.columns.map(headOf)),
    line(widths.map((width) => "─".repeat(width))),
    ...cells.flatMap((row) => lines(row)),
    ...(table.notes.length === 0 ? [] : [""]),
    ...table.notes.flatMap((note) => wrap(plainText(note), columns)),
    "",
  ].join("\n");
}

/** The table without the columns that would make it wider than the terminal; a note names them. */
function withoutDispensable(table: Table, columns: number): Table {
  const needed = (kept: readonly Column[]): number =>
    kept.reduce((sum, column) => {
      const texts = [headOf(column), ...table.rows.map((row) => plainText(printed(column, row)))];
      const width = Math.max(...texts.map(displayWidth));
      return sum + (column.wrap === true ? Math.min(width, SMALLEST_COLUMN) : width) + GAP;
    }, -GAP);
  const ranks = table.columns.flatMap(({ dispensable }) => dispensable ?? []);
  const left = new Set<Column>();
  const kept = (): Column[] => table.columns.filter((column) => !left.has(column));
  for (const rank of [...new Set(ranks)].sort((a, b) => b - a)) {
    if (needed(kept()) <= columns) break;
    for (const column of table.columns) if (column.dispensable === rank) left.add(column);
  }
  if (left.size === 0) return table;
  const names = [...left].map(headOf).join(", ");
  const note = `Not shown in a terminal this narrow: ${names}.`;
  return { ...table, columns: kept(), notes: [...table.notes, note] };
}

const SMALLEST_COLUMN = 8;
const GAP = 2;

function shrink(table: Table, widths: number[], columns: number): void {
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width + GAP, -GAP) - columns;
    const widest = table.columns
      .map((column, i) => ({ i, left: column.align !== "right" }))
      .filter(({ i, left }) => left && widths[i]! > SMALLEST_COLUMN)
      .sort((a, b) => widths[b.i]! - widths[a.i]!)[0];
    if (excess <= 0 || widest === undefined) return;
    widths[widest.i] = Math.max(SMALLEST_COLUMN, widths[widest.i]! - excess);
  }
}

function clip(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let clipped = "";
  for (const character of text) {
    if (displayWidth(clipped + character) > width - 1) break;
    clipped += character;
  }
  return `${clipped}…`;
}

function pad(text: string, width: number, align: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "right" ? blanks + text : text + blanks;
}

/** Columns a text takes: East Asian wide characters and emoji two, combining marks none. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue;
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u.test(
        character,
      )
        ? 2
        : 1;
  }
  return width;
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
