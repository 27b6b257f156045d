/** Turns a walk over HTML into plain text: one line per block, each row of a table on one line. */
export interface BlockWriter {
  text(data: string): void;
  /** A block begins or ends here. */
  block(): void;
  openItem(): void;
  closeItem(): void;
  openPre(): void;
  closePre(): void;
  /** `data` false = the table only lays out the page and its cells are blocks. */
  openTable(data: boolean): void;
  closeTable(): void;
  /** A row of the innermost table begins or ends here. */
  row(): void;
  openCell(): void;
  /** The text so far, trimmed; empties the writer, keeping its place inside tables and lists. */
  take(): string;
}

export function createBlockWriter(): BlockWriter {
  const lines: string[] = [];
  let line = "";
  let itemMarkDue = false;
  let openPres = 0;
  /** Innermost last: the number of cells begun in the row being read, or null for a layout table. */
  const tables: (number | null)[] = [];

  const inRow = () => typeof tables.at(-1) === "number";
  const write = (text: string) => {
    if (itemMarkDue && text.trim() !== "") {
      line += "- ";
      itemMarkDue = false;
    }
    line += text;
  };
  const endLine = () => {
    const verbatim = openPres > 0 && !inRow();
    const done = verbatim ? line.trimEnd() : line.trim();
    if (done !== "" || verbatim) lines.push(done);
    line = "";
  };
  const separate = () => {
    if (!inRow()) endLine();
    else if (line !== "" && !line.endsWith(" ")) line += " ";
  };

  return {
    text(data) {
      if (openPres > 0 && !inRow()) {
        data.split(/\r?\n/).forEach((part, i) => {
          if (i > 0) endLine();
          write(part);
        });
        return;
      }
      const folded = data.replace(/\s+/g, " ");
      write(line === "" || line.endsWith(" ") ? folded.trimStart() : folded);
    },
    block: separate,
    openItem() {
      separate();
      itemMarkDue = true;
    },
    closeItem() {
      separate();
      itemMarkDue = false;
    },
    openPre() {
      separate();
      openPres += 1;
    },
    closePre() {
      if (line !== "") separate();
      openPres -= 1;
    },
    openTable(data) {
      separate();
      tables.push(data ? 0 : null);
    },
    closeTable() {
      endLine();
      tables.pop();
    },
    row() {
      endLine();
      if (inRow()) tables[tables.length - 1] = 0;
    },
    openCell() {
      separate();
      const cells = tables.at(-1);
      if (typeof cells !== "number") return;
      if (cells > 0) line += "| ";
      tables[tables.length - 1] = cells + 1;
    },
    take() {
      endLine();
      const text = lines.join("\n").trim();
      lines.length = 0;
      return text;
    },
  };
}
