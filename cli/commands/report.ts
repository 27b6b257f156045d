import { join } from "node:path";
import { firstQuestions } from "../../core/run-folder/first-questions.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import { countProblems } from "../../core/run-folder/problem.ts";
import { checkFooting, requireEqualFooting } from "../../reports/fairness/equal-footing.ts";
import { summariseRun } from "../../reports/leaderboard/summarise.ts";
import { cellsOf } from "../../reports/leaderboard/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { addJsonOption, fromCwd, wholeNumber } from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { findRun } from "../run-folders.ts";
import { writeRunReport } from "../wiring/run-report.ts";

interface ReportOptions {
  out?: string;
  html: boolean;
  strict?: boolean;
  limit?: number;
  json?: boolean;
}

/** `ritbench report <run>`: table, CSV, Markdown, LaTeX, plots and HTML pages from stored records alone. */
export const reportCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("report")
    .argument("<run>", "run id, the beginning of one, latest, or a folder")
    .description("Write a run's report again, from its records alone.")
    .option("--out <folder>", "where to write (default: report/ in the run's folder)")
    .option("--limit <n>", "the first N questions of each data set alone", wholeNumber)
    .option("--html", "with the HTML pages (the default)", true)
    .option("--no-html", "without the HTML pages")
    .option(
      "--strict",
      "refuse a table whose rows do not share corpus, chunks, retriever and model",
    )
    .addHelpText("after", "\nExample:\n  ritbench report latest --out report\n");
  addJsonOption(command).action(async (name: string, options: ReportOptions) => {
    const folder = findRun(io, name);
    const run = firstQuestions(openRun(folder), options.limit);
    try {
      if (options.strict === true) requireEqualFooting(checkFooting([run.manifest]));
      const part = options.limit === undefined ? "report" : `report-first-${options.limit}`;
      const target = options.out === undefined ? join(folder, part) : fromCwd(io, options.out);
      const { table, files } = await writeRunReport(io, run, target, { html: options.html });
      if (options.json === true) {
        printJson(io, "report", {
          run: run.manifest.id,
          rows: summariseRun(run).map(cellsOf),
          notes: table.notes,
          files,
          problems: countProblems(run.problems),
          fingerprints: { identity: run.manifest.identity },
        });
      } else {
        printTable(io, table);
        io.err(`${files.map((file) => `wrote ${file}`).join("\n")}\n`);
      }
    } finally {
      run.close();
    }
    done(exitCode.ok);
  });
};
