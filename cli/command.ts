import type { Command } from "commander";
import type { ExitCode, Io } from "./io.ts";

/** Adds one command to the program (or to a group of commands); `done` takes its exit code. */
export type RegisterCommand = (program: Command, io: Io, done: (code: ExitCode) => void) => void;
