/** What a command may touch of the world: injected, so that tests run commands in process. */
export interface Io {
  /** Standard output, a whole text with its own line ends. */
  out(text: string): void;
  /** Standard error: progress, warnings, errors. */
  err(text: string): void;
  readonly env: { readonly [name: string]: string | undefined };
  readonly cwd: string;
  /** Whether standard error is a terminal that can redraw a line. */
  readonly terminal: boolean;
  readonly columns: number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  now(): Date;
}

/** Exit codes of every command (docs/exit-codes.md). */
export const exitCode = {
  ok: 0,
  failure: 1,
  worse: 2,
  tooManyErrors: 3,
  budget: 4,
  cannotTell: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
