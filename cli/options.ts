import { existsSync } from "node:fs";
import { isAbsolute, join, normalize, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parse } from "yaml";
import { messageOf, RitbenchError } from "../core/errors.ts";
import type { Json } from "../core/json.ts";
import { packageFile } from "../core/package-file.ts";
import type { Override } from "./config/load.ts";
import type { Io } from "./io.ts";

/** Options that commands which read a config share (issue of every script that wraps ritbench: stable names). */
export interface ConfigOptions {
  data?: string;
  set: string[];
  model?: string[];
  judge?: string;
  embeddings?: string;
  filings?: string;
  limit?: number;
}

const SAMPLES = join("datasets", "samples");

/** Adds the options of {@link ConfigOptions}. */
export function addConfigOptions(command: Command): Command {
  return addDataOption(command)
    .option("--set <path=value>", "set any config value, e.g. parameters.rit-rag.n=25", collect, [])
    .option("--model <id,...>", "generator(s), e.g. offline:extractive", list)
    .option("--judge <id>", "judge, e.g. offline:lexical or google:gemini-2.5-flash")
    .option("--embeddings <id>", "embeddings, e.g. offline:hashing or local:<folder>")
    .addOption(
      new Option("--filings <which>", "FinanceBench filings to index").choices([
        "all",
        "referenced",
      ]),
    )
    .option("--limit <n>", "the first N questions of each data set", wholeNumber);
}

export function addDataOption(command: Command): Command {
  return command.option(
    "--data <folder>",
    "folder that holds the data sets (default: data/ in RITBENCH_HOME, which is .ritbench)",
  );
}

export function addJsonOption(command: Command): Command {
  return command.option("--json", "one JSON document on standard output, nothing else there");
}

/** Config overrides of the short names, then those of `--set`, which therefore win. */
export function overridesOf(options: ConfigOptions): Override[] {
  const short: Override[] = [];
  const add = (flag: string, path: string, value: Json | undefined): void => {
    if (value !== undefined) short.push({ flag, path, value });
  };
  add("--model", "models", options.model);
  add("--judge", "judge", options.judge);
  add("--embeddings", "embeddings", options.embeddings);
  add("--limit", "limits.questions", options.limit);
  return [
    ...short,
    ...options.set.map((text) => parseSetting(text, "--set", "retrieval.bm25.k1=1.2")),
  ];
}

/**
 * `name=value` of a flag; the value is read as YAML.
 *
 * @throws RitbenchError E_OPTION for text without a name, or a value that is no YAML
 */
export function parseSetting(text: string, flag: string, example: string): Override {
  const split = text.indexOf("=");
  const next = `write it as ${flag} ${example}`;
  if (split < 1) {
    throw new RitbenchError("E_OPTION", `${flag} needs a name, = and a value`, { got: text, next });
  }
  try {
    return { flag, path: text.slice(0, split), value: parse(text.slice(split + 1)) as Json };
  } catch (error) {
    throw new RitbenchError("E_OPTION", `the value of ${flag} cannot be read`, {
      where: text,
      expected: "a number, a word, or YAML in quotes, such as 'datasets=[wixqa, qasper]'",
      got: messageOf(error).split("\n")[0] ?? "no YAML",
      next,
    });
  }
}

/** `--json`, and `--out` for the printed table as files. */
export function addTableOptions(command: Command): Command {
  return addOutOption(addJsonOption(command));
}

export function addOutOption(command: Command): Command {
  return command.option("--out <folder>", "write the table there as CSV and Markdown, too");
}

/** `RITBENCH_HOME`, else `.ritbench` in the working folder. */
export function homeFolder(io: Io): string {
  return resolve(io.cwd, io.env.RITBENCH_HOME || ".ritbench");
}

/** `--data`, which may also name a folder that ships (`datasets/samples`); else `data/` in the home folder. */
export function dataFolder(io: Io, option: string | undefined): string {
  if (option === undefined) return join(homeFolder(io), "data");
  const own = fromCwd(io, option);
  return existsSync(own) || normalize(option) !== SAMPLES ? own : packageFile(SAMPLES);
}

export function fromCwd(io: Io, path: string): string {
  return isAbsolute(path) ? path : resolve(io.cwd, path);
}

export function list(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function collect(text: string, previous: string[]): string[] {
  return [...previous, text];
}

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError("a whole number from 1");
  return value;
}

export function wholeNumbers(text: string): number[] {
  return list(text).map(wholeNumber);
}

export function amount(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError("a number above 0");
  return value;
}
