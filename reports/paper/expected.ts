import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { z } from "zod";
import { packageFile } from "../../core/package-file.ts";

const dimension = z.enum(["method", "model", "dataset", "measure", "case", "nodes"]);
export type PaperDimension = z.infer<typeof dimension>;

const absentSchema = z.strictObject({
  method: z.string(),
  dataset: z.string(),
  reason: z.string(),
});
const value = z.union([z.number(), z.string(), z.boolean()]);

const tableSchema = z.strictObject({
  id: z.union([z.int(), z.string()]),
  about: z.string(),
  protocol: z.array(z.string()),
  rows: z.array(dimension),
  columns: z.array(dimension),
  measures: z.record(z.string(), z.string()),
  notes: z.array(z.string()).default([]),
  values: z.array(z.record(z.string(), value)),
  absent: z.array(absentSchema).default([]),
});

const figureOfTableSchema = z.strictObject({
  id: z.string(),
  about: z.string(),
  protocol: z.array(z.string()),
  points: z.strictObject({ table: z.int(), x: z.string() }),
});

const fileSchema = z.strictObject({
  schema: z.literal("ritbench.paper/1"),
  source: z.string(),
  names: z.strictObject({
    methods: z.record(z.string(), z.string()),
    datasets: z.record(z.string(), z.string()),
    models: z.record(z.string(), z.strictObject({ title: z.string(), id: z.string() })),
  }),
  sizes: z.record(z.string(), z.strictObject({ questions: z.int(), documents: z.int() })),
  anomalies: z.array(
    z.strictObject({ tables: z.array(z.union([z.int(), z.string()])), text: z.string() }),
  ),
  tables: z.array(tableSchema),
  figures: z.array(z.union([tableSchema, figureOfTableSchema])),
});

export type PaperTable = z.infer<typeof tableSchema>;
export type PaperFigure = z.infer<typeof figureOfTableSchema>;
/** Everything in `configs/paper/expected.yaml`. */
export type PaperValues = z.infer<typeof fileSchema>;

/** One number the paper prints, and where. */
export interface PaperCell {
  /** 1 to 16, `figure-5`, `figure-8`. */
  table: number | string;
  /** Keys of the names: `rit-rag`, `haiku`, `wixqa`; absent where the table has no such side. */
  method?: string;
  model?: string;
  dataset?: string;
  /** Of figures: the case of Figure 5, split, size and n of Figure 8. */
  case?: string;
  split?: string;
  nodes?: number;
  /** Questions of the split, where they are not the data set's. */
  questions?: number;
  /** Key of the measure: `accuracy`, `ge.correctness`. */
  measure: string;
  /** Head of its column. */
  label: string;
  /** As printed, in the paper's unit. */
  paper: number;
  /** The paper itself extrapolated it. */
  estimated: boolean;
}

/** Reads the published values that ship with the package; the file's layout is checked. */
export function readPaperValues(path = packageFile("configs/paper/expected.yaml")): PaperValues {
  return fileSchema.parse(parse(readFileSync(path, "utf8")));
}

/** Tables and the figures whose values are printed, as one list. */
export function tablesOf({ tables, figures }: PaperValues): PaperTable[] {
  return [...tables, ...figures.filter((figure) => "values" in figure)];
}

/** Every printed number of a table, in the order of its rows. */
export function cellsOfTable(table: PaperTable): PaperCell[] {
  return table.values.flatMap((row) => {
    const text = (name: string): { [name: string]: string } =>
      typeof row[name] === "string" ? { [name]: row[name] } : {};
    const number = (name: string): { [name: string]: number } =>
      typeof row[name] === "number" ? { [name]: row[name] } : {};
    const place = {
      ...text("method"),
      ...text("model"),
      ...text("dataset"),
      ...text("case"),
      ...text("split"),
      ...(Object.hasOwn(table.measures, "nodes") ? {} : number("nodes")),
      ...(Object.hasOwn(table.measures, "questions") ? {} : number("questions")),
    };
    return Object.entries(table.measures).flatMap(([measure, label]): PaperCell[] => {
      const paper = row[measure];
      if (typeof paper !== "number") return [];
      return [
        { table: table.id, ...place, measure, label, paper, estimated: row.estimated === true },
      ];
    });
  });
}
