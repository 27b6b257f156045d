import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import type { DatasetContext } from "../../core/dataset.ts";
import { formatError, RitbenchError } from "../../core/errors.ts";
import { assignPageText, type PageShare } from "../../core/forest/page-ownership.ts";
import { type PageRangeTree, rangesFromStarts } from "../../core/forest/page-ranges.ts";
import { parsePageIndexTree } from "./pageindex-tree.ts";
import { readPdfOutline } from "./pdf.ts";

/** An outline with fewer entries says too little of a document to be its tree. */
export const MIN_OUTLINE_ENTRIES = 10;

export type PageTreeKind = "pageindex" | "outline" | "pages";

/** Files a paged document's tree may come from, relative to the data set's folder. */
export interface PageTreeFiles {
  pdf?: string;
  /** Ready-made PageIndex tree. */
  tree?: string;
}

export interface PageTreeSource {
  kind: PageTreeKind;
  /** Nodes with page ranges (`outline`: start pages only); none for `pages`. */
  trees: PageRangeTree[];
  /** What a PageIndex tree says of the document as a whole. */
  description?: string;
}

/**
 * What a paged document's tree is made from: a ready-made PageIndex tree, else a PDF outline of at least 10
 * entries, else its pages. Files that cannot be used are passed over, with a sentence in `faults`.
 */
export async function pageTreeSource(
  files: PageTreeFiles,
  context: DatasetContext,
  faults: string[],
): Promise<PageTreeSource> {
  if (files.tree !== undefined) {
    const path = join(context.folder, files.tree);
    try {
      const source = parsePageIndexTree(await readFile(path, "utf8"), path);
      if (source.trees.length > 0) return { kind: "pageindex", ...source };
      faults.push(`${files.tree} holds no nodes and was passed over`);
    } catch (error) {
      if (!(error instanceof RitbenchError)) throw error;
      const reason = formatError(error).replaceAll(/\n +/g, "; ");
      faults.push(`${files.tree} was passed over (${reason})`);
    }
  }
  if (files.pdf !== undefined) {
    const { value, fault } = await readPdfOutline(join(context.folder, files.pdf), context);
    if (value !== undefined && value.entries >= MIN_OUTLINE_ENTRIES) {
      return { kind: "outline", trees: value.trees };
    }
    if (fault !== undefined) faults.push(`${files.pdf} ${fault}`);
  }
  return { kind: "pages", trees: [] };
}

export interface PagedDocument {
  kind: PageTreeKind;
  tree: DocumentTree;
  share: PageShare;
}

/** The document's tree with the text of its pages, each piece in one node (A30). */
export async function pagedDocument(
  title: string,
  pages: readonly string[],
  files: PageTreeFiles,
  context: DatasetContext,
  faults: string[],
): Promise<PagedDocument> {
  const { kind, trees, description } = await pageTreeSource(files, context, faults);
  const ranged = kind === "outline" ? rangesFromStarts(trees, pages.length) : trees;
  const { children, share } = assignPageText(pages, ranged);
  const metadata = description === undefined ? {} : { metadata: { summary: description } };
  return { kind, tree: { title, children, ...metadata }, share };
}
