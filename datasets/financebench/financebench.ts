import { z } from "zod";
import type { DataFinding, Dataset, DatasetContext } from "../../core/dataset.ts";
import { readOptions } from "../parsing/options.ts";
import { sourceFacts } from "../parsing/sources.ts";
import { fetchFiles } from "./fetch-files.ts";
import {
  type FinanceBenchFiles,
  findFiles,
  NAME,
  readInformation,
  readQuestionRows,
} from "./files.ts";
import { type AbsentFiling, type Filing, readFiling } from "./filing.ts";
import { filingsOf, readQuestions } from "./questions.ts";
import { createTally, type Tally } from "./tally.ts";

const optionShape = {
  /** `referenced` = only the filings that a question or its evidence names. */
  filings: z.enum(["all", "referenced"]).default("all"),
};

/** What a pass over the filings found, kept for `findings` so that no filing is read twice. */
const tallies = new WeakMap<DatasetContext, Tally>();

async function* filings(
  files: FinanceBenchFiles,
  context: DatasetContext,
): AsyncGenerator<Filing | AbsentFiling> {
  const options = readOptions(NAME, optionShape, context.options);
  let chosen = [...files.filings.values()];
  if (options.filings === "referenced") {
    const rows = await readQuestionRows(files, context);
    const referenced = new Set(rows.flatMap((row) => [...filingsOf(row)]));
    chosen = chosen.filter(({ name }) => referenced.has(name));
  }
  for (const [i, filing] of chosen.entries()) {
    context.signal.throwIfAborted();
    if (i % 25 === 0) context.progress(`filing ${i + 1} of ${chosen.length}`);
    yield await readFiling(filing, context);
  }
}

/** FinanceBench: questions on public filings. Layouts, trees and quirks: see this folder's README. */
export const financebench: Dataset = {
  name: NAME,
  title: "FinanceBench",
  version: 2,
  singleTree: false,
  splits: ["treeKind", "questionType"],
  get fetchFiles() {
    return fetchFiles();
  },

  async sources(context) {
    readOptions(NAME, optionShape, context.options);
    const files = await findFiles(context.folder);
    return sourceFacts(context.folder, [
      files.questions,
      ...(files.information === undefined ? [] : [files.information]),
      ...[...files.filings.values()].flatMap(({ pages, pdf, tree }) =>
        [pages, pdf, tree].filter((path) => path !== undefined),
      ),
    ]);
  },

  async writeCorpus(sink, context) {
    const files = await findFiles(context.folder);
    const tally = createTally();
    for await (const filing of filings(files, context)) {
      tally.add(filing);
      if ("absent" in filing) continue;
      sink.document({
        id: filing.name,
        title: filing.name,
        pageCount: filing.pageCount,
        treeKind: filing.treeKind,
      });
      sink.tree(filing.tree);
    }
    for (const note of tally.notes()) sink.note(note);
    tallies.set(context, tally);
  },

  async questions(context) {
    return readQuestions(await findFiles(context.folder), context);
  },

  async findings(context) {
    const files = await findFiles(context.folder);
    let tally = tallies.get(context);
    if (tally === undefined) {
      tally = createTally();
      for await (const filing of filings(files, context)) tally.add(filing);
      tallies.set(context, tally);
    }
    return [...tally.findings(), ...(await metadataFindings(files, context))];
  },
};

async function metadataFindings(
  files: FinanceBenchFiles,
  context: DatasetContext,
): Promise<DataFinding[]> {
  if (files.information === undefined) return [];
  const information = await readInformation(files, context);
  const repeated = [...information].flatMap(([subject, rows]): DataFinding[] =>
    rows.length === 1
      ? []
      : [{ kind: "other", subject, detail: `has ${rows.length} metadata rows; the first is used` }],
  );
  const missing = [...files.filings.keys()].flatMap((subject): DataFinding[] =>
    information.has(subject) ? [] : [{ kind: "other", subject, detail: "has no metadata row" }],
  );
  return [...repeated, ...missing];
}
