import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { nearMiss, RitbenchError } from "../core/errors.ts";
import type { RunManifest } from "../core/record.ts";
import { readManifest } from "../core/run-folder/manifest.ts";
import { RUN_FILES } from "../core/run-folder/paths.ts";
import type { Io } from "./io.ts";
import { fromCwd, homeFolder } from "./options.ts";

/** `<home>/runs`. */
export function runsFolder(io: Io): string {
  return join(homeFolder(io), "runs");
}

/** A stored run whose manifest could be read, or the reason why not. */
export type ListedRun =
  | { id: string; folder: string; manifest: RunManifest }
  | { id: string; folder: string; fault: string };

/** Runs below `<home>/runs`, the latest first, those without a known start last. */
export function listRuns(io: Io): ListedRun[] {
  const root = runsFolder(io);
  if (!existsSync(root)) return [];
  const runs = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map((entry): ListedRun => {
      const folder = join(root, entry.name);
      try {
        return { id: entry.name, folder, manifest: readManifest(folder).manifest };
      } catch (error) {
        return { id: entry.name, folder, fault: (error as Error).message };
      }
    });
  const startOf = (run: ListedRun): number =>
    "manifest" in run ? Date.parse(run.manifest.startedAt) || 0 : 0;
  return runs.sort((a, b) => startOf(b) - startOf(a));
}

/**
 * Folder of the run that a command names: an id, the unique beginning of one, `latest`, or a path.
 *
 * @throws RitbenchError E_RUN_MISSING naming near misses, E_RUN_AMBIGUOUS.
 */
export function findRun(io: Io, name: string): string {
  const path = fromCwd(io, name);
  if (/[/\\]/.test(name) || name === ".") {
    if (isRun(path)) return path;
    throw missing(name, []);
  }
  const runs = listRuns(io);
  if (name === "latest" && runs[0] !== undefined) return runs[0].folder;
  const ids = runs.map(({ id }) => id);
  const exact = runs.find(({ id }) => id === name);
  if (exact !== undefined) return exact.folder;
  const begun = runs.filter(({ id }) => id.startsWith(name));
  if (begun.length === 1) return begun[0]!.folder;
  if (begun.length > 1) {
    throw new RitbenchError("E_RUN_AMBIGUOUS", `several runs begin with ${name}`, {
      got: begun.map(({ id }) => id).join(", "),
      next: "give more of the id",
    });
  }
  if (isRun(path)) return path;
  throw missing(name, ids);
}

function isRun(folder: string): boolean {
  return (
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    existsSync(join(folder, RUN_FILES.manifest))
  );
}

function missing(name: string, ids: readonly string[]): RitbenchError {
  const near = nearMiss(basename(name), ids);
  return new RitbenchError("E_RUN_MISSING", `there is no run ${JSON.stringify(name)}`, {
    expected: "the id of a run, the beginning of one, latest, or the path of its folder",
    next: near === undefined ? "ritbench runs" : `did you mean ${near}?`,
  });
}
