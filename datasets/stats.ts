import type { Corpus } from "../core/corpus/corpus.ts";
import type { NodeHandle } from "../core/ids.ts";
import type { Question } from "../core/question.ts";
import { type PaperCounts, paperCounts } from "./paper-counts.ts";

/** How texts are measured: injected, since chunks and tokenizers belong to other rooms. */
export interface StatsTools {
  countTokens(text: string): number;
  /** Name of the tokenizer, for the caption. */
  tokenizer: string;
  /** Number of chunks of a text; absent = chunks are not counted. */
  countChunks?(text: string): number;
}

/** The columns of the paper's Tables 5 and 6 for one corpus, the paper's own figures beside. */
export interface DatasetStats {
  dataset: string;
  documents: number;
  /** Null where chunks were not counted. */
  chunks: number | null;
  tokens: number;
  questions: number;
  runnableQuestions: number;
  trees: number;
  nodes: number;
  readableNodes: number;
  maxDepth: number;
  /** Over nodes with text; null without any. */
  nodeTokensMean: number | null;
  nodeTokensMedian: number | null;
  nodeTokensP95: number | null;
  tokenizer: string;
  /** Documents by the way their trees came about. */
  treeKinds: { readonly [kind: string]: number };
  questionSplits: { readonly [split: string]: number };
  /** Null for corpora that the paper does not have. */
  paper: PaperCounts | null;
  notes: readonly string[];
}

/**
 * Measures a corpus. Reads every text once, one at a time; keeps one number a node.
 *
 * @param loader name of the loader (`entqabench` for a stand-in portal), by which the paper's figures are found
 */
export function datasetStats(
  corpus: Corpus,
  questions: readonly Question[],
  loader: string,
  tools: StatsTools,
  signal?: AbortSignal,
): DatasetStats {
  const sizes = new Uint32Array(corpus.summary.readableCount);
  let measured = 0;
  let chunks = 0;
  for (let node = 0 as NodeHandle; node < corpus.nodeCount; node++) {
    if (node % 1000 === 0) signal?.throwIfAborted();
    if (!corpus.readable(node)) continue;
    const text = corpus.text(node);
    sizes[measured++] = tools.countTokens(text);
    chunks += tools.countChunks?.(text) ?? 0;
  }
  sizes.sort();
  const tokens = sizes.reduce((sum, size) => sum + size, 0);
  const { summary } = corpus;
  return {
    dataset: summary.dataset,
    documents: summary.documentCount,
    chunks: tools.countChunks === undefined ? null : chunks,
    tokens,
    questions: questions.length,
    runnableQuestions: questions.filter(({ notRunnable }) => notRunnable === undefined).length,
    trees: summary.treeCount,
    nodes: summary.nodeCount,
    readableNodes: summary.readableCount,
    maxDepth: summary.maxDepth,
    nodeTokensMean: sizes.length === 0 ? null : tokens / sizes.length,
    nodeTokensMedian: quantile(sizes, 0.5),
    nodeTokensP95: quantile(sizes, 0.95),
    tokenizer: tools.tokenizer,
    treeKinds: treeKinds(corpus),
    questionSplits: countBy(questions.map(({ split }) => split ?? "all")),
    paper: paperCounts[loader] ?? null,
    notes: summary.notes,
  };
}

/** Linear interpolation between the two nearest of the sorted values; null without any. */
function quantile(sorted: Uint32Array, share: number): number | null {
  if (sorted.length === 0) return null;
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}

function treeKinds(corpus: Corpus): { [kind: string]: number } {
  const kinds: string[] = [];
  for (let index = 0; index < corpus.documentCount; index++) {
    const { treeKind } = corpus.document(index);
    if (treeKind !== undefined) kinds.push(treeKind);
  }
  return countBy(kinds);
}

function countBy(values: readonly string[]): { [value: string]: number } {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
}
