import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { addJsonOption } from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { type ListedRun, listRuns, runsFolder } from "../run-folders.ts";

/** `ritbench runs`: what has been run here. */
export const runsCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("runs")
    .description("List the stored runs, the latest first.")
    .addHelpText("after", "\nExample:\n  ritbench runs\n");
  addJsonOption(command).action((options: { json?: boolean }) => {
    const rows = listRuns(io).map(rowOf);
    if (options.json === true) printJson(io, "runs", { rows, fingerprints: {} });
    else printTable(io, runsTable(rows, runsFolder(io)));
    done(exitCode.ok);
  });
};

type RunRow = Record<"id" | "status" | "started" | "datasets" | "methods" | "models", string>;

function rowOf(run: ListedRun): RunRow {
  if ("fault" in run) {
    const unknown = "unknown";
    return {
      id: run.id,
      status: `unreadable: ${run.fault}`,
      started: unknown,
      datasets: unknown,
      methods: unknown,
      models: unknown,
    };
  }
  const { manifest } = run;
  return {
    id: run.id,
    status: manifest.status,
    started: manifest.startedAt,
    datasets: manifest.datasets.map(({ name }) => name).join(", "),
    methods: manifest.methods.map(({ name }) => name).join(", "),
    models: manifest.models.map(({ id }) => id).join(", "),
  };
}

function runsTable(rows: readonly RunRow[], folder: string): Table {
  return {
    title: `Runs in ${folder}`,
    columns: [
      { key: "id", label: "Run" },
      { key: "status", label: "Status" },
      { key: "started", label: "Started" },
      { key: "datasets", label: "Data sets", wrap: true },
      { key: "methods", label: "Methods", wrap: true },
      { key: "models", label: "Models", wrap: true },
    ],
    rows,
    notes: rows.length === 0 ? ["None yet: ritbench run configs/quickstart.yaml"] : [],
  };
}
