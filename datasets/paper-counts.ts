/** What the paper's Tables 5 and 6 say of one corpus. Node tokens leave the text of children out; a root has depth 0. */
export interface PaperCounts {
  documents: number;
  chunks: number;
  tokens: number;
  questions: number;
  nodes: number;
  maxDepth: number;
  nodeTokensMean: number;
  nodeTokensMedian: number;
  nodeTokensP95: number;
}

/** Figures of arXiv 2610.11370, Tables 5 and 6, by the data set's name. */
export const paperCounts: { readonly [dataset: string]: PaperCounts } = {
  wixqa: {
    documents: 6_221,
    chunks: 32_032,
    tokens: 3_090_000,
    questions: 200,
    nodes: 31_733,
    maxDepth: 5,
    nodeTokensMean: 84,
    nodeTokensMedian: 60,
    nodeTokensP95: 219,
  },
  financebench: {
    documents: 364,
    chunks: 129_973,
    tokens: 48_500_000,
    questions: 150,
    nodes: 79_658,
    maxDepth: 8,
    nodeTokensMean: 602,
    nodeTokensMedian: 274,
    nodeTokensP95: 2_368,
  },
  entqabench: {
    documents: 2_839_892,
    chunks: 8_993_388,
    tokens: 3_810_000_000,
    questions: 317,
    nodes: 2_934_928,
    maxDepth: 17,
    nodeTokensMean: 1_020,
    nodeTokensMedian: 182,
    nodeTokensP95: 1_960,
  },
  qasper: {
    documents: 1_585,
    chunks: 31_014,
    tokens: 10_600_000,
    questions: 1_372,
    nodes: 24_350,
    maxDepth: 4,
    nodeTokensMean: 362,
    nodeTokensMedian: 262,
    nodeTokensP95: 977,
  },
};
