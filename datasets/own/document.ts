import { readFile, stat } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import type { DocumentInput, DocumentTree } from "../../core/corpus/corpus.ts";
import type { DataFinding, DatasetContext } from "../../core/dataset.ts";
import { messageOf } from "../../core/errors.ts";
import type { PageShare } from "../../core/forest/page-ownership.ts";
import { htmlTitle, htmlTree } from "../parsing/html.ts";
import { frontMatterOf, markdownTree } from "../parsing/markdown.ts";
import { pagedDocument } from "../parsing/paged-document.ts";
import { readPdfPages } from "../parsing/pdf.ts";
import { decodeText } from "./decode.ts";
import type { OwnFile } from "./files.ts";
import { textTree } from "./text.ts";

/** Above this a file of text is left out: it would have to be held in memory whole, several times. */
const MAX_TEXT_BYTES = 128 * 2 ** 20;

export interface OwnDocument {
  document: DocumentInput;
  tree: DocumentTree;
  /** Of a PDF: how its pages found their owners. */
  share?: PageShare;
}

/** One file as a document; undefined when it cannot be read, which `findings` then says. */
export async function readDocument(
  file: OwnFile,
  context: DatasetContext,
  findings: DataFinding[],
): Promise<OwnDocument | undefined> {
  const say = (kind: DataFinding["kind"], detail: string) =>
    findings.push({ kind, subject: file.id, detail });
  if (file.format === "pdf") return readPdf(file, context, say);
  const path = join(context.folder, file.path);
  let bytes: Uint8Array;
  try {
    const facts = await stat(path);
    if (facts.size > MAX_TEXT_BYTES) {
      say("other", `is larger than ${MAX_TEXT_BYTES / 2 ** 20} MiB and was left out; split it`);
      return undefined;
    }
    bytes = await readFile(path, { signal: context.signal });
  } catch (error) {
    context.signal.throwIfAborted();
    say("other", `cannot be read and was left out (${messageOf(error)})`);
    return undefined;
  }
  const decoded = decodeText(bytes);
  if (decoded === undefined) {
    say("encoding", "is no text and was left out");
    return undefined;
  }
  if (decoded.encoding !== undefined) say("encoding", `is not UTF-8; read as ${decoded.encoding}`);
  const tree = treeOf(file, decoded.text);
  return { document: { id: file.id, title: tree.title, treeKind: file.format }, tree };
}

function treeOf({ path, format }: OwnFile, text: string): DocumentTree {
  const stem = basename(path, extname(path));
  if (format === "html") {
    return htmlTree(text, { title: htmlTitle(text) ?? stem, promoteSoleHeading: true });
  }
  if (format === "text") return textTree(text, stem);
  const { title } = frontMatterOf(text).data;
  const named = typeof title === "string" && title.trim() !== "" ? title.trim() : stem;
  return markdownTree(text, { title: named, promoteSoleHeading: true });
}

async function readPdf(
  file: OwnFile,
  context: DatasetContext,
  say: (kind: DataFinding["kind"], detail: string) => void,
): Promise<OwnDocument | undefined> {
  const { value: pages, fault } = await readPdfPages(join(context.folder, file.path), context);
  if (fault !== undefined) say("other", fault);
  if (pages === undefined) return undefined;
  const faults: string[] = [];
  const title = basename(file.path, extname(file.path));
  const files = { pdf: file.path, ...(file.tree !== undefined && { tree: file.tree }) };
  const { kind, tree, share } = await pagedDocument(title, pages, files, context, faults);
  for (const detail of faults) say("other", detail);
  for (const detail of share.repairs) say("tree_repaired", detail);
  if (kind !== "pages" && share.uncoveredPages > 0) {
    say(
      "tree_repaired",
      `${share.uncoveredPages} pages lie outside its tree and became page nodes`,
    );
  }
  return {
    document: { id: file.id, title, pageCount: pages.length, treeKind: kind },
    tree,
    share,
  };
}
