import { join } from "node:path";
import { writeFileAtomic } from "../core/files.ts";
import { canonicalJson } from "../core/json.ts";
import { csvTable } from "../reports/table/csv.ts";
import { markdownTable } from "../reports/table/markdown.ts";
import type { Table } from "../reports/table/table.ts";
import { terminalTable } from "../reports/table/terminal.ts";
import type { Io } from "./io.ts";

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

/** Writes `<name>.csv` and `<name>.md` into `folder`; returns the paths. */
export function writeTableFiles(folder: string, name: string, table: Table): string[] {
  const files: [string, string][] = [
    [join(folder, `${name}.csv`), csvTable(table)],
    [join(folder, `${name}.md`), markdownTable(table)],
  ];
  for (const [path, text] of files) writeFileAtomic(path, text);
  return files.map(([path]) => path);
}
