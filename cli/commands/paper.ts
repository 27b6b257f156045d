import { RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { packageFile } from "../../core/package-file.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import { comparePaper, type PaperComparison } from "../../reports/paper/compare-paper.ts";
import { type PaperValues, readPaperValues } from "../../reports/paper/expected.ts";
import { countSentence, fillSentence, longTable, rowOf } from "../../reports/paper/paper-tables.ts";
import type { PaperProtocol } from "../../reports/paper/protocol.ts";
import { writePaper } from "../../reports/paper/write-paper.ts";
import type { RegisterCommand } from "../command.ts";
import { loadConfig } from "../config/load.ts";
import { exitCode, type Io } from "../io.ts";
import { addJsonOption, fromCwd, homeFolder, list } from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { listRuns } from "../run-folders.ts";
import { openCatalog } from "../wiring/gateway.ts";
import { createMethods, methodNames } from "../wiring/methods.ts";
import { paperFacts } from "../wiring/paper-facts.ts";

interface PaperOptions {
  tables?: string[];
  out?: string;
  standIn?: string;
  json?: boolean;
}

/** `ritbench paper`: our stored numbers beside the paper's, and what would fill the gaps. Calls no model. */
export const paperCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("paper")
    .description("Lay stored runs beside the paper's tables and figures; say what is missing.")
    .option("--tables <n,...>", "only these, e.g. 1,8,figure-5", list)
    .option(
      "--out <folder>",
      "write every table (CSV, Markdown, LaTeX) and figure (SVG, PNG) there",
    )
    .option(
      "--stand-in <model>",
      "show runs of this model where the paper's models have none, marked; they count as nothing",
    )
    .addHelpText(
      "after",
      "\nExamples:\n  ritbench paper --tables 1,8\n  ritbench paper --stand-in offline:extractive --out paper\n",
    );
  addJsonOption(command).action(async (options: PaperOptions) => {
    const values = readPaperValues();
    const wanted = wantedOf(options.tables, values);
    const catalog = await openCatalog(io);
    const runs = readableRuns(io);
    try {
      const comparison = comparePaper({
        values,
        runs,
        protocols: protocolsOf(values),
        facts: paperFacts(homeFolder(io), values, catalog),
        canonicalModel: (id) => canonical(id, (name) => catalog.resolve(name).id),
        ...(options.standIn === undefined ? {} : { standIn: options.standIn }),
      });
      const files =
        options.out === undefined
          ? []
          : await writePaper(comparison, values, fromCwd(io, options.out), wanted);
      if (options.json === true) printPaperJson(io, comparison, values, wanted, files);
      else {
        printPaper(io, comparison, values, wanted, options.standIn);
        if (files.length > 0) io.err(`${files.map((file) => `wrote ${file}`).join("\n")}\n`);
      }
    } finally {
      for (const run of runs) run.close();
    }
    done(exitCode.ok);
  });
};

/** @throws RitbenchError E_OPTION for a table the paper does not have. */
function wantedOf(
  given: readonly string[] | undefined,
  { tables, figures }: PaperValues,
): (id: string) => boolean {
  if (given === undefined) return () => true;
  const known = [...tables, ...figures].map(({ id }) => String(id));
  const unknown = given.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    throw new RitbenchError("E_OPTION", `there is no table or figure ${JSON.stringify(unknown)}`, {
      where: "--tables",
      expected: `some of ${known.join(", ")}`,
    });
  }
  const chosen = new Set(given);
  return (id) => chosen.has(id);
}

/** Stored runs that can be opened, the oldest first; `ritbench runs` names the others. */
function readableRuns(io: Io): StoredRun[] {
  return listRuns(io)
    .filter((run) => "manifest" in run)
    .map(({ folder }) => openRun(folder))
    .reverse();
}

function protocolsOf({ tables, figures }: PaperValues): Map<string, PaperProtocol> {
  const names = new Set([...tables, ...figures].flatMap(({ protocol }) => protocol));
  return new Map(
    [...names].map((name): [string, PaperProtocol] => {
      const config = loadConfig(packageFile(`configs/paper/${name}.yaml`), "/", []);
      const known = config.methods.filter((method) => methodNames.includes(method));
      const parameters = Object.fromEntries(
        Object.entries(config.parameters).filter(([method]) => known.includes(method)),
      );
      const methods = createMethods({ methods: known, parameters });
      return [
        name,
        {
          name,
          config: config as unknown as Json,
          methods: Object.fromEntries(methods.map((method) => [method.name, method.fingerprint])),
        },
      ];
    }),
  );
}

/** A run may name a model by an alias, or one that is no longer listed. */
function canonical(id: string, resolve: (id: string) => string): string {
  try {
    return resolve(id);
  } catch {
    return id;
  }
}

function printPaper(
  io: Io,
  comparison: PaperComparison,
  values: PaperValues,
  wanted: (id: string) => boolean,
  standIn: string | undefined,
): void {
  for (const compared of comparison.tables) {
    if (!wanted(String(compared.table.id))) continue;
    const table = longTable(compared, values, true);
    if (table.rows.length > 0) printTable(io, table);
    else {
      const fill = compared.fill.map((command) => `  ${fillSentence(command)}\n`).join("");
      io.out(`${table.title}\n  Nothing measured yet.\n${fill}\n`);
    }
  }
  io.out(`${summaryOf(comparison, wanted, standIn).join("\n")}\n`);
}

/** Sentences under everything; nothing is said to be reproduced that was not measured. */
function summaryOf(
  { tables, offlineRuns }: PaperComparison,
  wanted: (id: string) => boolean,
  standIn: string | undefined,
): string[] {
  const cells = tables
    .filter(({ table }) => wanted(String(table.id)))
    .flatMap((compared) => compared.cells);
  const measurable = cells.filter(({ table }) => table !== 7);
  const differs = measurable.filter(({ basis }) => basis === "differs").length;
  const none = measurable.filter(({ ours }) => ours === undefined).length;
  return [
    ...(measurable.length === 0
      ? []
      : [countSentence(measurable), `Measured otherwise: ${differs}; not at all: ${none}.`]),
    ...(offlineRuns.length > 0 && standIn === undefined
      ? [
          `Left aside: ${offlineRuns.join(", ")}, answered by an offline model, which reproduces nothing. --stand-in offline:extractive shows them, marked.`,
        ]
      : []),
  ];
}

function printPaperJson(
  io: Io,
  { tables, offlineRuns }: PaperComparison,
  values: PaperValues,
  wanted: (id: string) => boolean,
  files: readonly string[],
): void {
  const chosen = tables.filter(({ table }) => wanted(String(table.id)));
  printJson(io, "paper", {
    source: values.source,
    rows: chosen.flatMap(({ cells }) => cells.map((cell) => rowOf(cell, values))),
    fill: chosen.flatMap(({ table, fill }) =>
      fill.map((command) => ({ table: table.id, ...command })),
    ),
    offlineRuns,
    files,
    fingerprints: {},
  });
}
