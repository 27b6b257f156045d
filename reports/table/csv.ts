import { stringify } from "csv-stringify/sync";
import type { CellValue, Table } from "./table.ts";

/** The table's raw values as CSV (fractions, not percentages), one row a line; no value can act as a spreadsheet formula. */
export function csvTable(table: Table): string {
  return stringify(
    table.rows.map((row) =>
      table.columns.map((column) => spreadsheetSafe(row[column.key] ?? null)),
    ),
    { header: true, columns: table.columns.map(({ key }) => key) },
  );
}

/** Text that a spreadsheet would run as a formula gets a leading apostrophe; numbers stay numbers. */
export function spreadsheetSafe(value: CellValue): CellValue {
  return typeof value === "string" && /^[=+\-@\t\r\n]/u.test(value) ? `'${value}` : value;
}
