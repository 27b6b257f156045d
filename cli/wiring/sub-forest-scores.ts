import { createEvidenceMatcher } from "../../core/evidence/matcher.ts";
import { countO200k } from "../../core/o200k.ts";
import { scoreEvidence } from "../../judges/evidence/scores.ts";
import {
  type RitRagConfig,
  renderForest,
  ritRagParameters,
  topNodes,
} from "../../methods/rit-rag/index.ts";
import type { Io } from "../io.ts";
import { progressLine } from "../progress.ts";
import type { OpenedDataset } from "./resources.ts";

/** What one table of contents would show for a question. */
export interface SubForestScore {
  questionId: string;
  /** Share of gold units whose node it holds. */
  recall: number;
  /** o200k tokens of the JSON the model would see. */
  tokens: number;
  nodes: number;
}

/** GetToC for every runnable question with gold (the first `limit`), asked with the question itself. Calls no model. */
export async function measureSubForests(
  io: Io,
  { name, loaded, shared }: OpenedDataset,
  config: RitRagConfig,
  limit: number | undefined,
): Promise<SubForestScore[]> {
  const { corpus, chunks, retriever, metadata } = shared;
  const { n, kPrime, flatMetadata } = ritRagParameters(config);
  const matcher = createEvidenceMatcher(corpus);
  const runnable = loaded.questions.filter(({ notRunnable }) => notRunnable === undefined);
  const asked = runnable.slice(0, limit ?? runnable.length);
  const line = progressLine(io);
  const scores: SubForestScore[] = [];
  for (const [done, question] of asked.entries()) {
    line.update(`${name}: sub-forest of ${n} nodes ${done + 1}/${asked.length}`);
    if (question.evidence.length === 0) continue;
    const hits = await retriever.search(question.text, kPrime, {
      mode: "hybrid",
      signal: io.signal,
    });
    const selected = topNodes(hits, (chunk) => chunks.node(chunk), n);
    const forest = renderForest({ corpus, metadata }, selected, flatMetadata);
    const shownNodes = forest.nodes.map((node) => corpus.nodeId(node));
    const scored = scoreEvidence(corpus, matcher, {
      reads: [],
      shownNodes,
      sets: question.evidence,
    });
    if (scored === undefined) continue;
    scores.push({
      questionId: question.id,
      recall: scored.shownRecall ?? 0,
      tokens: countO200k(forest.json),
      nodes: forest.nodes.length,
    });
  }
  line.finish();
  return scores;
}
