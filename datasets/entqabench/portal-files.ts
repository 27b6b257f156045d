import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { RitbenchError } from "../../core/errors.ts";
import { existingFile } from "../parsing/sources.ts";
import { type Keyrefs, readKeyrefs } from "./keyrefs.ts";

/** What a portal's folder holds; paths relative to it. */
export interface PortalFiles {
  /** One page a line; undefined = the pages are files of their own. */
  records: string | undefined;
  pages: string[];
  /** Navigation files and the folder of the portal that each belongs to. */
  tocs: { path: string; base: string }[];
  keyrefs: { path: string; base: string }[];
  sitemaps: string[];
  questions: string | undefined;
}

const RECORDS = ["pages.jsonl", "pages.jsonl.gz"];
const QUESTIONS = ["questions.jsonl", "questions.jsonl.gz"];
const PAGE_FILE = /\.(?:md|markdown|html?|ya?ml)$/i;

/**
 * Lists a portal's folder. With `pages.jsonl` only the folder itself and its sub-folder `toc` are looked at, else
 * the whole tree, in the order of names.
 *
 * @throws RitbenchError E_DATA_MISSING without pages.
 */
export async function findPortalFiles(folder: string): Promise<PortalFiles> {
  const records = await existingFile(folder, RECORDS);
  const all = records === undefined ? await listTree(folder, "") : await listTwoLevels(folder);
  const files: PortalFiles = {
    records,
    pages: [],
    tocs: [],
    keyrefs: [],
    sitemaps: [],
    questions: await existingFile(folder, QUESTIONS),
  };
  for (const path of all) {
    if (/(?:^|[/.])toc\.ya?ml$/i.test(path)) files.tocs.push({ path, base: baseOf(path, "toc") });
    else if (/(?:^|[/.])keyref\.ya?ml$/i.test(path)) {
      files.keyrefs.push({ path, base: baseOf(path, "keyref") });
    } else if (/sitemap[^/]*\.xml(?:\.gz)?$/i.test(path)) files.sitemaps.push(path);
    else if (records === undefined && PAGE_FILE.test(path)) files.pages.push(path);
  }
  if (records === undefined && files.pages.length === 0) {
    throw new RitbenchError("E_DATA_MISSING", "there are no pages here", {
      where: folder,
      expected: "pages.jsonl, pages.jsonl.gz, or a folder of Markdown or HTML pages",
      next: "see datasets/entqabench/README.md for the layouts; bring a portal with `ritbench data import <folder> --name <name>`",
    });
  }
  return files;
}

/** `vpc/toc.yaml` and `toc/vpc.toc.yaml` both belong to `vpc`. */
function baseOf(path: string, kind: string): string {
  const folder = posix.dirname(path).replace(/^toc$/, ".");
  const name = posix.basename(path).replace(new RegExp(`\\.?${kind}\\.ya?ml$`, "i"), "");
  return posix.join(folder, name).replace(/^\.$/, "");
}

async function listTwoLevels(folder: string): Promise<string[]> {
  const names = await namesOf(folder, "");
  const toc = names.some((entry) => entry.isFolder && entry.path === "toc")
    ? await namesOf(folder, "toc")
    : [];
  return [...names, ...toc].flatMap((entry) => (entry.isFolder ? [] : [entry.path]));
}

async function listTree(folder: string, below: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await namesOf(folder, below)) {
    if (!entry.isFolder) paths.push(entry.path);
    else for (const path of await listTree(folder, entry.path)) paths.push(path);
  }
  return paths;
}

/** Files and folders, hidden ones and links left out, in the order of their names. */
async function namesOf(
  folder: string,
  below: string,
): Promise<{ path: string; isFolder: boolean }[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
      throw error;
    },
  );
  return entries
    .filter((entry) => !entry.name.startsWith(".") && (entry.isFile() || entry.isDirectory()))
    .map((entry) => ({ path: posix.join(below, entry.name), isFolder: entry.isDirectory() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Gives the keyword files that hold for a page: its own product's, then the portal's. */
export async function loadKeyrefs(
  folder: string,
  files: PortalFiles,
): Promise<(key: string) => Keyrefs[]> {
  const maps = new Map<string, Keyrefs>();
  for (const { path, base } of files.keyrefs) maps.set(base, await readKeyrefs(join(folder, path)));
  return (key) =>
    foldersOf(key).flatMap((base) => {
      const keyrefs = maps.get(base);
      return keyrefs === undefined ? [] : [keyrefs];
    });
}

/** Folders that hold a path, the nearest first, the portal (`""`) last. */
export function foldersOf(path: string): string[] {
  const folders: string[] = [];
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
    folders.push(path.slice(0, at));
  }
  return [...folders, ""];
}

/** Text of a nested navigation file by its portal path: at that path, or flat as `<folder>.toc.yml`. */
export async function nestedToc(
  folder: string,
  files: PortalFiles,
  path: string,
): Promise<{ text: string; where: string; path: string } | undefined> {
  const flat = posix.basename(posix.dirname(path)).toLowerCase();
  const wanted = path.toLowerCase();
  const found =
    files.tocs.find((toc) => toc.path.toLowerCase() === wanted) ??
    files.tocs.find((toc) => toc.base.toLowerCase() === flat);
  if (found === undefined) return undefined;
  const where = join(folder, found.path);
  return { text: await readFile(where, "utf8"), where, path: found.path };
}
