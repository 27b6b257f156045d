import { join } from "node:path";
import { z } from "zod";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import type { DatasetContext } from "../../core/dataset.ts";
import { sha256 } from "../../core/fingerprint.ts";
import type { PageShare } from "../../core/forest/page-ownership.ts";
import { readJsonl } from "../parsing/jsonl.ts";
import { type PageTreeKind, pagedDocument, pageTreeSource } from "../parsing/paged-document.ts";
import { readPdfPages } from "../parsing/pdf.ts";
import type { FilingFiles } from "./files.ts";

export interface Filing {
  name: string;
  treeKind: PageTreeKind;
  pageCount: number;
  tree: DocumentTree;
  share: PageShare;
  /** Hash of all page texts, to find filings that are there twice. */
  textHash: string;
  /** Pieces of the filing that could not be used, one sentence each. */
  faults: string[];
}

/** A filing's name and why it has no text here. */
export interface AbsentFiling {
  name: string;
  absent: string;
}

/**
 * One filing as a tree: page-text files win over the PDF's text; a ready-made PageIndex tree wins over an
 * outline of at least 10 entries, that over one node a page.
 */
export async function readFiling(
  files: FilingFiles,
  context: DatasetContext,
): Promise<Filing | AbsentFiling> {
  const faults: string[] = [];
  const pages = await pagesOf(files, context, faults);
  if (pages === undefined) return { name: files.name, absent: absence(files, faults) };
  const { kind, tree, share } = await pagedDocument(files.name, pages, files, context, faults);
  return {
    name: files.name,
    treeKind: kind,
    pageCount: pages.length,
    tree: { ...tree, documentId: files.name },
    share,
    textHash: sha256(pages.join("\f")),
    faults,
  };
}

/** Whether the filing has text and what its tree is made from, as cheaply as that can be known. */
export async function inspectFiling(
  files: FilingFiles | undefined,
  name: string,
  context: DatasetContext,
): Promise<{ treeKind: PageTreeKind } | AbsentFiling> {
  const faults: string[] = [];
  if (files === undefined) return { name, absent: absence(undefined, faults) };
  if (files.pages === undefined && (await pagesOf(files, context, faults)) === undefined) {
    return { name, absent: absence(files, faults) };
  }
  return { treeKind: (await pageTreeSource(files, context, faults)).kind };
}

function absence(files: FilingFiles | undefined, faults: readonly string[]): string {
  if (faults.length > 0) return faults.join("; ");
  return files?.tree === undefined
    ? "neither its PDF nor its page text is here"
    : "only its tree is here, neither PDF nor page text";
}

async function pagesOf(
  files: FilingFiles,
  context: DatasetContext,
  faults: string[],
): Promise<string[] | undefined> {
  if (files.pages !== undefined) return readPageFile(join(context.folder, files.pages), context);
  if (files.pdf === undefined) return undefined;
  const { value, fault } = await readPdfPages(join(context.folder, files.pdf), context);
  if (fault !== undefined) faults.push(`${files.pdf} ${fault}`);
  return value;
}

const pageRow = z.object({ page: z.int().min(0).max(99_999), text: z.string() });

async function readPageFile(path: string, { signal }: DatasetContext): Promise<string[]> {
  const pages: string[] = [];
  for await (const { value } of readJsonl(path, pageRow, signal)) pages[value.page] = value.text;
  return Array.from(pages, (text) => text ?? "");
}
