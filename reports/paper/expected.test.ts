import { describe, expect, it } from "vitest";
import { cellsOfTable, readPaperValues, tablesOf } from "./expected.ts";

const values = readPaperValues();
const cells = tablesOf(values).flatMap(cellsOfTable);
const find = (table: number, where: object, measure: string): number =>
  cells.find(
    (cell) =>
      cell.table === table &&
      cell.measure === measure &&
      Object.entries(where).every(([key, value]) => Reflect.get(cell, key) === value),
  )!.paper;

describe("the paper's values", () => {
  it("are complete: every table and figure with the numbers it prints", () => {
    const counts = Object.fromEntries(
      tablesOf(values).map((table) => [table.id, cellsOfTable(table).length]),
    );
    expect(counts).toMatchObject({ 1: 63, 2: 30, 3: 12, 8: 63, 10: 168, 12: 72, 16: 20 });
    expect(values.tables.map(({ id }) => id)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1));
  });

  it("name only methods, models and data sets that are listed", () => {
    for (const { method, model, dataset } of cells) {
      if (method !== undefined) expect(values.names.methods).toHaveProperty(method);
      if (model !== undefined) expect(Object.keys(values.names.models)).toContain(model);
      if (dataset !== undefined) expect(values.names.datasets).toHaveProperty(dataset);
    }
  });

  it("agree with themselves: F1 is that of the printed P and R", () => {
    for (const cell of cells.filter(({ measure }) => measure === "f1")) {
      const { table, method, dataset } = cell;
      const [p, r] = ["precision", "recall"].map((name) =>
        find(table as number, { method, dataset }, name),
      );
      // P and R are rounded to a tenth, so F1 may be a tenth or so off.
      expect(Math.abs(cell.paper - (2 * p! * r!) / (p! + r!))).toBeLessThan(0.15);
    }
  });

  it("agree with themselves: Table 2's changes are those against Table 1, Table 8's accuracies its Haiku column", () => {
    for (const cell of cells.filter(({ measure }) => measure === "accuracyChange")) {
      const { method, model, dataset } = cell;
      const place = { method, model, dataset };
      const change = find(2, place, "accuracy") - find(1, place, "accuracy");
      expect(change).toBeCloseTo(cell.paper, 6);
    }
    for (const cell of cells.filter(
      ({ table, measure }) => table === 8 && measure === "accuracy",
    )) {
      const { method, dataset } = cell;
      expect(cell.paper).toBe(find(1, { method, dataset, model: "haiku" }, "accuracy"));
    }
  });
});
