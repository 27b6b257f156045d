import type { Io } from "../../cli/io.ts";

export interface TestIo extends Io {
  stdout: string;
  stderr: string;
}

/** An {@link Io} that keeps what is written; environment and folder are the test's own. */
export function testIo(
  settings: Partial<Pick<Io, "env" | "cwd" | "terminal" | "columns" | "signal">> = {},
): TestIo {
  const io: TestIo = {
    stdout: "",
    stderr: "",
    out(text) {
      io.stdout += text;
    },
    err(text) {
      io.stderr += text;
    },
    env: {},
    cwd: process.cwd(),
    terminal: false,
    columns: 100,
    signal: new AbortController().signal,
    now: () => new Date("2026-01-02T03:04:05Z"),
    ...settings,
  };
  return io;
}
