import { readManifest } from "../../core/run-folder/manifest.ts";
import { openLiveRun } from "../../reports/html/live-run.ts";
import { serveRun } from "../../reports/html/serve-run.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { findRun } from "../run-folders.ts";
import { openRunCorpora } from "../wiring/run-corpora.ts";

/** `ritbench view <run>`: the report's pages on this machine, kept up to date while the run goes on. */
export const viewCommand: RegisterCommand = (program, io, done) => {
  program
    .command("view")
    .argument("<run>", "run id, the beginning of one, latest, or a folder")
    .description("Look at a run in the browser while it goes on. Ctrl-C ends it.")
    .addHelpText("after", "\nExample:\n  ritbench view latest\n")
    .action(async (name: string) => {
      await view(io, findRun(io, name));
      done(exitCode.ok);
    });
};

/** Serves until Ctrl-C, which is how it is meant to end. */
async function view(io: Io, folder: string): Promise<void> {
  const { manifest } = readManifest(folder);
  const corpora = openRunCorpora(io, manifest);
  const run = openLiveRun(folder, corpora.of, () => io.now().getTime());
  try {
    const server = await serveRun(run, manifest.name);
    io.out(`${server.url}\n`);
    io.err(`run ${manifest.id} on this machine only; Ctrl-C ends it\n`);
    await new Promise<void>((resolve) => {
      if (io.signal.aborted) resolve();
      else io.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await server.close();
  } finally {
    run.close();
    corpora.close();
  }
}
