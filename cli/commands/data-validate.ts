import { type ValidationReport, validateDataset } from "../../datasets/validate.ts";
import { integer } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { printJson, putTables } from "../output.ts";
import {
  addDataTableOptions,
  type DataCommandOptions,
  loadForCommand,
} from "../wiring/data-command.ts";

/** Findings printed of each kind; `--json` has all. */
const SHOWN_FINDINGS = 5;

/** `ritbench data validate <set>`: does the gold evidence lie in the corpus, and what is odd. */
export const addDataValidate: RegisterCommand = (data, io, done) => {
  const command = data
    .command("validate")
    .argument("<set...>", "data sets, e.g. financebench")
    .description("Check questions and gold evidence against the corpus.")
    .addHelpText(
      "after",
      "\nExample:\n  ritbench data validate financebench --filings referenced\n",
    );
  addDataTableOptions(command).action(async (names: string[], options: DataCommandOptions) => {
    const reports: ValidationReport[] = [];
    for (const name of names) {
      const { corpus, questions, dataset, findings } = await loadForCommand(io, name, options);
      try {
        reports.push({
          ...validateDataset(corpus, questions, dataset.name, findings),
          dataset: name,
        });
      } finally {
        corpus.close();
      }
    }
    if (options.json === true) printJson(io, "data-validate", { rows: reports, fingerprints: {} });
    putTables(
      io,
      reports.flatMap(tablesOf),
      { folder: options.out, name: "data-validate" },
      options.json,
    );
    done(exitCode.ok);
  });
};

const LABELS: { readonly [count in keyof ValidationReport["counts"]]: string } = {
  documents: "documents",
  questions: "questions",
  runnable: "questions that can be run here",
  notRunnable: "questions whose document is absent",
  unanswerable: "questions without an answer in the corpus",
  withoutGoldAnswer: "questions without a gold answer",
  withoutGoldEvidence: "questions without gold evidence",
  evidenceUnits: "gold units",
  resolvedUnits: "gold units found in the corpus",
  fullyResolved: "questions with all gold units found",
  partlyResolved: "questions with some gold units found",
  unresolved: "questions with no gold unit found",
};

function tablesOf({ dataset, counts, findings, findingCounts, paper }: ValidationReport): Table[] {
  const paperOf: { readonly [count: string]: number | undefined } =
    paper === null ? {} : { ...paper };
  return [
    {
      title: `${dataset}: questions and evidence`,
      columns: [
        { key: "what", label: "What" },
        { key: "here", label: "Here", align: "right", format: integer },
        { key: "paper", label: "Paper", align: "right", format: integer },
      ],
      rows: Object.entries(LABELS).map(([count, what]) => ({
        what,
        here: counts[count as keyof typeof counts],
        paper: paperOf[count] ?? null,
      })),
      notes: [],
    },
    ...(findings.length === 0 ? [] : [findingsTable(dataset, findings, findingCounts)]),
  ];
}

function findingsTable(
  dataset: string,
  findings: ValidationReport["findings"],
  counts: ValidationReport["findingCounts"],
): Table {
  const kinds = Object.entries(counts);
  return {
    title: `${dataset}: ${findings.length} findings`,
    columns: [
      { key: "kind", label: "Finding" },
      { key: "subject", label: "Where", wrap: true },
      { key: "detail", label: "What", wrap: true },
    ],
    rows: kinds.flatMap(([kind]) =>
      findings
        .filter((finding) => finding.kind === kind)
        .slice(0, SHOWN_FINDINGS)
        .map(({ subject, detail }) => ({ kind, subject, detail })),
    ),
    notes: kinds.map(([kind, count]) =>
      count > SHOWN_FINDINGS
        ? `${kind}: ${count}, the first ${SHOWN_FINDINGS} shown (--json has all)`
        : `${kind}: ${count}`,
    ),
  };
}
