import { z } from "zod";
import type { DatasetContext } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import { readOptions } from "../parsing/options.ts";
import { findPaperFiles, type PaperFile, readPapers, SPLITS, type Split } from "./files.ts";
import type { Paper } from "./paper.ts";

export const NAME = "qasper";

const splitName = z
  .enum(["train", "dev", "validation", "test"])
  .transform((name): Split => (name === "validation" ? "dev" : name));

const optionShape = {
  /** Which papers make the corpus: complete records, those with guessed sections, or both. */
  papers: z.enum(["complete", "guessed", "all"]).default("complete"),
  /** Split the questions come from: the test split where there is one, else all. */
  split: z.union([splitName, z.literal("all")]).optional(),
  /** Splits whose papers are indexed. */
  indexSplits: z.union([z.literal("all"), z.array(splitName)]).default("all"),
  /** Also questions that no annotator answers (A13). */
  all: z.boolean().default(false),
};

/** What a run takes from the folder. */
export interface Selection {
  files: PaperFile[];
  questionSplits: ReadonlySet<Split>;
  withUnanswerable: boolean;
}

/**
 * The files and splits that options and folder give.
 *
 * @throws RitbenchError E_DATA_MISSING without papers, E_OPTION for options that do not fit.
 */
export async function select(context: DatasetContext): Promise<Selection> {
  const options = readOptions(NAME, optionShape, context.options);
  const found = await findPaperFiles(context.folder, context.signal);
  const files = found.filter((file) => options.papers === "all" || file.kind === options.papers);
  const indexSplits = new Set(options.indexSplits === "all" ? SPLITS : options.indexSplits);
  const indexed = files.filter((file) => indexSplits.has(file.split));
  if (indexed.length === 0) {
    throw new RitbenchError("E_DATA_MISSING", `no ${options.papers} QASPER papers here`, {
      where: context.folder,
      expected:
        "qasper-<split>-v0.3.json, or JSON Lines named by their split with full_text in them",
      ...(found.length > 0 && {
        got: found.map(({ path, kind }) => `${path} (${kind})`).join(", "),
      }),
      next: "ritbench data fetch qasper",
    });
  }
  const present = new Set(indexed.map((file) => file.split));
  const wanted = options.split ?? (present.has("test") ? "test" : "all");
  if (wanted !== "all" && !present.has(wanted)) {
    throw new RitbenchError(
      "E_OPTION",
      `the ${wanted} split of QASPER is not among the indexed papers`,
      {
        where: `options.split of ${NAME}`,
        expected: `one of ${[...present].join(", ")}, or all`,
        got: wanted,
        next: "change split or indexSplits, or run `ritbench data fetch qasper`",
      },
    );
  }
  return {
    files: indexed,
    questionSplits: wanted === "all" ? present : new Set([wanted]),
    withUnanswerable: options.all,
  };
}

/** Papers of the chosen files, each id once: complete text wins over guessed sections, then the earlier file. */
export async function* papersOf(
  selection: Selection,
  context: DatasetContext,
): AsyncGenerator<{ paper: Paper; file: PaperFile; repeated: boolean }> {
  const seen = new Set<string>();
  const inOrder = selection.files.toSorted(
    (a, b) => Number(a.kind === "guessed") - Number(b.kind === "guessed"),
  );
  for (const file of inOrder) {
    context.progress(`qasper: reading ${file.path}`);
    for await (const paper of readPapers(context.folder, file, context.signal)) {
      context.signal.throwIfAborted();
      yield { paper, file, repeated: seen.has(paper.id) };
      seen.add(paper.id);
    }
  }
}
