import { join } from "node:path";
import { writeFileAtomic } from "../core/files.ts";
import { canonicalJson } from "../core/json.ts";
import { csvTable } from "../reports/table/csv.ts";
import { markdownTable } from "../reports/table/markdown.ts";
import type { Table } from "../reports/table/table.ts";
import { terminalTable } from "../reports/table/terminal.ts";
import type { Io } from "./io.ts";
import { fromCwd } from "./options.ts";

/**
 * The one JSON document of a command (docs/json.md): `{schema: "ritbench.<command>/1", ...}`. Goes to standard
 * output alone; everything else goes to standard error.
 */
export function printJson(
  io: Io,
  command: string,
  fields: { readonly [key: string]: unknown },
): void {
  // The canonical form refuses NaN, which JSON.stringify would silently turn into null.
  const document = JSON.parse(canonicalJson({ schema: `ritbench.${command}/1`, ...fields }));
  const { schema, ...rest } = document;
  io.out(`${JSON.stringify({ schema, ...rest }, null, 2)}\n`);
}

export function printTable(io: Io, table: Table): void {
  io.out(`${terminalTable(table, io.columns)}\n`);
}

/** Where `--out` asks for the tables as files, beside what is printed. */
export interface TableFiles {
  /** `--out`, if given. */
  folder: string | undefined;
  /** Name of the files: the command's. */
  name: string;
}

/** Prints tables, or nothing with `--json`; with `--out` writes each as `<name>.csv` and `<name>.md` and says where. */
export function putTables(
  io: Io,
  tables: readonly Table[],
  { folder, name }: TableFiles,
  json = false,
): void {
  if (!json) for (const table of tables) printTable(io, table);
  if (folder === undefined) return;
  for (const [position, table] of tables.entries()) {
    const base = tables.length === 1 ? name : `${name}-${position + 1}`;
    const files: [string, string][] = [
      [`${base}.csv`, csvTable(table)],
      [`${base}.md`, markdownTable(table)],
    ];
    for (const [file, text] of files) {
      const path = join(fromCwd(io, folder), file);
      writeFileAtomic(path, text);
      io.err(`wrote ${path}\n`);
    }
  }
}
