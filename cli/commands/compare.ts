import { firstQuestions } from "../../core/run-folder/first-questions.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import { compareRuns } from "../../reports/compare/compare-runs.ts";
import { comparisonTable } from "../../reports/compare/compare-table.ts";
import { applyGate, type GateVerdict } from "../../reports/gate/gate.ts";
import { comparisonMarkdown, gateText } from "../../reports/gate/gate-table.ts";
import { readGate } from "../../reports/gate/rules.ts";
import type { RegisterCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../io.ts";
import { addTableOptions, fromCwd, wholeNumber } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { findRun } from "../run-folders.ts";

interface CompareCommandOptions {
  baseMethod?: string;
  newMethod?: string;
  judge?: string;
  gate?: string;
  markdown?: boolean;
  limit?: number;
  out?: string;
  json?: boolean;
}

const EXIT: { readonly [verdict in GateVerdict]: ExitCode } = {
  fine: exitCode.ok,
  worse: exitCode.worse,
  errors: exitCode.tooManyErrors,
  cannot_tell: exitCode.cannotTell,
};

/** `ritbench compare <base> <new>`: two stored runs, question by question; with a gate, for CI. */
export const compareCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("compare")
    .argument("<base>", "run id, the beginning of one, or a folder")
    .argument("<new>", "run id, the beginning of one, latest, or a folder")
    .description("Compare two stored runs question by question: accuracy, cost, latency, errors.")
    .option("--base-method <name>", "one method of the base run")
    .option("--new-method <name>", "one method of the new run")
    .option("--judge <name>", "judge of the verdicts, where the runs share several")
    .option("--limit <n>", "the first N questions of each data set alone", wholeNumber)
    .option("--gate <file>", "allowed losses; the exit code says whether they were kept")
    .option("--markdown", "Markdown on standard output, for the summary of a CI job")
    .addHelpText(
      "after",
      `
Examples:
  ritbench compare nightly-base latest --gate configs/gates/nightly.yaml
  ritbench compare financebench financebench --base-method vanilla --new-method rit-rag
With --gate: 0 fine, 2 worse, 3 too many errors or unscored, 5 cannot tell (too few questions). docs/nightly.md
`,
    );
  addTableOptions(command).action((base: string, next: string, options: CompareCommandOptions) => {
    const rules = options.gate === undefined ? undefined : readGate(fromCwd(io, options.gate));
    const { baseMethod, newMethod: nextMethod, judge } = options;
    const open = (name: string) => firstQuestions(openRun(findRun(io, name)), options.limit);
    const runs = [open(base), open(next)] as const;
    try {
      const comparison = compareRuns(...runs, {
        ...(baseMethod === undefined ? {} : { baseMethod }),
        ...(nextMethod === undefined ? {} : { nextMethod }),
        ...(judge === undefined ? {} : { judge }),
      });
      const gate = rules && applyGate(comparison, rules);
      if (options.json === true) {
        printJson(io, "compare", {
          ...comparison,
          rows: comparison.pairs,
          pairs: undefined,
          gate: gate ?? null,
          fingerprints: {
            base: runs[0].manifest.identity,
            new: runs[1].manifest.identity,
          },
        });
      } else if (options.markdown === true) io.out(comparisonMarkdown(comparison, gate));
      putTables(
        io,
        [comparisonTable(comparison)],
        { folder: options.out, name: "compare" },
        options.json === true || options.markdown === true,
      );
      if (gate !== undefined && options.json !== true && options.markdown !== true) {
        io.out(gateText(gate));
      }
      done(gate === undefined ? exitCode.ok : EXIT[gate.verdict]);
    } finally {
      for (const run of runs) run.close();
    }
  });
};
