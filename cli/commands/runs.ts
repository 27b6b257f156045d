import { join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { Table } from "../../reports/table/table.ts";
import { trendRows, trendTable, writeTrend } from "../../reports/trend/trend.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { addJsonOption, fromCwd, homeFolder, wholeNumber } from "../options.ts";
import { printJson, printTable, putTables } from "../output.ts";
import { type ListedRun, listRuns, runsFolder } from "../run-folders.ts";

/** `ritbench runs`: what has been run here. */
export const runsCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("runs")
    .description("List the stored runs, the latest first; or show one experiment's history.")
    .option("--trend <name>", "all runs of the experiment of this name, drawn over time")
    .option(
      "--out <folder>",
      "write the table there; the trend goes to trend/<name> in the home folder else",
    )
    .option("--limit <n>", "the latest N runs", wholeNumber)
    .addHelpText("after", "\nExamples:\n  ritbench runs\n  ritbench runs --trend financebench\n");
  addJsonOption(command).action(async (options: RunsOptions) => {
    if (options.trend !== undefined) {
      await showTrend(io, options.trend, options);
      done(exitCode.ok);
      return;
    }
    const rows = listRuns(io).slice(0, options.limit).map(rowOf);
    if (options.json === true) printJson(io, "runs", { rows, fingerprints: {} });
    const files = { folder: options.out, name: "runs" };
    putTables(io, [runsTable(rows, runsFolder(io))], files, options.json);
    done(exitCode.ok);
  });
};

interface RunsOptions {
  trend?: string;
  out?: string;
  limit?: number;
  json?: boolean;
}

/** @throws RitbenchError E_RUN_MISSING where no run has the name. */
async function showTrend(io: Io, name: string, { out, json }: RunsOptions): Promise<void> {
  const listed = listRuns(io).filter((run) => "manifest" in run);
  const own = listed.filter(({ manifest }) => manifest.name === name).reverse();
  if (own.length === 0) {
    const names = [...new Set(listed.map(({ manifest }) => manifest.name))];
    throw new RitbenchError("E_RUN_MISSING", `no run of an experiment called ${name}`, {
      where: runsFolder(io),
      expected: `one of ${names.join(", ") || "nothing yet"}`,
      next: "ritbench runs",
    });
  }
  const runs = own.map(({ folder }) => openRun(folder));
  try {
    const rows = trendRows(runs);
    const target = out === undefined ? join(homeFolder(io), "trend", name) : fromCwd(io, out);
    const files = await writeTrend(target, name, rows);
    if (json === true) printJson(io, "runs-trend", { name, rows, files, fingerprints: {} });
    else {
      printTable(io, trendTable(name, rows));
      io.err(`${files.map((file) => `wrote ${file}`).join("\n")}\n`);
    }
  } finally {
    for (const run of runs) run.close();
  }
}

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
