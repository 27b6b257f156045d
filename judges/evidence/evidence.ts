import type { Corpus } from "../../core/corpus/corpus.ts";
import { createEvidenceMatcher, type EvidenceMatcher } from "../../core/evidence/matcher.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Json } from "../../core/json.ts";
import type { Judge, JudgeContext } from "../../core/judge.ts";
import type { RunRecord } from "../../core/record.ts";
import { unanswered } from "../preconditions.ts";
import { type LevelScore, scoreEvidence } from "./scores.ts";

/**
 * Precision and recall of what was read against the gold evidence (A11, A12), without a model. Scores: `precision`,
 * `recall`, `f1` of the items as read; the same at `chunk`, `node`, `page`, `document` level; `shownRecall`;
 * `readEfficiency`. `f1` is this question's; a table's F1 is made of the mean precision and the mean recall.
 */
export function createEvidenceJudge(): Judge {
  const matchers = new WeakMap<Corpus, EvidenceMatcher>();
  function matcherOf(corpus: Corpus): EvidenceMatcher {
    const known = matchers.get(corpus) ?? createEvidenceMatcher(corpus);
    matchers.set(corpus, known);
    return known;
  }
  return {
    name: "evidence",
    fingerprint: fingerprint({ judge: "evidence", version: 2 }),
    needsModel: false,
    async judge(question, record, context) {
      const broken = unanswered(record);
      if (broken !== undefined) return broken;
      if (context.scoredReads === false) {
        return { value: { kind: "unscored", reason: "not_applicable" } };
      }
      if (question.evidence.length === 0) return { value: { kind: "unscored", reason: "no_gold" } };
      if (context.corpus === undefined) throw new Error("the evidence scorer needs the corpus");
      const retrievedNodes = nodesRetrieved(context, record);
      const scores = scoreEvidence(context.corpus, matcherOf(context.corpus), {
        reads: record.reads,
        shownNodes: record.shownNodes,
        sets: question.evidence,
        ...(retrievedNodes === undefined ? {} : { retrievedNodes }),
      });
      if (scores === undefined) {
        const why = "no gold unit lies in the corpus";
        return { value: { kind: "unscored", reason: "no_gold" }, details: { why } };
      }
      const { own, chunk, node, page, document, units, unresolved, annotator, set } = scores;
      return {
        value: {
          kind: "scores",
          scores: {
            precision: own.precision,
            recall: own.recall,
            f1: harmonicMean(own.precision!, own.recall!),
            ...levelScores("chunk", chunk),
            ...levelScores("node", node),
            ...levelScores("page", page),
            ...levelScores("document", document),
            shownRecall: scores.shownRecall,
            readEfficiency: scores.readEfficiency,
          },
        },
        details: { set, annotator, unresolved, units: units as unknown as Json },
      };
    },
  };
}

/** 2PR / (P + R), 0 when both are 0. */
export function harmonicMean(precision: number, recall: number): number {
  return precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function levelScores(level: string, score: LevelScore): { [name: string]: number | null } {
  return { [`${level}Precision`]: score.precision, [`${level}Recall`]: score.recall };
}

/**
 * Nodes of the chunks that the question's searches ranked: a chunk id is its node's id, `#`, a number. Chunks that
 * were read are left out: what they hold is known exactly, and their node may hold more.
 */
function nodesRetrieved(context: JudgeContext, { reads }: RunRecord): string[] | undefined {
  const trace = context.trace?.();
  if (trace === undefined) return undefined;
  const read = new Set(reads.map(({ id }) => id));
  const chunks = trace.events.flatMap((event) => (event.type === "retrieved" ? event.chunks : []));
  const others = chunks.filter((chunk) => !read.has(chunk));
  return [...new Set(others.map((chunk) => chunk.slice(0, chunk.lastIndexOf("#"))))];
}
