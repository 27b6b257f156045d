import { join } from "node:path";
import { type DatasetStats, datasetStats } from "../../datasets/stats.ts";
import { integer } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import { defaultCutOptions, effectiveCutOptions } from "../../retrievers/chunks/build-chunks.ts";
import { cutText } from "../../retrievers/chunks/cut.ts";
import { bpeTokenizer } from "../../retrievers/tokenizer/bpe-tokenizer.ts";
import { modelTokenizer } from "../../retrievers/tokenizer/model-tokenizer.ts";
import type { Tokenizer } from "../../retrievers/tokenizer/tokenizer.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { fromCwd } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import {
  addDataTableOptions,
  type DataCommandOptions,
  loadForCommand,
  sentencesBesidePaper,
} from "../wiring/data-command.ts";

interface StatsOptions extends DataCommandOptions {
  tokenizer?: string;
}

/** `ritbench data stats <set...>`: the columns of the paper's Tables 5 and 6, the paper's beside ours. */
export const addDataStats: RegisterCommand = (data, io, done) => {
  const command = data
    .command("stats")
    .argument("<set...>", "data sets, e.g. wixqa qasper")
    .description("Count documents, nodes, chunks and tokens, beside the paper's Tables 5 and 6.")
    .option("--tokenizer <folder>", "folder with the encoder's tokenizer.json (default: o200k)")
    .addHelpText(
      "after",
      "\nExample:\n  ritbench data stats wixqa qasper --data datasets/samples\n",
    );
  addDataTableOptions(command).action(async (names: string[], options: StatsOptions) => {
    const tokenizer = tokenizerOf(io, options.tokenizer);
    const stats: DatasetStats[] = [];
    for (const name of names) {
      const loaded = await loadForCommand(io, name, options);
      const { corpus, questions, dataset } = loaded;
      try {
        const tools = {
          countTokens: (text: string) => tokenizer.count(text),
          tokenizer: tokenizer.id,
          countChunks: (text: string) => countChunks(text, tokenizer),
        };
        const counted = datasetStats(corpus, questions, dataset.name, tools, io.signal);
        const beside = await sentencesBesidePaper(io, loaded, options);
        stats.push({ ...counted, dataset: name, notes: [...counted.notes, ...beside] });
      } finally {
        corpus.close();
      }
    }
    if (options.json === true) printJson(io, "data-stats", { rows: stats, fingerprints: {} });
    putTables(io, stats.map(statsTable), { folder: options.out, name: "data-stats" }, options.json);
    done(exitCode.ok);
  });
};

function tokenizerOf(io: Io, folder: string | undefined): Tokenizer {
  return folder === undefined ? bpeTokenizer() : modelTokenizer(join(fromCwd(io, folder)));
}

function countChunks(text: string, tokenizer: Tokenizer): number {
  let count = 0;
  for (const _ of cutText(text, tokenizer, effectiveCutOptions(tokenizer, defaultCutOptions)))
    count++;
  return count;
}

const ROWS: readonly { key: keyof DatasetStats; label: string; paper?: string }[] = [
  { key: "documents", label: "documents", paper: "documents" },
  { key: "chunks", label: "chunks", paper: "chunks" },
  { key: "tokens", label: "tokens", paper: "tokens" },
  { key: "questions", label: "questions", paper: "questions" },
  { key: "runnableQuestions", label: "questions that can be run here" },
  { key: "trees", label: "trees" },
  { key: "nodes", label: "nodes", paper: "nodes" },
  { key: "readableNodes", label: "nodes with text" },
  { key: "maxDepth", label: "depth (a root has 0)", paper: "maxDepth" },
  { key: "nodeTokensMean", label: "tokens a node, mean", paper: "nodeTokensMean" },
  { key: "nodeTokensMedian", label: "tokens a node, median", paper: "nodeTokensMedian" },
  { key: "nodeTokensP95", label: "tokens a node, 95th percentile", paper: "nodeTokensP95" },
];

function statsTable(stats: DatasetStats): Table {
  const { paper } = stats;
  const counted = (counts: { readonly [name: string]: number }): string =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ");
  return {
    title: stats.dataset,
    columns: [
      { key: "what", label: "What" },
      { key: "here", label: "Here", align: "right", format: integer },
      { key: "paper", label: "Paper", align: "right", format: integer },
    ],
    rows: ROWS.map(({ key, label, paper: field }) => ({
      what: label,
      here: stats[key] as number | null,
      paper:
        paper === null || field === undefined ? null : (paper[field as keyof typeof paper] ?? null),
    })),
    notes: [
      `Tokens: ${stats.tokenizer}.`,
      `Trees: ${counted(stats.treeKinds) || "not said"}. Questions by split: ${counted(stats.questionSplits) || "none"}.`,
      ...stats.notes,
    ],
  };
}
