import { Option } from "commander";
import { RitbenchError } from "../../core/errors.ts";
import type { SearchMode } from "../../core/retriever.ts";
import { decimals, percent } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { loadConfig } from "../config/load.ts";
import { exitCode, type Io } from "../io.ts";
import {
  addConfigOptions,
  addTableOptions,
  type ConfigOptions,
  list,
  overridesOf,
  wholeNumbers,
} from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { applyFilings } from "../wiring/filings.ts";
import { openResources } from "../wiring/resources.ts";
import { measureRetrieval, type RetrievalResult } from "../wiring/retrieval-scores.ts";

interface RetrievalOptions extends ConfigOptions {
  modes: string[];
  k: number[];
  offline?: boolean;
  out?: string;
  json?: boolean;
}

const MODES: readonly SearchMode[] = ["bm25", "dense", "hybrid"];

/** `ritbench retrieval <config>`: how much of the gold evidence the rankings hold; no model. */
export const retrievalCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("retrieval")
    .argument("<config>", "experiment, e.g. configs/financebench.yaml")
    .description("Score the rankings themselves against the gold evidence, without any model.")
    .addOption(
      new Option("--modes <mode,...>", "bm25, dense, hybrid").argParser(list).default([...MODES]),
    )
    .addOption(
      new Option("--k <n,...>", "cuts of the ranking")
        .argParser(wholeNumbers)
        .default([5, 50, 200]),
    )
    .option("--offline", "let no request leave this machine")
    .addHelpText(
      "after",
      "\nExample:\n  ritbench retrieval configs/financebench.yaml --modes bm25,hybrid --k 5,50,200\n",
    );
  addTableOptions(addConfigOptions(command)).action(
    async (name: string, options: RetrievalOptions) => {
      const modes = options.modes.map(modeOf);
      const config = applyFilings(loadConfig(name, io.cwd, overridesOf(options)), options.filings);
      const resources = await openResources(io, {
        config,
        data: options.data,
        offline: options.offline === true,
      });
      try {
        const results: RetrievalResult[] = [];
        for (const dataset of resources.datasets) {
          results.push(
            await measureRetrieval(io, dataset, modes, options.k, config.limits.questions),
          );
        }
        if (options.json === true) printResults(io, results);
        const tables = results.map((result) => tableOf(result, config.embeddings));
        putTables(io, tables, { folder: options.out, name: "retrieval" }, options.json);
      } finally {
        await resources.close();
      }
      done(exitCode.ok);
    },
  );
};

function modeOf(name: string): SearchMode {
  const mode = MODES.find((known) => known === name);
  if (mode !== undefined) return mode;
  throw new RitbenchError("E_OPTION", `there is no retrieval mode ${JSON.stringify(name)}`, {
    where: "--modes",
    expected: MODES.join(", "),
  });
}

/** One data set as a document of its own; several under `results`. */
function printResults(io: Io, results: readonly RetrievalResult[]): void {
  const [only] = results;
  if (results.length === 1 && only !== undefined) printJson(io, "retrieval", { ...only });
  else {
    printJson(io, "retrieval", {
      results,
      rows: results.flatMap(({ dataset, rows }) => rows.map((row) => ({ dataset, ...row }))),
      fingerprints: Object.fromEntries(
        results.map(({ dataset, fingerprints }) => [dataset, fingerprints]),
      ),
    });
  }
}

function tableOf(
  { dataset, questions, rows, fingerprints }: RetrievalResult,
  embeddings: string,
): Table {
  const right = { align: "right" } as const;
  return {
    title: `${dataset}: evidence in the ranking`,
    columns: [
      { key: "mode", label: "Mode" },
      { key: "k", label: "k", ...right },
      { key: "n", label: "n", ...right },
      { key: "precision", label: "Precision", ...right, format: percent },
      { key: "recall", label: "Recall", ...right, format: percent },
      { key: "documentHit", label: "Document", ...right, format: percent },
      { key: "mrr", label: "MRR", ...right, format: decimals(3) },
      { key: "ndcg", label: "nDCG", ...right, format: decimals(3) },
    ],
    rows: rows.map((row) => ({ ...row })),
    notes: [
      `${questions.withEvidence} questions with gold evidence in the corpus, of ${questions.runnable} runnable, ${questions.total} in all. Embeddings: ${embeddings}.`,
      "Precision: chunks among the first k that hold gold; recall: gold units found; document: a chunk of a gold document is among the first k.",
      `Retriever ${fingerprints.retriever}, chunks ${fingerprints.chunks}, corpus ${fingerprints.corpus}.`,
    ],
  };
}
