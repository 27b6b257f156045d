import { join } from "node:path";
import { type Command, Option } from "commander";
import type { Json } from "../../core/json.ts";
import { type LoadedDataset, loadDataset } from "../../datasets/load.ts";
import type { Io } from "../io.ts";
import {
  addDataOption,
  addJsonOption,
  addOutOption,
  collect,
  dataFolder,
  homeFolder,
  parseSetting,
  wholeNumber,
} from "../options.ts";
import { progressLine } from "../progress.ts";

/** Options of commands that load data sets by name, without a config. */
export interface DataCommandOptions {
  data?: string;
  option: string[];
  filings?: string;
  limit?: number;
  out?: string;
  json?: boolean;
}

export function addDataCommandOptions(command: Command): Command {
  return addJsonOption(addDataOption(command))
    .option("--option <name=value>", "option of the loader, e.g. split=simulated", collect, [])
    .addOption(
      new Option("--filings <which>", "FinanceBench filings to load").choices([
        "all",
        "referenced",
      ]),
    );
}

/** {@link addDataCommandOptions} for a command that prints a table about questions. */
export function addDataTableOptions(command: Command): Command {
  return addOutOption(addDataCommandOptions(command)).option(
    "--limit <n>",
    "the first N questions",
    wholeNumber,
  );
}

/** Loads a data set for a data command, with progress on standard error. */
export async function loadForCommand(
  io: Io,
  name: string,
  options: DataCommandOptions,
): Promise<LoadedDataset> {
  const line = progressLine(io);
  const loaded = await loadDataset(name, {
    dataFolder: dataFolder(io, options.data),
    home: homeFolder(io),
    options: loaderOptions(options),
    signal: io.signal,
    progress: (message) => line.update(`${name}: ${message}`),
  }).finally(() => line.finish());
  return { ...loaded, questions: loaded.questions.slice(0, options.limit) };
}

/** What the loader can say of the paper's counts beyond the corpus. */
export async function sentencesBesidePaper(
  io: Io,
  { dataset, folder }: LoadedDataset,
  options: DataCommandOptions,
): Promise<string[]> {
  const context = {
    folder,
    options: loaderOptions(options),
    cacheFolder: join(homeFolder(io), "page-text"),
    signal: io.signal,
    progress: () => {},
  };
  return (await dataset.besidePaper?.(context)) ?? [];
}

function loaderOptions({ option, filings }: DataCommandOptions): { [name: string]: Json } {
  const pairs = option.map((text): [string, Json] => {
    const { path, value } = parseSetting(text, "--option", "split=simulated");
    return [path, value];
  });
  return { ...Object.fromEntries(pairs), ...(filings === undefined ? {} : { filings }) };
}
