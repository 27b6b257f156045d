import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { getDocumentProxy } from "unpdf";
import { messageOf } from "../../core/errors.ts";
import { writeFileAtomic } from "../../core/files.ts";
import type { PageRangeTree } from "../../core/forest/page-ranges.ts";

/** Raised when the same bytes give other text or outlines, so that cached ones are passed over. */
const VERSION = 2;

export interface PdfReading<T> {
  /** Absent when the file cannot be read as a PDF. */
  value?: T;
  /** Why it cannot, or which pages were left blank. */
  fault?: string;
}

export interface PdfContext {
  /** Where text and outlines of PDFs are kept, by the hash of the file. */
  cacheFolder: string;
  signal: AbortSignal;
}

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
type OutlineEntry = Awaited<ReturnType<PdfDocument["getOutline"]>>[number];

/**
 * Text of each page, in the order of the page's content stream, one line per text line. A page that fails
 * is blank and named in `fault`; so is the reason when the file is damaged, encrypted or no PDF.
 */
export function readPdfPages(path: string, context: PdfContext): Promise<PdfReading<string[]>> {
  return cached(path, "pages", context, async (pdf) => {
    const pages: string[] = [];
    const failed: number[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      context.signal.throwIfAborted();
      try {
        const page = await pdf.getPage(number);
        const { items } = await page.getTextContent();
        pages.push(pageText(items.filter((item) => "str" in item)));
        page.cleanup();
      } catch {
        pages.push("");
        failed.push(number);
      }
    }
    return failed.length === 0
      ? { value: pages }
      : { value: pages, fault: `no text could be read from page ${failed.join(", ")}` };
  });
}

interface TextItem {
  str: string;
  dir: string;
  hasEOL: boolean;
  /** The last two numbers are x and y of the item's origin. */
  transform: number[];
}

/** Lines as the page's content stream gives them; pieces drawn out of order within a line are put from left to right. */
function pageText(items: readonly TextItem[]): string {
  let text = "";
  let line: TextItem[] = [];
  for (const item of items) {
    line.push(item);
    if (!item.hasEOL) continue;
    text += `${lineText(line)}\n`;
    line = [];
  }
  return text + lineText(line);
}

function lineText(items: readonly TextItem[]): string {
  const x = (item: TextItem): number => item.transform[4] ?? 0;
  const drawn = items.filter((item) => item.str.trim() !== "");
  const inOrder = drawn.every((item, i) => i === 0 || x(drawn[i - 1]!) <= x(item));
  if (inOrder || drawn.some((item) => item.dir !== "ltr")) {
    return items.map((item) => item.str).join("");
  }
  return [...drawn]
    .sort((a, b) => x(a) - x(b))
    .map((item) => item.str.trim())
    .join(" ");
}

/** A PDF's bookmarks as a tree over pages; `entries` counts all of them. No bookmarks give an empty tree. */
export interface PdfOutline {
  pageCount: number;
  entries: number;
  /** Start pages only (0-based; null where a bookmark leads to no page). Blanks in titles are folded. */
  trees: PageRangeTree[];
}

export function readPdfOutline(path: string, context: PdfContext): Promise<PdfReading<PdfOutline>> {
  return cached(path, "outline", context, async (pdf) => {
    let entries = 0;
    const pageOf = async (dest: OutlineEntry["dest"]): Promise<number | null> => {
      try {
        const explicit = typeof dest === "string" ? await pdf.getDestination(dest) : dest;
        const target: unknown = explicit?.[0];
        if (typeof target === "number") return target < pdf.numPages ? target : null;
        return target == null ? null : await pdf.getPageIndex(target as never);
      } catch {
        return null;
      }
    };
    const convert = async (items: readonly OutlineEntry[]): Promise<PageRangeTree[]> => {
      const trees: PageRangeTree[] = [];
      for (const item of items) {
        const title = item.title.replace(/\s+/g, " ").trim();
        const start = await pageOf(item.dest);
        const children = await convert(item.items as OutlineEntry[]);
        // A bookmark without a name is no section; what hangs below it is.
        if (title === "") trees.push(...children);
        else {
          entries++;
          trees.push({ title, start, end: null, children });
        }
      }
      return trees;
    };
    const trees = await convert((await pdf.getOutline()) ?? []);
    return { value: { pageCount: pdf.numPages, entries, trees } };
  });
}

async function cached<T>(
  path: string,
  part: string,
  { cacheFolder, signal }: PdfContext,
  read: (pdf: PdfDocument) => Promise<PdfReading<T>>,
): Promise<PdfReading<T>> {
  signal.throwIfAborted();
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    return { fault: `cannot be read (${messageOf(error)})` };
  }
  const hash = createHash("sha256").update(bytes).digest("hex");
  const file = join(cacheFolder, `${hash}.${part}.v${VERSION}.json.gz`);
  if (existsSync(file)) return JSON.parse(gunzipSync(readFileSync(file)).toString("utf8"));
  const reading = await withPdf(new Uint8Array(bytes), read, signal);
  writeFileAtomic(file, gzipSync(JSON.stringify(reading)));
  return reading;
}

async function withPdf<T>(
  bytes: Uint8Array,
  read: (pdf: PdfDocument) => Promise<PdfReading<T>>,
  signal: AbortSignal,
): Promise<PdfReading<T>> {
  let pdf: PdfDocument;
  try {
    pdf = await getDocumentProxy(bytes, { verbosity: 0 });
  } catch (error) {
    return { fault: `cannot be read as a PDF (${messageOf(error)})` };
  }
  try {
    return await read(pdf);
  } catch (error) {
    signal.throwIfAborted();
    return { fault: `cannot be read as a PDF (${messageOf(error)})` };
  } finally {
    await pdf.loadingTask.destroy();
  }
}
