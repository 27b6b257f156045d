import { createEvidenceMatcher, type ReadExtent } from "../../core/evidence/matcher.ts";
import type { Hit, SearchMode } from "../../core/retriever.ts";
import {
  type MeanRankingScore,
  meanRankingScore,
  type RankingScore,
  scoreRanking,
} from "../../judges/retrieval/score-ranking.ts";
import type { Io } from "../io.ts";
import { progressLine } from "../progress.ts";
import type { OpenedDataset } from "./resources.ts";

/** How much of a data set's gold evidence the rankings hold. */
export interface RetrievalResult {
  dataset: string;
  questions: { total: number; runnable: number; withEvidence: number };
  rows: ({ mode: SearchMode } & MeanRankingScore)[];
  fingerprints: OpenedDataset["index"]["fingerprints"];
}

/** Ranks every runnable question (the first `limit`) in every mode and scores the rankings at every cut. Calls no model. */
export async function measureRetrieval(
  io: Io,
  { name, loaded, index, shared }: OpenedDataset,
  modes: readonly SearchMode[],
  cuts: readonly number[],
  limit: number | undefined,
): Promise<RetrievalResult> {
  const { corpus, chunks } = shared;
  const matcher = createEvidenceMatcher(corpus);
  const runnable = loaded.questions.filter(({ notRunnable }) => notRunnable === undefined);
  const asked = runnable.slice(0, limit ?? runnable.length);
  const extentOf = ({ chunk }: Hit): ReadExtent => {
    const { node, start, end } = chunks.get(chunk);
    return {
      documentId: corpus.document(corpus.documentIndex(node)).id,
      spans: [{ nodeId: corpus.nodeId(node), start, end }],
    };
  };
  const line = progressLine(io);
  const rows: RetrievalResult["rows"] = [];
  let withEvidence = 0;
  for (const mode of modes) {
    const scores: RankingScore[][] = [];
    for (const [done, question] of asked.entries()) {
      line.update(`${name}: ${mode} ${done + 1}/${asked.length}`);
      const hits = await index.retriever.search(question.text, Math.max(...cuts), {
        mode,
        signal: io.signal,
      });
      const scored = scoreRanking(matcher, hits.map(extentOf), question.evidence, cuts);
      if (scored !== undefined) scores.push(scored);
    }
    withEvidence = scores.length;
    for (const [position, k] of cuts.entries()) {
      rows.push({
        mode,
        ...meanRankingScore(
          k,
          scores.map((score) => score[position]!),
        ),
      });
    }
  }
  line.finish();
  return {
    dataset: name,
    questions: { total: loaded.questions.length, runnable: runnable.length, withEvidence },
    rows,
    fingerprints: index.fingerprints,
  };
}
