import { createHash } from "node:crypto";
import { copyFile, mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import pLimit from "p-limit";
import type { Dataset, FetchFile } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import { type FileFacts, fileFacts, mismatch, type Wanted } from "./checksums.ts";
import { type DownloadOptions, discardPart, download } from "./download.ts";
import { withFolderLock } from "./folder-lock.ts";
import { type LockFile, openLockFile } from "./lock-file.ts";
import { unpackMembers } from "./unpack.ts";

export interface FetchOptions {
  dataset: Dataset;
  /** The data set's own folder, where its files go. */
  folder: string;
  /** Folder of official files at hand, by their path or bare name; then nothing is asked of the network. */
  from?: string;
  /** No request at all: what is absent is an error. */
  offline?: boolean;
  /** Address asked instead of the sources: `<mirror>/<host>/<path>`. */
  mirror?: string;
  signal: AbortSignal;
  progress(message: string): void;
  wait?: DownloadOptions["wait"];
}

export interface FetchReport {
  /** How each file came: `kept` = it was there already. */
  files: { path: string; bytes: number; sha256: string; how: "kept" | "downloaded" | "copied" }[];
  /** Paths that `from` does not hold. */
  missing: string[];
  /** HTTP requests made. */
  requests: number;
}

const CONCURRENT_DOWNLOADS = 4;
/** Unfinished downloads and unpacking, below the data set's folder. */
const WORK_FOLDER = ".fetch";

/**
 * Brings a data set's official files. Each is checked against its pinned checksum, or against that of its first
 * download (`fetch.lock.json`), before it appears under its name; files that are there and right are kept without
 * a request. Fetches into one folder wait for each other; a broken download goes on where it stopped.
 *
 * @throws RitbenchError E_FETCH_UNRELEASED, E_FETCH_CHECKSUM, E_FETCH_STATUS, E_FETCH_NETWORK, E_FETCH_ARCHIVE,
 * E_FETCH_LOCK; E_DATA_MISSING offline, or when `from` holds none of the files
 */
export async function fetchDataset(options: FetchOptions): Promise<FetchReport> {
  const { dataset, folder } = options;
  if (dataset.fetchFiles.length === 0) {
    throw new RitbenchError("E_FETCH_UNRELEASED", `${dataset.title} cannot be fetched`, {
      where: dataset.name,
      next:
        dataset.unreleased ?? "bring your documents with `ritbench data import <folder> --name X`",
    });
  }
  return withFolderLock(folder, options, async () => {
    const lock = await openLockFile(folder);
    const report: FetchReport = { files: [], missing: [], requests: 0 };
    const limit = pLimit(CONCURRENT_DOWNLOADS);
    const stop = new AbortController();
    const signal = AbortSignal.any([options.signal, stop.signal]);
    await allOrFirstError(
      dataset.fetchFiles.map((file) =>
        limit(() => bring(file, { ...options, signal }, lock, report)),
      ),
      stop,
    );
    await rm(join(folder, WORK_FOLDER), { recursive: true, force: true });
    if (options.from !== undefined && report.files.length === 0) {
      throw new RitbenchError("E_DATA_MISSING", "none of the official files is here", {
        where: options.from,
        expected: dataset.fetchFiles
          .map((file) => file.path)
          .slice(0, 4)
          .join(", "),
      });
    }
    const order = new Map(dataset.fetchFiles.flatMap(targetsOf).map((path, i) => [path, i]));
    report.files.sort((a, b) => order.get(a.path)! - order.get(b.path)!);
    report.missing.sort();
    return report;
  });
}

/** Waits for all; the first failure stops the others, and is thrown once they have ended. */
async function allOrFirstError(
  work: readonly Promise<void>[],
  stop: AbortController,
): Promise<void> {
  const results = await Promise.allSettled(
    work.map((item) =>
      item.catch((error) => {
        stop.abort(error);
        throw error;
      }),
    ),
  );
  if (results.some((result) => result.status === "rejected")) throw stop.signal.reason;
}

/** Files that a source ends up as: itself, or the members unpacked beside it. */
function targetsOf(file: FetchFile): string[] {
  return file.unpack?.map((member) => join(dirname(file.path), member)) ?? [file.path];
}

async function bring(
  file: FetchFile,
  options: FetchOptions,
  lock: LockFile,
  report: FetchReport,
): Promise<void> {
  options.signal.throwIfAborted();
  if (await keepWhatIsThere(file, options, lock, report)) return;
  if (options.from !== undefined) {
    const source = await findAtHand(options.from, file, options.signal);
    if (source === undefined) report.missing.push(file.path);
    else await takeIn(file, source, options, lock, report);
    return;
  }
  if (options.offline) {
    throw new RitbenchError("E_DATA_MISSING", `${file.path} is absent, and this is offline`, {
      where: join(options.folder, file.path),
      next: `ritbench data fetch ${options.dataset.name}`,
    });
  }
  await downloadAndTakeIn(file, options, lock, report);
}

/**
 * True when every target is there and right.
 *
 * @throws RitbenchError E_FETCH_CHECKSUM for a file that is there and wrong: it may hold somebody's changes
 */
async function keepWhatIsThere(
  file: FetchFile,
  { folder, signal }: FetchOptions,
  lock: LockFile,
  report: FetchReport,
): Promise<boolean> {
  const kept: FetchReport["files"] = [];
  for (const path of targetsOf(file)) {
    const facts = await fileFacts(join(folder, path), signal);
    if (facts === undefined) return false;
    const wanted = wantedOf(file, path, lock);
    // An unpacked file that nothing vouches for is brought anew.
    if (file.unpack !== undefined && wanted.sha256 === undefined) return false;
    hold(facts, wanted, join(folder, path), "move it away and run the command again");
    if (lock.get(path) === undefined) lock.set(path, entryOf(file, facts));
    kept.push({ path, bytes: facts.bytes, sha256: facts.sha256, how: "kept" });
  }
  report.files.push(...kept);
  return true;
}

function wantedOf(file: FetchFile, path: string, lock: LockFile): Wanted {
  const locked = lock.get(path);
  if (file.unpack !== undefined) return locked === undefined ? {} : { sha256: locked.sha256 };
  return {
    ...(locked !== undefined && { sha256: locked.sha256 }),
    ...(file.sha256 !== undefined && { sha256: file.sha256 }),
    ...(file.gitBlob !== undefined && { gitBlob: file.gitBlob }),
    ...(file.bytes !== undefined && { bytes: file.bytes }),
  };
}

/** Checksums of the downloaded thing itself, which may be an archive. */
function wantedSource(file: FetchFile, lock: LockFile): Wanted {
  if (file.unpack === undefined) return wantedOf(file, file.path, lock);
  const locked = lock.get(targetsOf(file)[0]!)?.archive;
  const { sha256, gitBlob, bytes } = file;
  return {
    ...locked,
    ...(sha256 !== undefined && { sha256 }),
    ...(gitBlob !== undefined && { gitBlob }),
    ...(bytes !== undefined && { bytes }),
  };
}

function hold(facts: FileFacts, wanted: Wanted, where: string, next: string): void {
  const wrong = mismatch(facts, wanted);
  if (wrong === undefined) return;
  throw new RitbenchError("E_FETCH_CHECKSUM", "a file is not what it should be", {
    where,
    ...wrong,
    next,
  });
}

async function findAtHand(
  from: string,
  file: FetchFile,
  signal: AbortSignal,
): Promise<{ path: string; facts: FileFacts } | undefined> {
  for (const name of [file.path, basename(file.path)]) {
    const path = join(from, name);
    const facts = await fileFacts(path, signal);
    if (facts !== undefined) return { path, facts };
  }
  return undefined;
}

async function downloadAndTakeIn(
  file: FetchFile,
  options: FetchOptions,
  lock: LockFile,
  report: FetchReport,
): Promise<void> {
  const { folder, signal, progress, mirror, wait } = options;
  const url = mirror === undefined ? file.url : mirrored(mirror, file.url);
  const partName = createHash("sha256").update(file.url).digest("hex").slice(0, 24);
  const partPath = join(folder, WORK_FOLDER, `${partName}.part`);
  const wanted = wantedSource(file, lock);
  const willBeChecked = wanted.sha256 !== undefined || wanted.gitBlob !== undefined;
  for (let clean = false; ; clean = true) {
    progress(`fetching ${file.path}`);
    const { requests, resumed } = await download({
      url,
      partPath,
      willBeChecked,
      signal,
      progress,
      ...(wait !== undefined && { wait }),
    });
    report.requests += requests;
    const facts = (await fileFacts(partPath, signal))!;
    if (mismatch(facts, wanted) !== undefined) {
      await discardPart(partPath);
      // A continued file may be wrong because the source changed in between: once more from the start.
      if (resumed && !clean) continue;
      hold(facts, wanted, url, "the source has changed or was tampered with; nothing was kept");
    }
    await takeIn(file, { path: partPath, facts }, options, lock, report);
    await discardPart(partPath);
    return;
  }
}

/** Checks a file at hand and puts it, or its members, in place. */
async function takeIn(
  file: FetchFile,
  source: { path: string; facts: FileFacts },
  options: FetchOptions,
  lock: LockFile,
  report: FetchReport,
): Promise<void> {
  const { folder, signal, from } = options;
  hold(source.facts, wantedSource(file, lock), source.path, "take the official file");
  const how = from === undefined ? "downloaded" : "copied";
  const work = join(folder, WORK_FOLDER, createHash("sha256").update(file.path).digest("hex"));
  await mkdir(work, { recursive: true });
  if (file.unpack !== undefined) await unpackMembers(source.path, file.unpack, work, signal);
  else {
    const move = from === undefined ? rename : copyFile;
    await move(source.path, join(work, basename(file.path)));
  }
  for (const path of targetsOf(file)) {
    const made = join(work, basename(path));
    const facts = (await fileFacts(made, signal))!;
    hold(facts, wantedOf(file, path, lock), made, "the source has changed; nothing was kept");
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await rename(made, join(folder, path));
    lock.set(path, entryOf(file, facts, source.facts));
    report.files.push({ path, bytes: facts.bytes, sha256: facts.sha256, how });
  }
}

function entryOf(file: FetchFile, facts: FileFacts, source?: FileFacts) {
  const { bytes, sha256 } = facts;
  const archive =
    file.unpack === undefined || source === undefined
      ? undefined
      : { bytes: source.bytes, sha256: source.sha256 };
  return { url: file.url, bytes, sha256, ...(archive !== undefined && { archive }) };
}

function mirrored(mirror: string, url: string): string {
  const { host, pathname } = new URL(url);
  return `${mirror.replace(/\/+$/, "")}/${host}${pathname}`;
}
