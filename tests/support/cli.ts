import { spawn } from "node:child_process";
import { join } from "node:path";
import { runCli } from "../../cli/program.ts";
import { packageFile } from "../../core/package-file.ts";
import { testIo } from "./test-io.ts";

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
  /** The document of `--json`. */
  json<T = Record<string, unknown>>(): T;
}

export const samplesFolder = packageFile("datasets/samples");

/** Runs a command in this process, with a home folder of its own. */
export async function cli(
  home: string,
  argv: readonly string[],
  settings: Parameters<typeof testIo>[0] = {},
): Promise<CliResult> {
  const io = testIo({ ...settings, env: { RITBENCH_HOME: home, ...settings.env } });
  const code = await runCli(argv, io);
  const { stdout, stderr } = io;
  return { code, stdout, stderr, json: () => JSON.parse(stdout) };
}

/** Starts the real program as a child, for kills and signals. */
export function spawnCli(home: string, argv: readonly string[]) {
  const child = spawn(process.execPath, [packageFile("bin/ritbench.js"), ...argv], {
    env: { ...process.env, RITBENCH_HOME: home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => {
    stderr += bytes.toString();
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>(
    (resolve) => child.on("close", (code, signal) => resolve({ code, signal, stderr })),
  );
  return { child, ended };
}

/** Arguments of a small run over the samples without a key or a build; later arguments win over these. */
export function sampleRun(...extra: string[]): string[] {
  const quick = ["--methods", "vanilla,agentic-search,rit-rag", "--set", "metadata=titles"];
  return ["run", join("configs", "quickstart.yaml"), "--data", samplesFolder, ...quick, ...extra];
}
