import { type ChildProcess, fork } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Starts the encoder's process from source (through tsx) or from the built package, whichever this file is part of. */
export function spawnEncoder(): ChildProcess {
  const fromSource = import.meta.url.endsWith(".ts");
  const entry = new URL(`./encoder-process.${fromSource ? "ts" : "js"}`, import.meta.url);
  const tsx = () => pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  return fork(fileURLToPath(entry), [], {
    execArgv: fromSource ? ["--import", tsx()] : [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}
