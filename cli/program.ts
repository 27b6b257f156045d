import { Command, CommanderError } from "commander";
import { formatError, RitbenchError } from "../core/errors.ts";
import { commands } from "./commands/registry.ts";
import { type ExitCode, exitCode, type Io } from "./io.ts";
import { programVersion } from "./version.ts";

/** Parses `argv` (without node and script), runs the command and says how it ended. Never throws, never exits. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCode.ok;
  const program = new Command("ritbench")
    .description("Benchmark retrieval-augmented generation over structured corpora.")
    .version(programVersion())
    .showSuggestionAfterError()
    .showHelpAfterError("(add --help for usage and an example)")
    .addHelpText("after", "\nExample:\n  ritbench run configs/quickstart.yaml\n");
  for (const command of commands) {
    command(program, io, (result) => {
      code = result;
    });
  }
  quiet(program, io);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return io.signal.aborted && code === exitCode.ok ? exitCode.interrupted : code;
  } catch (error) {
    return report(error, io);
  }
}

/** Commander must neither exit nor write around {@link Io}; its settings do not pass on to commands by themselves. */
function quiet(command: Command, io: Io): void {
  command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  for (const child of command.commands) quiet(child, io);
}

function report(error: unknown, io: Io): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.failure;
  if (io.signal.aborted) return exitCode.interrupted;
  if (error instanceof RitbenchError) {
    io.err(`${formatError(error)}\n`);
    return exitByErrorCode[error.code] ?? exitCode.failure;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  io.err(`ritbench: a fault of the program, please report it with this trace\n${trace}\n`);
  return exitCode.failure;
}

const exitByErrorCode: { readonly [code: string]: ExitCode } = {
  E_MODEL_BUDGET: exitCode.budget,
  E_BUDGET: exitCode.budget,
};
