import type { PDFDocument, PDFRef } from "pdf-lib";
import { PDFHexString, PDFName, PDFNull, PDFNumber } from "pdf-lib";

/** An entry of a PDF outline; the page is 0-based. */
export interface OutlineEntry {
  level: number;
  title: string;
  page: number;
}

interface OutlineNode {
  entry: OutlineEntry;
  children: OutlineNode[];
}

/** Adds a nested outline to a document: an entry lies under the nearest entry of a lower level before it. */
export function addOutline(document: PDFDocument, entries: readonly OutlineEntry[]): void {
  if (entries.length === 0) return;
  const roots: OutlineNode[] = [];
  const open: OutlineNode[] = [];
  for (const entry of entries) {
    while ((open.at(-1)?.entry.level ?? 0) >= entry.level) open.pop();
    const node: OutlineNode = { entry, children: [] };
    (open.at(-1)?.children ?? roots).push(node);
    open.push(node);
  }
  const root = document.context.nextRef();
  const ends = writeSiblings(document, roots, root);
  document.context.assign(
    root,
    document.context.obj({
      Type: "Outlines",
      First: ends.first,
      Last: ends.last,
      Count: entries.length,
    }),
  );
  document.catalog.set(PDFName.of("Outlines"), root);
}

function writeSiblings(
  document: PDFDocument,
  nodes: readonly OutlineNode[],
  parent: PDFRef,
): { first: PDFRef; last: PDFRef } {
  const refs = nodes.map(() => document.context.nextRef());
  nodes.forEach((node, index) => {
    const ref = refs[index] as PDFRef;
    const page = document.getPage(node.entry.page).ref;
    const dict = document.context.obj({
      Title: PDFHexString.fromText(node.entry.title),
      Parent: parent,
      Dest: [page, PDFName.of("XYZ"), PDFNull, PDFNull, PDFNull],
    });
    const previous = refs[index - 1];
    const next = refs[index + 1];
    if (previous) dict.set(PDFName.of("Prev"), previous);
    if (next) dict.set(PDFName.of("Next"), next);
    if (node.children.length > 0) {
      const ends = writeSiblings(document, node.children, ref);
      dict.set(PDFName.of("First"), ends.first);
      dict.set(PDFName.of("Last"), ends.last);
      dict.set(PDFName.of("Count"), PDFNumber.of(countBelow(node)));
    }
    document.context.assign(ref, dict);
  });
  return { first: refs[0] as PDFRef, last: refs.at(-1) as PDFRef };
}

function countBelow(node: OutlineNode): number {
  return node.children.reduce((sum, child) => sum + 1 + countBelow(child), 0);
}
