import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
} from "node:fs";
import { join } from "node:path";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { writeAll, writeFileAtomic } from "../../core/files.ts";
import type { RecordKey, RunManifest, RunRecord } from "../../core/record.ts";
import { keyOf } from "../../core/record.ts";
import { readManifest } from "../../core/run-folder/manifest.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { StoredQuestion } from "../../core/run-folder/parse.ts";
import { RUN_FILES, traceFileName } from "../../core/run-folder/paths.ts";
import type { RunProblem } from "../../core/run-folder/problem.ts";
import type { Trace } from "../../core/trace.ts";
import { differences, differsError } from "./identity.ts";
import { lockRun } from "./lock.ts";
import { mergeManifest, mergeQuestions } from "./merge.ts";
import { repairTail } from "./tail.ts";

/** A run folder held by this process, open for appending. */
export interface RunStore {
  readonly id: string;
  readonly folder: string;
  /** True when the folder held records of an earlier start. */
  readonly resumed: boolean;
  readonly manifest: RunManifest;
  /** What was wrong with the stored files, each named. */
  readonly problems: readonly RunProblem[];
  has(key: RecordKey): boolean;
  /** Whether the key's record is an error (a later success replaces it). */
  failed(key: RecordKey): boolean;
  /**
   * Stores a trace and then its record, each flushed to disk.
   *
   * @throws RitbenchError E_RUN_WRITE when the disk does not take them; what was stored before stays readable.
   */
  append(record: RunRecord, trace: Trace): void;
  update(change: Partial<Pick<RunManifest, "status" | "models">>): void;
  /** Gives the folder free. */
  close(): void;
}

export interface OpenStoreOptions {
  /** Folder that holds the runs. */
  runsFolder: string;
  /** What is about to run; `id` is chosen here. */
  manifest: Omit<RunManifest, "id">;
  questions: readonly StoredQuestion[];
  /** Start another run even where one could be continued. */
  fresh?: boolean;
  now?: () => Date;
}

/**
 * Opens the run that a command continues, or starts one. A run of the same name and identity is continued (with
 * further questions, methods or data sets where the command brings some).
 *
 * @throws RitbenchError E_RUN_DIFFERS naming the fields that differ, E_RUN_VERSION for a run that another version
 * wrote, E_RUN_LOCKED while another process holds the run.
 */
export async function openRunStore(options: OpenStoreOptions): Promise<RunStore> {
  const now = options.now ?? (() => new Date());
  const id = chooseRun(options);
  const folder = join(options.runsFolder, id);
  const lock = await lockRun(folder);
  try {
    return openLocked(id, folder, options, now, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

function openLocked(
  id: string,
  folder: string,
  options: OpenStoreOptions,
  now: () => Date,
  release: () => void,
): RunStore {
  const recordsPath = join(folder, RUN_FILES.records);
  const problems: RunProblem[] = repairTail(recordsPath, RUN_FILES.records);
  let manifest: RunManifest = { ...options.manifest, id };
  const failedByKey = new Map<string, boolean>();
  let questions = options.questions;
  if (existsSync(join(folder, RUN_FILES.manifest))) {
    const stored = openRun(folder);
    const foreign = stored.problems.find(({ kind }) => kind === "other_version");
    if (foreign !== undefined) throw foreignError(folder, stored.manifest, foreign);
    const found = differences(stored.manifest, manifest);
    if (found.length > 0) throw differsError(folder, found);
    for (const key of stored.keys) failedByKey.set(keyOf(key), stored.failed(key));
    problems.push(...stored.problems);
    stored.close();
    manifest = mergeManifest(stored.manifest, manifest);
    questions = mergeQuestions(folder, options.questions);
  }
  const resumed = failedByKey.size > 0;
  writeFileAtomic(
    join(folder, RUN_FILES.questions),
    questions.map((question) => `${JSON.stringify(question)}\n`).join(""),
  );
  const save = (): void => {
    manifest = { ...manifest, updatedAt: now().toISOString() };
    writeFileAtomic(join(folder, RUN_FILES.manifest), `${JSON.stringify(manifest, null, 2)}\n`);
  };
  save();
  mkdirSync(join(folder, RUN_FILES.traces), { recursive: true });
  const file = openSync(recordsPath, "a");

  return {
    id,
    folder,
    resumed,
    get manifest() {
      return manifest;
    },
    problems,
    has: (key) => failedByKey.has(keyOf(key)),
    failed: (key) => failedByKey.get(keyOf(key)) ?? false,
    append(record, trace) {
      // The trace comes first: a record never points to a trace that is not there.
      try {
        writeFileAtomic(
          join(folder, RUN_FILES.traces, traceFileName(record)),
          JSON.stringify(trace),
        );
        appendLine(file, JSON.stringify(record));
      } catch (cause) {
        throw new RitbenchError("E_RUN_WRITE", "a record could not be stored", {
          where: folder,
          got: messageOf(cause),
          next: "make room or mend the folder, then give the same command again",
          cause,
        });
      }
      failedByKey.set(keyOf(record), record.outcome === "error");
    },
    update(change) {
      manifest = { ...manifest, ...change };
      save();
    },
    close() {
      closeSync(file);
      release();
    },
  };
}

/** Continuing would ask again what only the other version can read. */
function foreignError(
  folder: string,
  { programVersion }: RunManifest,
  { where, detail }: RunProblem,
): RitbenchError {
  return new RitbenchError("E_RUN_VERSION", "the stored run was written by another version", {
    where: join(folder, where),
    got: `${detail}; the run was made by ritbench ${programVersion}`,
    next: "continue it with that version, or start another run with --new",
  });
}

/** Appends a line and flushes it; a line that went in half way is taken out again. */
function appendLine(file: number, line: string): void {
  const before = fstatSync(file).size;
  try {
    writeAll(file, Buffer.from(`${line}\n`, "utf8"));
    fsyncSync(file);
  } catch (error) {
    ftruncateSync(file, before);
    throw error;
  }
}

/**
 * Id of the run to continue, or of a new folder, made here so that two processes never choose the same.
 *
 * @throws RitbenchError E_RUN_DIFFERS when runs of the name exist, none matches, and no new one was asked for.
 */
function chooseRun({ runsFolder, manifest, fresh }: OpenStoreOptions): string {
  mkdirSync(runsFolder, { recursive: true });
  const slug = slugOf(manifest.name);
  const runs = runsNamed(runsFolder, slug, manifest.name, fresh === true);
  const next = { ...manifest, id: slug };
  const match = runs.findLast((run) => differences(run.manifest, next).length === 0);
  if (!fresh) {
    if (match !== undefined) return match.id;
    const latest = runs.at(-1);
    if (latest !== undefined) {
      throw differsError(join(runsFolder, latest.id), differences(latest.manifest, next));
    }
  }
  for (let number = 1; ; number++) {
    const id = number === 1 ? slug : `${slug}-${number}`;
    try {
      mkdirSync(join(runsFolder, id));
      return id;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      // A folder whose maker died before it had written a manifest is free.
      if (!existsSync(join(runsFolder, id, RUN_FILES.manifest)) && isEmpty(join(runsFolder, id)))
        return id;
    }
  }
}

/** Runs of a name in the order of their numbers. */
function runsNamed(
  runsFolder: string,
  slug: string,
  name: string,
  fresh: boolean,
): { id: string; manifest: RunManifest }[] {
  const numberOf = (id: string): number =>
    id === slug ? 1 : Number(/^-(\d+)$/.exec(id.slice(slug.length))?.[1] ?? Number.NaN);
  return readdirSync(runsFolder)
    .filter((id) => id.startsWith(slug) && !Number.isNaN(numberOf(id)))
    .filter((id) => existsSync(join(runsFolder, id, RUN_FILES.manifest)))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .flatMap((id) => {
      const manifest = manifestIn(join(runsFolder, id), fresh);
      return manifest?.name === name ? [{ id, manifest }] : [];
    });
}

/** A run that cannot be read stops the command that might continue it, not one that starts another. */
function manifestIn(folder: string, fresh: boolean): RunManifest | undefined {
  try {
    return readManifest(folder).manifest;
  } catch (error) {
    if (fresh) return undefined;
    throw error;
  }
}

function isEmpty(folder: string): boolean {
  return readdirSync(folder).every((name) => name.startsWith(RUN_FILES.lock));
}

/** A name as a folder name. */
function slugOf(name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return slug === "" ? "run" : slug;
}
