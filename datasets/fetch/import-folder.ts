import { randomUUID } from "node:crypto";
import { constants, copyFile, mkdir, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { isFolderName } from "../registry.ts";

export interface ImportOptions {
  /** Folder of own documents. */
  from: string;
  /** Where data sets lie; the copy becomes `<dataFolder>/<name>`. */
  dataFolder: string;
  name: string;
  signal: AbortSignal;
}

export interface ImportReport {
  folder: string;
  files: number;
  bytes: number;
  /** Links and hidden files, which are not copied. */
  skipped: string[];
}

/**
 * Copies a folder of documents into the data folder under a name. The copy appears whole or not at all.
 *
 * @throws RitbenchError E_IMPORT_NAME, E_IMPORT_EXISTS, E_IMPORT_SOURCE (absent, empty, or overlapping the data folder)
 */
export async function importFolder(options: ImportOptions): Promise<ImportReport> {
  const { dataFolder, name, signal } = options;
  if (!isFolderName(name)) {
    throw new RitbenchError("E_IMPORT_NAME", "this name cannot be a data set's", {
      where: "--name",
      expected: "letters, digits, blanks, dots, hyphens and underscores",
      got: JSON.stringify(name),
    });
  }
  const from = await sourceFolder(options);
  const folder = join(dataFolder, name);
  if ((await stat(folder).catch(() => undefined)) !== undefined) {
    throw new RitbenchError("E_IMPORT_EXISTS", `there is a data set ${name} already`, {
      where: folder,
      next: "choose another --name, or remove the folder first",
    });
  }
  await mkdir(dataFolder, { recursive: true });
  const temporary = join(dataFolder, `.importing-${randomUUID()}`);
  const report: ImportReport = { folder, files: 0, bytes: 0, skipped: [] };
  try {
    await copyTree(from, temporary, "", report, signal);
    if (report.files === 0) throw sourceError(from, "it holds no files");
    await rename(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  report.skipped.sort();
  return report;
}

async function sourceFolder({ from, dataFolder }: ImportOptions): Promise<string> {
  const facts = await stat(from).catch(() => undefined);
  if (!facts?.isDirectory()) throw sourceError(from, "it is no folder");
  const source = await realpath(from);
  const target = await existingPath(resolve(dataFolder));
  const way = relative(source, target);
  if (way === "" || !(way === ".." || way.startsWith(`..${sep}`))) {
    throw sourceError(from, `it holds the data folder ${dataFolder}`);
  }
  return source;
}

/** The real path of a folder that may not exist yet. */
async function existingPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () =>
    parent === path ? path : join(await existingPath(parent), relative(parent, path)),
  );
}

function sourceError(from: string, got: string): RitbenchError {
  return new RitbenchError("E_IMPORT_SOURCE", "this folder cannot be imported", {
    where: from,
    expected: "a folder of documents outside the data folder",
    got,
  });
}

async function copyTree(
  from: string,
  to: string,
  below: string,
  report: ImportReport,
  signal: AbortSignal,
): Promise<void> {
  for (const entry of await readdir(join(from, below), { withFileTypes: true })) {
    signal.throwIfAborted();
    const path = join(below, entry.name);
    if (entry.name.startsWith(".") || !(entry.isFile() || entry.isDirectory())) {
      report.skipped.push(path);
    } else if (entry.isDirectory()) {
      await copyTree(from, to, path, report, signal);
    } else {
      await mkdir(dirname(join(to, path)), { recursive: true });
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE);
      report.files++;
      report.bytes += (await stat(join(to, path))).size;
    }
  }
}
