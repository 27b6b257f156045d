import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { messageOf, RitbenchError } from "../../core/errors.ts";
import { readJsonl } from "../parsing/jsonl.ts";
import { GOLD_FILE, guessedPapers, isGuessedRecord } from "./guessed.ts";
import { type Paper, paperOf } from "./paper.ts";

export const SPLITS = ["train", "dev", "test"] as const;
export type Split = (typeof SPLITS)[number];

/** A file of papers; `guessed` = text whose section bounds were recovered from a flat source. */
export interface PaperFile {
  /** Relative to the data set's folder. */
  path: string;
  split: Split;
  kind: "complete" | "guessed";
  /** Further files it is read with. */
  companions: readonly string[];
}

const SPLIT_NAME = /(?:^|[^a-z])(train|dev|validation|test)(?:[^a-z]|$)/i;

/**
 * Files of papers in a folder, in the order train, dev, test and then by name. A file counts when its name holds
 * its split and it carries full texts; lists of questions or answers alone do not.
 */
export async function findPaperFiles(folder: string, signal: AbortSignal): Promise<PaperFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
  const files: PaperFile[] = [];
  for (const path of names.sort()) {
    const split = splitOf(path);
    if (split === undefined) continue;
    if (path.endsWith(".json")) files.push({ path, split, kind: "complete", companions: [] });
    if (!/\.jsonl(\.gz)?$/.test(path)) continue;
    const kind = await kindOf(join(folder, path), signal);
    if (kind === undefined) continue;
    const companions = kind === "guessed" ? names.filter((name) => name === GOLD_FILE) : [];
    files.push({ path, split, kind, companions });
  }
  return files.sort((a, b) => SPLITS.indexOf(a.split) - SPLITS.indexOf(b.split));
}

function splitOf(name: string): Split | undefined {
  const found = SPLIT_NAME.exec(name)?.[1]?.toLowerCase();
  return found === "validation" ? "dev" : (found as Split | undefined);
}

async function kindOf(path: string, signal: AbortSignal): Promise<PaperFile["kind"] | undefined> {
  for await (const { value } of readJsonl(path, z.looseObject({}), signal)) {
    if ("full_text" in value) return "complete";
    return isGuessedRecord(value) ? "guessed" : undefined;
  }
  return undefined;
}

/**
 * Papers of a file, one after another. JSON Lines are streamed; a `.json` file of the original layout (30 MB at
 * most in the official release) is parsed whole.
 */
export async function* readPapers(
  folder: string,
  file: PaperFile,
  signal: AbortSignal,
): AsyncGenerator<Paper> {
  const path = join(folder, file.path);
  if (file.kind === "guessed") {
    yield* guessedPapers(path, file.companions.map((name) => join(folder, name))[0], signal);
    return;
  }
  if (!path.endsWith(".json")) {
    for await (const { value, line } of readJsonl(path, z.unknown(), signal)) {
      yield paperOf(value, `${path}:${line}`);
    }
    return;
  }
  const content = await readJsonFile(path, signal);
  if (Array.isArray(content)) {
    for (const [i, record] of content.entries()) yield paperOf(record, `${path} record ${i}`);
    return;
  }
  for (const [id, record] of Object.entries(content)) yield paperOf(record, `${path} ${id}`, id);
}

async function readJsonFile(
  path: string,
  signal: AbortSignal,
): Promise<unknown[] | Record<string, unknown>> {
  const text = await readFile(path, { encoding: "utf8", signal });
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    throw new RitbenchError("E_DATA_FORMAT", "a file of papers is not JSON", {
      where: path,
      got: messageOf(cause),
      next: "fetch it again with `ritbench data fetch qasper`",
      cause,
    });
  }
  if (typeof content === "object" && content !== null) {
    return content as unknown[] | Record<string, unknown>;
  }
  throw new RitbenchError("E_DATA_FORMAT", "a file of papers holds no papers", {
    where: path,
    expected: "an object with a paper for each arXiv id, or a list of papers",
    got: typeof content,
  });
}
