import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../corpus/corpus.ts";
import { buildCorpus } from "../corpus/writer.ts";
import type { DocumentId, NodeId } from "../ids.ts";
import type { EvidenceUnit } from "../question.ts";
import { createEvidenceMatcher, type EvidenceMatcher, type ReadExtent } from "./matcher.ts";

const paragraph = "Alpha beta, gamma delta epsilon. Zeta eta theta iota kappa!";
let folder: string;
let corpus: Corpus;
let matcher: EvidenceMatcher;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "evidence-"));
  corpus = await buildCorpus(
    { corporaFolder: folder, dataset: "toy", singleTree: false },
    (sink) => {
      sink.document({ id: "f", title: "Filing", pageCount: 4 });
      sink.tree({
        title: "Filing",
        documentId: "f",
        children: [
          // Page 1 has two owners: its head belongs to the first node, its tail to the second.
          {
            title: "One",
            text: "page0\nhead1",
            pageSpans: [
              { page: 0, start: 0, end: 5 },
              { page: 1, start: 6, end: 11 },
            ],
          },
          { title: "Two", text: "tail1", pageSpans: [{ page: 1, start: 0, end: 5 }] },
        ],
      });
      sink.tree({
        title: "Paper",
        documentId: "p",
        text: `Intro words here. ${paragraph} Closing words follow after it.`,
      });
    },
  );
  matcher = createEvidenceMatcher(corpus);
});
afterAll(() => {
  corpus.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (number: number, documentId = "f"): EvidenceUnit => ({
  kind: "page",
  documentId: documentId as DocumentId,
  page: number,
});
const read = (nodeId: string, start: number, end: number): ReadExtent => ({
  documentId: nodeId.slice(0, 1) as DocumentId,
  spans: [{ nodeId: nodeId as NodeId, start, end }],
});
const gold: EvidenceUnit = { kind: "paragraph", documentId: "p" as DocumentId, text: paragraph };

describe("createEvidenceMatcher", () => {
  it("finds a page's pieces in all nodes that own some of it", () => {
    expect(matcher.resolve(page(1))).toEqual({
      resolved: true,
      documentId: "f",
      spans: [
        { nodeId: "f_0001", start: 6, end: 11 },
        { nodeId: "f_0002", start: 0, end: 5 },
      ],
    });
  });

  it("counts any text of a page, and only text of that page", () => {
    expect(matcher.covers(read("f_0001", 0, 11), page(1))).toBe(true);
    expect(matcher.covers(read("f_0001", 0, 6), page(1))).toBe(false);
    expect(matcher.covers(read("f_0002", 4, 5), page(1))).toBe(true);
    expect(matcher.covers(read("f_0002", 0, 5), page(0))).toBe(false);
    const pageItem = { ...read("f_0001", 6, 11), page: 1 };
    expect(matcher.covers(pageItem, page(1))).toBe(true);
    expect(matcher.covers(pageItem, page(0))).toBe(false);
  });

  it("says why a unit does not resolve", () => {
    const reason = (unit: EvidenceUnit) => {
      const resolution = matcher.resolve(unit);
      return resolution.resolved ? "resolved" : resolution.reason;
    };
    expect(reason(page(3))).toBe("no_text");
    expect(reason(page(4))).toBe("page_outside");
    expect(reason(page(-1))).toBe("page_outside");
    expect(reason(page(0, "x"))).toBe("document_missing");
    expect(reason({ kind: "node", nodeId: "f_0000" as NodeId })).toBe("no_text");
    expect(reason({ kind: "node", nodeId: "f_0009" as NodeId })).toBe("node_missing");
    expect(reason({ ...gold, text: "quite other words than those" })).toBe("text_not_found");
    expect(reason(gold)).toBe("resolved");
  });

  it("hits a paragraph with 80% of it, or from within it, and not with less", () => {
    const start = corpus.text(3 as never).indexOf(paragraph);
    const length = paragraph.length - 1; // The closing mark is no word.
    const most = start + Math.ceil(0.8 * length);
    expect(matcher.covers(read("p_0000", 0, 500), gold)).toBe(true);
    expect(matcher.covers(read("p_0000", 0, most), gold)).toBe(true);
    expect(matcher.covers(read("p_0000", 0, most - 1), gold)).toBe(false);
    expect(matcher.covers(read("p_0000", start + 5, start + 10), gold)).toBe(true);
    expect(matcher.covers(read("p_0000", start + length, 500), gold)).toBe(false);
  });

  it("finds a paragraph by 80% of its words where the text differs", () => {
    const blurred = "ALPHA  beta gamma delta epsilon zeta ETA theta changed altered";
    expect(matcher.resolve({ ...gold, text: blurred }).resolved).toBe(true);
    const tooFar = "alpha beta gamma delta epsilon zeta eta other changed altered";
    expect(matcher.resolve({ ...gold, text: tooFar }).resolved).toBe(false);
  });

  it("matches documents and nodes by their ids", () => {
    const item = read("f_0002", 0, 5);
    expect(matcher.covers(item, { kind: "document", documentId: "f" as DocumentId })).toBe(true);
    expect(matcher.covers(item, { kind: "document", documentId: "p" as DocumentId })).toBe(false);
    expect(matcher.covers(item, { kind: "node", nodeId: "f_0002" as NodeId })).toBe(true);
    expect(matcher.covers(item, { kind: "node", nodeId: "f_0001" as NodeId })).toBe(false);
    expect(matcher.documentOf({ kind: "node", nodeId: "p_0000" as NodeId })).toBe("p");
  });
});
