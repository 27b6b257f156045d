import { type ParseArgsConfig, parseArgs } from "node:util";
import { messageOf, RitbenchError } from "../core/errors.ts";

/** Flags that every benchmark has. */
const COMMON = {
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/**
 * Reads a benchmark's flags, `--json` and `--help` among them.
 *
 * @throws RitbenchError E_BENCH_ARGUMENTS
 */
export function readArguments<Own extends NonNullable<ParseArgsConfig["options"]>>(
  argv: readonly string[],
  own: Own,
) {
  try {
    return parseArgs({ args: [...argv], options: { ...own, ...COMMON } }).values;
  } catch (error) {
    throw new RitbenchError("E_BENCH_ARGUMENTS", messageOf(error), { next: "see --help" });
  }
}

/** A flag's value as a count from 1. */
export function count(text: string, flag: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new RitbenchError("E_BENCH_ARGUMENTS", `${flag} must be a positive count`, {
    got: text,
    next: "see --help",
  });
}

/** One JSON document, or a line for each field. */
export function printResult(result: object, json: boolean): void {
  if (json) process.stdout.write(`${JSON.stringify(result)}\n`);
  else
    for (const [name, value] of Object.entries(result)) process.stdout.write(`${name}  ${value}\n`);
}
