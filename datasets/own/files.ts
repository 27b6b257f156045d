import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { RitbenchError } from "../../core/errors.ts";

export const QUESTIONS = "questions.jsonl";
const TREE_SUFFIX = ".pageindex.json";

export type Format = "markdown" | "html" | "text" | "pdf";

const FORMATS: { readonly [extension: string]: Format } = {
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".xhtml": "html",
  ".txt": "text",
  ".text": "text",
  ".pdf": "pdf",
};

export interface OwnFile {
  /** Relative to the folder, with `/`. */
  path: string;
  /** The document's id: `documentIdOf(path)`. */
  id: string;
  format: Format;
  /** Ready-made PageIndex tree beside a PDF. */
  tree?: string;
}

export interface OwnFiles {
  /** In code-unit order of their paths. */
  documents: OwnFile[];
  /** Relative path of the question file, where there is one. */
  questions?: string;
  /** Files of formats that are not read. */
  otherFiles: number;
}

/**
 * All documents below the folder. Hidden files and folders are passed over, and so are links to folders (they may
 * lead in circles).
 *
 * @throws RitbenchError E_DATA_MISSING without the folder or without any document in it
 */
export async function findFiles(folder: string): Promise<OwnFiles> {
  const paths = (await pathsBelow(folder, "")).sort();
  const trees = new Set(paths.filter((path) => path.endsWith(TREE_SUFFIX)));
  const documents: OwnFile[] = [];
  let otherFiles = 0;
  for (const path of paths) {
    if (path === QUESTIONS || trees.has(path)) continue;
    const format = FORMATS[extname(path).toLowerCase()];
    if (format === undefined) {
      otherFiles++;
      continue;
    }
    const tree = path.slice(0, -extname(path).length) + TREE_SUFFIX;
    documents.push({
      path,
      id: documentIdOf(path),
      format,
      ...(format === "pdf" && trees.has(tree) && { tree }),
    });
  }
  if (documents.length === 0) {
    throw new RitbenchError("E_DATA_MISSING", "the folder holds no documents", {
      where: folder,
      expected: `files ending in ${Object.keys(FORMATS).join(", ")}`,
      next: "ritbench data import <folder> --name <name>",
    });
  }
  return { documents, otherFiles, ...(paths.includes(QUESTIONS) && { questions: QUESTIONS }) };
}

/**
 * A path as an id: control and formatting characters, which a file name may hold, are percent-encoded, so that an
 * id stays on one line and reads as it is written; so is a `%` that would read as such a code.
 */
export function documentIdOf(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|%(?=[0-9A-F]{2})/gu, encodeURIComponent);
}

async function pathsBelow(folder: string, below: string): Promise<string[]> {
  const entries = await readdir(join(folder, below), { withFileTypes: true }).catch((cause) => {
    throw new RitbenchError("E_DATA_MISSING", "the folder of documents cannot be read", {
      where: join(folder, below),
      next: "ritbench data import <folder> --name <name>",
      cause,
    });
  });
  const nested = entries
    .filter((entry) => !entry.name.startsWith("."))
    .map(async (entry) => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return pathsBelow(folder, path);
      // Of links, those to files count; pipes and sockets would block a reader.
      const facts = entry.isSymbolicLink()
        ? await stat(join(folder, path)).catch(() => undefined)
        : entry;
      return facts?.isFile() ? [path] : [];
    });
  return (await Promise.all(nested)).flat();
}
