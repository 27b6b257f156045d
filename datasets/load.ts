import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { Corpus } from "../core/corpus/corpus.ts";
import { openCorpus } from "../core/corpus/store.ts";
import { buildCorpus } from "../core/corpus/writer.ts";
import type { DataFinding, Dataset, DatasetContext } from "../core/dataset.ts";
import { RitbenchError } from "../core/errors.ts";
import { writeFileAtomic } from "../core/files.ts";
import { type Fingerprint, fingerprint } from "../core/fingerprint.ts";
import type { Json } from "../core/json.ts";
import type { Question } from "../core/question.ts";
import { own } from "./own/index.ts";
import { type NamedDataset, resolveDatasetFolder } from "./registry.ts";

export interface LoadOptions {
  /** Folder that holds data sets under their names; nothing is written there. */
  dataFolder: string;
  /** Folder of derived files (`.ritbench`); corpora go to `<home>/corpora/<hash>/`. */
  home: string;
  /** The data set's own options (`filings`, `split`). */
  options?: { readonly [key: string]: Json };
  signal?: AbortSignal;
  progress?: (message: string) => void;
}

export interface LoadedDataset {
  /** As given: `financebench`, or the folder's name for stand-ins and own documents. */
  name: string;
  dataset: Dataset;
  /** Where its files lie. */
  folder: string;
  corpus: Corpus;
  /** All questions in file order; `dataset` is `name`. */
  questions: Question[];
  findings: DataFinding[];
}

/** What is kept of a finished load beside the corpus. */
interface LoadFile {
  schema: "ritbench.load/1";
  corpus: Fingerprint;
  questions: Question[];
  findings: DataFinding[];
}

/**
 * Opens a data set as corpus and questions. The first load streams its files to disk; later ones open that
 * result as long as the files (path, size, time), the loader's version and the options are the same. Several
 * processes may load at once: each finished file appears whole, and equal corpora share a folder.
 *
 * @throws RitbenchError from `resolveDatasetFolder` and from the loader, for files that are absent or malformed
 */
export async function loadDataset(name: string, load: LoadOptions): Promise<LoadedDataset> {
  return loadFrom(resolveDatasetFolder(load.dataFolder, name), load);
}

/**
 * Opens any folder of documents as a corpus, whatever its name; a question file in it is passed over. Kept and
 * opened again like a data set.
 *
 * @throws RitbenchError E_DATA_MISSING without documents; E_HOME_INSIDE when derived files would be written into the folder
 */
export async function loadDocuments(
  folder: string,
  load: Omit<LoadOptions, "dataFolder" | "options">,
): Promise<LoadedDataset> {
  const documents = resolve(folder);
  if (isInside(realPath(load.home), realPath(documents))) {
    throw new RitbenchError(
      "E_HOME_INSIDE",
      "the home folder lies inside the folder of documents",
      {
        where: resolve(load.home),
        expected: `a folder outside ${documents}, where nothing is ever written`,
        next: "set RITBENCH_HOME (in a program: the option home) to a folder elsewhere",
      },
    );
  }
  const dataset: Dataset = { ...own, questions: async () => [] };
  return loadFrom({ name: own.name, dataset, folder: documents }, load);
}

async function loadFrom(
  { name, dataset, folder }: NamedDataset,
  load: Omit<LoadOptions, "dataFolder">,
): Promise<LoadedDataset> {
  const context: DatasetContext = {
    folder: resolve(folder),
    options: load.options ?? {},
    cacheFolder: join(load.home, "page-text"),
    signal: load.signal ?? new AbortController().signal,
    progress: load.progress ?? (() => {}),
  };
  context.signal.throwIfAborted();
  const corporaFolder = join(load.home, "corpora");
  const key = fingerprint({
    // Raised when what is kept of a load changes.
    schema: "ritbench.load/2",
    name,
    loader: [dataset.name, dataset.version],
    folder: context.folder,
    options: context.options,
    sources: await dataset.sources(context),
  });
  const file = join(corporaFolder, "loads", `${key}.json`);
  const kept = readKept(file, corporaFolder);
  if (kept !== undefined) return { name, dataset, folder, ...kept };

  const corpus = await buildCorpus(
    { corporaFolder, dataset: name, singleTree: dataset.singleTree },
    (sink) => dataset.writeCorpus(sink, context),
  );
  const questions = (await dataset.questions(context)).map((question) => ({
    ...question,
    dataset: name,
    ...(dataset.name === name ? {} : { benchmark: dataset.name }),
  }));
  const findings = (await dataset.findings?.(context)) ?? [];
  const made: LoadFile = {
    schema: "ritbench.load/1",
    corpus: corpus.summary.hash,
    questions,
    findings,
  };
  writeFileAtomic(file, JSON.stringify(made));
  return { name, dataset, folder, corpus, questions, findings };
}

function isInside(path: string, folder: string): boolean {
  const steps = relative(folder, path);
  return !isAbsolute(steps) && steps !== ".." && !steps.startsWith(`..${sep}`);
}

/** The path with the links of its part that exists resolved. */
function realPath(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return realpathSync(whole);
  return join(realPath(dirname(whole)), basename(whole));
}

/** An earlier load; undefined when there is none, it cannot be read, or its corpus has been removed: then it is made again. */
function readKept(
  file: string,
  corporaFolder: string,
): Pick<LoadedDataset, "corpus" | "questions" | "findings"> | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { corpus, questions, findings } = JSON.parse(readFileSync(file, "utf8")) as LoadFile;
    return { corpus: openCorpus(join(corporaFolder, corpus)), questions, findings };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof RitbenchError && error.code === "E_CORPUS_MISSING") return undefined;
    throw error;
  }
}
