import { describe, expect, it } from "vitest";
import type { EvidenceMatcher, ReadExtent } from "../../core/evidence/matcher.ts";
import type { DocumentId } from "../../core/ids.ts";
import type { EvidenceUnit } from "../../core/question.ts";
import { meanRankingScore, scoreRanking } from "./score-ranking.ts";

/** A matcher in which a chunk covers the page unit of its own document and page; document `gone` lies nowhere. */
const matcher: EvidenceMatcher = {
  resolve: (unit) =>
    unit.kind === "page" && unit.documentId === "gone"
      ? { resolved: false, reason: "document_missing", detail: "" }
      : { resolved: true, documentId: "f" as DocumentId, spans: [] },
  covers: (item, unit) =>
    unit.kind === "page" && item.documentId === unit.documentId && item.page === unit.page,
  documentOf: (unit) => (unit.kind === "page" ? unit.documentId : undefined),
};
const chunk = (documentId: string, page: number): ReadExtent => ({
  documentId: documentId as DocumentId,
  page,
  spans: [],
});
const page = (documentId: string, number: number): EvidenceUnit => ({
  kind: "page",
  documentId: documentId as DocumentId,
  page: number,
});

describe("scoreRanking", () => {
  const ranking = [chunk("f", 9), chunk("f", 0), chunk("g", 0), chunk("f", 1)];

  it("scores every cut", () => {
    const sets = [{ units: [page("f", 0), page("f", 1)] }];
    const scores = scoreRanking(matcher, ranking, sets, [1, 2, 4])!;
    expect(
      scores.map(({ k, precision, recall, documentHit }) => [k, precision, recall, documentHit]),
    ).toEqual([
      [1, 0, 0, true],
      [2, 1 / 2, 1 / 2, true],
      [4, 1 / 2, 1, true],
    ]);
  });

  it("takes the annotator that is met best at the cut", () => {
    const sets = [{ units: [page("f", 1)] }, { units: [page("f", 0), page("g", 5)] }];
    const scores = scoreRanking(matcher, ranking, sets, [2, 4])!;
    expect(scores.map(({ recall }) => recall)).toEqual([1 / 2, 1]);
  });

  it("has nothing to say where no gold unit lies in the corpus", () => {
    expect(scoreRanking(matcher, ranking, [{ units: [page("gone", 0)] }], [5])).toBeUndefined();
    expect(scoreRanking(matcher, ranking, [], [5])).toBeUndefined();
  });

  it("averages questions, and has no mean without one", () => {
    const at = (recall: number, documentHit: boolean) => ({
      k: 5,
      precision: 0,
      recall,
      reciprocalRank: 1,
      ndcg: 0.5,
      documentHit,
    });
    expect(meanRankingScore(5, [at(1, true), at(0, false)])).toEqual({
      k: 5,
      n: 2,
      precision: 0,
      recall: 0.5,
      mrr: 1,
      ndcg: 0.5,
      documentHit: 0.5,
    });
    expect(meanRankingScore(5, [])).toMatchObject({ n: 0, recall: null, mrr: null });
  });
});
