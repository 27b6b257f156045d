import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { buildCorpus } from "../../core/corpus/writer.ts";
import { createEvidenceMatcher } from "../../core/evidence/matcher.ts";
import type { DocumentId, NodeId } from "../../core/ids.ts";
import type { EvidenceSet, EvidenceUnit } from "../../core/question.ts";
import type { ReadItem } from "../../core/trace.ts";
import { judgeContext, question, record } from "../../tests/support/judge-case.ts";
import { createEvidenceJudge } from "./evidence.ts";
import { type EvidenceInput, mergeSpans, scoreEvidence } from "./scores.ts";

/** Two filings of three pages, one node of 100 characters a page: `f_0001` is page 0 of filing f. */
let folder: string;
let corpus: Corpus;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "evidence-scores-"));
  corpus = await buildCorpus(
    { corporaFolder: folder, dataset: "toy", singleTree: false },
    (sink) => {
      for (const id of ["f", "g"]) {
        sink.document({ id, title: id, pageCount: 3 });
        const children = [0, 1, 2].map((page) => ({
          title: `${id} page ${page}`,
          text: Array.from({ length: 20 }, (_, i) => `${id}${page}${i + 10} `).join(""),
          pageSpans: [{ page, start: 0, end: 100 }],
        }));
        sink.tree({ title: id, documentId: id, children });
      }
    },
  );
});
afterAll(() => {
  corpus.close();
  rmSync(folder, { recursive: true, force: true });
});

const page = (documentId: string, number: number): EvidenceUnit => ({
  kind: "page",
  documentId: documentId as DocumentId,
  page: number,
});
const set = (...units: EvidenceUnit[]): EvidenceSet => ({ units });

/** A node read from `start` to `end`; tokens = characters / 10. */
function read(nodeId: string, start = 0, end = 100, kind: ReadItem["kind"] = "node"): ReadItem {
  return {
    kind,
    id: `${nodeId}:${start}`,
    documentId: nodeId.slice(0, 1) as DocumentId,
    spans: [{ nodeId: nodeId as NodeId, start, end }],
    tokens: (end - start) / 10,
  };
}

function score(input: Partial<EvidenceInput>) {
  const all: EvidenceInput = { reads: [], shownNodes: [], sets: [], ...input };
  return scoreEvidence(corpus, createEvidenceMatcher(corpus), all)!;
}

describe("scoreEvidence, worked on paper", () => {
  it("counts hitting items for precision and covered units for recall", () => {
    // Gold: pages 1 and 2 of f. Read: page 1 of f, page 0 of f, page 1 of g.
    const {
      own,
      document,
      page: pages,
    } = score({
      reads: [read("f_0002"), read("f_0001"), read("g_0002")],
      sets: [set(page("f", 1), page("f", 2))],
    });
    expect(own).toEqual({ precision: 1 / 3, recall: 1 / 2 });
    expect(pages).toEqual({ precision: 1 / 3, recall: 1 / 2 });
    // Documents read: f and g; gold document: f.
    expect(document).toEqual({ precision: 1 / 2, recall: 1 });
  });

  it("counts chunks as items and their nodes at node level", () => {
    const { own, chunk, node } = score({
      reads: [
        read("f_0001", 0, 50, "chunk"),
        read("f_0001", 50, 100, "chunk"),
        read("f_0002", 0, 50, "chunk"),
      ],
      sets: [set(page("f", 0))],
    });
    expect(own.precision).toBeCloseTo(2 / 3, 12);
    expect(chunk).toEqual(own);
    expect(node.precision).toBe(1 / 2);
  });

  it("has no chunk level for methods that read nodes", () => {
    expect(
      score({ reads: [read("f_0001")], sets: [set(page("f", 0))] }).chunk.precision,
    ).toBeNull();
  });

  it("is 0 and 0 when nothing was read", () => {
    expect(score({ sets: [set(page("f", 0))] }).own).toEqual({ precision: 0, recall: 0 });
  });

  it("takes the annotator with the best recall, and that one's precision (A12)", () => {
    const first = { annotator: "a", units: [page("f", 0), page("f", 1)] };
    const second = { annotator: "b", units: [page("g", 0)] };
    const result = score({
      reads: [read("f_0001"), read("g_0001"), read("g_0003")],
      sets: [first, second],
    });
    expect(result.annotator).toBe("b");
    expect(result.own).toEqual({ precision: 1 / 3, recall: 1 });
  });

  it("tells shown from read and finds gold in the sub-forest", () => {
    const result = score({
      reads: [read("f_0001")],
      shownNodes: ["f_0000", "f_0001", "f_0002"],
      retrievedNodes: ["f_0001", "f_0003"],
      sets: [set(page("f", 0), page("f", 1), page("f", 2))],
    });
    expect(result.shownRecall).toBeCloseTo(2 / 3, 12);
    expect(result.units.map(({ read: r, shown, retrieved }) => [r, shown, retrieved])).toEqual([
      [true, true, true],
      [false, true, false],
      [false, false, true],
    ]);
    expect(score({ reads: [read("f_0001")], sets: [set(page("f", 0))] }).shownRecall).toBeNull();
  });

  it("measures read efficiency in tokens", () => {
    // 10 gold tokens among 30 read; half a gold node counts half.
    const sets = [set(page("f", 0))];
    expect(
      score({ reads: [read("f_0001"), read("f_0002"), read("g_0001")], sets }).readEfficiency,
    ).toBeCloseTo(1 / 3, 12);
    expect(
      score({ reads: [read("f_0001", 50, 100), read("f_0002")], sets }).readEfficiency,
    ).toBeCloseTo(5 / 15, 12);
    expect(score({ sets }).readEfficiency).toBeNull();
  });

  it("leaves out gold that lies nowhere, and says so", () => {
    const result = score({ reads: [read("f_0001")], sets: [set(page("f", 0), page("f", 9))] });
    expect(result).toMatchObject({ unresolved: 1, own: { recall: 1 } });
    expect(score({ sets: [set(page("x", 0))] })).toBeUndefined();
  });

  it("joins a paragraph out of two chunks that each hold half of it", () => {
    const text = corpus.text(corpus.findNode("f_0002")!);
    const paragraph: EvidenceUnit = {
      kind: "paragraph",
      documentId: "f" as DocumentId,
      text: text.slice(15, 84),
    };
    const half = (start: number, end: number) => read("f_0002", start, end, "chunk");
    const sets = [set(paragraph)];
    expect(score({ reads: [half(0, 50)], sets }).own.recall).toBe(0);
    expect(score({ reads: [half(0, 50), half(50, 100)], sets }).own.recall).toBe(1);
  });
});

describe("scoreEvidence", () => {
  it("never loses recall by reading more, and stays within 0 and 1", () => {
    const nodes = ["f_0001", "f_0002", "f_0003", "g_0001", "g_0002", "g_0003"];
    const units = [page("f", 0), page("f", 2), page("g", 1)];
    fc.assert(
      fc.property(
        fc.subarray(nodes),
        fc.subarray(nodes),
        fc.subarray(units, { minLength: 1 }),
        (a, b, gold) => {
          const sets = [set(...gold)];
          const some = score({ reads: a.map((id) => read(id)), sets });
          const more = score({ reads: [...new Set([...a, ...b])].map((id) => read(id)), sets });
          for (const level of ["own", "node", "page", "document"] as const) {
            expect(more[level].recall!).toBeGreaterThanOrEqual(some[level].recall!);
            expect(more[level].precision!).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it("merges overlapping spans", () => {
    const span = (start: number, end: number) => ({ nodeId: "n" as NodeId, start, end });
    expect(mergeSpans([span(5, 9), span(0, 3), span(2, 6)])).toEqual([span(0, 9)]);
  });
});

describe("evidence judge", () => {
  const judge = createEvidenceJudge();
  const asked = question("q1", { evidence: [set(page("f", 0), page("f", 1))] });

  it("gives the question's own F1 beside precision and recall", async () => {
    const reads = [read("f_0001"), read("g_0001"), read("g_0002"), read("g_0003")];
    const { value } = await judge.judge(asked, record("x", { reads }), judgeContext({ corpus }));
    // P 1/4, R 1/2 -> 2 x 1/8 / (3/4)
    expect(value).toMatchObject({ kind: "scores", scores: { precision: 0.25, recall: 0.5 } });
    expect(value.kind === "scores" && value.scores.f1).toBeCloseTo(1 / 3, 12);
  });

  it("is unscored without gold, for methods whose reads do not count, and after an error", async () => {
    const value = async (given = asked, more = {}, outcome: "answered" | "error" = "answered") =>
      (await judge.judge(given, record("x", { outcome }), judgeContext({ corpus, ...more }))).value;
    expect(await value(question("q2"))).toEqual({ kind: "unscored", reason: "no_gold" });
    expect(await value(asked, { scoredReads: false })).toEqual({
      kind: "unscored",
      reason: "not_applicable",
    });
    expect(await value(asked, {}, "error")).toEqual({ kind: "unscored", reason: "no_answer" });
  });

  it("learns from the trace what was retrieved", async () => {
    const chunks = ["f_0002#0", "f_0002#1"] as never;
    const event = {
      atMs: 0,
      type: "retrieved" as const,
      query: "q",
      mode: "hybrid",
      chunks,
      durationMs: 1,
    };
    const trace = () => ({ schema: "ritbench.trace/1" as const, key: "k", events: [event] });
    const { details } = await judge.judge(asked, record("x"), judgeContext({ corpus, trace }));
    expect(details).toMatchObject({ units: [{ retrieved: false }, { retrieved: true }] });
    // A chunk that was read and misses the paragraph does not vouch for the rest of its node.
    const evidence = [
      set({
        kind: "paragraph",
        documentId: "f" as DocumentId,
        text: corpus.text(corpus.findNode("f_0002")!).slice(50),
      }),
    ];
    const missing = { ...read("f_0002", 0, 20, "chunk"), id: "f_0002#0" };
    const one = () => ({ ...trace(), events: [{ ...event, chunks: ["f_0002#0"] as never }] });
    const again = await judge.judge(
      { ...asked, evidence },
      record("x", { reads: [missing] }),
      judgeContext({ corpus, trace: one }),
    );
    expect(again.details).toMatchObject({ units: [{ read: false, retrieved: false }] });
  });
});
