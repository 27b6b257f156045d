import { type ExitCode, exitCode, type Io } from "./io.ts";

/**
 * The real process: the first Ctrl-C (or SIGTERM) aborts `signal` so that finished work is kept, the second ends at once.
 * A closed pipe (`| head`) ends quietly.
 */
export function processIo(): { io: Io; finish(code: ExitCode): void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCode.interrupted);
    process.stderr.write("\nritbench: stopping; finished work is kept (again to stop at once)\n");
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(exitCode.ok);
    throw error;
  });
  const io: Io = {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    terminal: process.stderr.isTTY === true,
    columns: process.stdout.columns ?? (Number(process.env.COLUMNS) || 100),
    signal: controller.signal,
    now: () => new Date(),
  };
  return {
    io,
    finish(code) {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
      process.exitCode = code;
    },
  };
}
