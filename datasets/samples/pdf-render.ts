import type { PDFFont, PDFPage } from "pdf-lib";
import { PDFDocument, StandardFonts } from "pdf-lib";
import type { OutlineEntry } from "./pdf-outline.ts";
import { addOutline } from "./pdf-outline.ts";
import type { Block, PdfSource } from "./pdf-source.ts";

const pageSize: [number, number] = [612, 792];
const margin = 64;
const textWidth = pageSize[0] - 2 * margin;
const firstColumnWidth = 270;
const bodySize = 10.5;
/** Every sample PDF carries this date, so that the same source gives the same bytes. */
const fixedDate = new Date("2024-01-01T00:00:00Z");

interface Fonts {
  body: PDFFont;
  bold: PDFFont;
}

/**
 * Renders a text source as a PDF with the standard fonts. The same source always gives the same bytes.
 * Throws when a page's text does not fit on one physical page, or holds a character outside WinAnsi.
 */
export async function renderPdf(source: PdfSource): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(source.title);
  document.setProducer("ritbench sample writer");
  document.setCreationDate(fixedDate);
  document.setModificationDate(fixedDate);
  const fonts: Fonts = {
    body: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  const entries: OutlineEntry[] = [];
  source.pages.forEach((blocks, index) => {
    const page = document.addPage(pageSize);
    if (blocks.length === 0) return;
    drawPage(page, blocks, source.header, index + 1, fonts);
    for (const block of blocks) {
      if (block.kind !== "heading" || source.outline === "none") continue;
      if (source.outline === "top" && block.level > 1) continue;
      entries.push({ level: block.level, title: block.outlineTitle, page: index });
    }
  });
  addOutline(document, entries);
  return document.save({ updateFieldAppearances: false });
}

function drawPage(
  page: PDFPage,
  blocks: readonly Block[],
  header: string | undefined,
  pageNumber: number,
  fonts: Fonts,
): void {
  if (header !== undefined)
    page.drawText(header, { x: margin, y: pageSize[1] - 40, size: 8, font: fonts.body });
  let y = pageSize[1] - 76;
  const line = (text: string, size: number, font: PDFFont) => {
    page.drawText(text, { x: margin, y, size, font });
    y -= size * 1.35;
  };
  for (const block of blocks) {
    if (block.kind === "table") {
      for (const row of block.rows) {
        drawRow(page, row, y, fonts.body);
        y -= bodySize * 1.5;
      }
    } else {
      const size = block.kind === "heading" ? 17 - 2 * block.level : bodySize;
      const font = block.kind === "heading" ? fonts.bold : fonts.body;
      for (const text of wrap(block.text, font, size)) line(text, size, font);
    }
    y -= 7;
  }
  if (y < 60) throw new Error(`page ${pageNumber} holds more text than fits`);
  page.drawText(`${pageNumber}`, { x: pageSize[0] / 2, y: 40, size: 8, font: fonts.body });
}

function drawRow(page: PDFPage, row: readonly string[], y: number, font: PDFFont): void {
  const columnWidth = (textWidth - firstColumnWidth) / Math.max(1, row.length - 1);
  row.forEach((cell, column) => {
    if (cell === "") return;
    const right = margin + firstColumnWidth + column * columnWidth;
    const x = column === 0 ? margin : right - font.widthOfTextAtSize(cell, bodySize);
    page.drawText(cell, { x, y, size: bodySize, font });
  });
}

function wrap(text: string, font: PDFFont, size: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of text.split(/\s+/)) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (font.widthOfTextAtSize(longer, size) <= textWidth) {
      current = longer;
    } else {
      lines.push(current);
      current = word;
    }
  }
  lines.push(current);
  return lines;
}
