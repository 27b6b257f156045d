import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Corpus } from "../core/corpus/corpus.ts";
import { openCorpus } from "../core/corpus/store.ts";
import { buildCorpus } from "../core/corpus/writer.ts";
import type { ChunkHandle, NodeHandle } from "../core/ids.ts";
import type { Hit } from "../core/retriever.ts";
import { type Random, seededRandom } from "../core/statistics/random.ts";
import { renderForest, topNodes } from "../methods/rit-rag/index.ts";
import { count, readArguments } from "./arguments.ts";
import { percentile } from "./percentile.ts";

const HELP = `npm run bench -- toc [--corpus folder | --nodes 100000] [--n 50] [--k 200] [--queries 500] [--json]

  --corpus   a corpus folder (.ritbench/corpora/<hash>); without it a forest is generated
  --nodes    size of the generated forest (100000)
  --n        nodes selected (50)
  --k        chunks in the ranking, k' (4n)
  --queries  rankings drawn (500), with a fixed seed
  --json     one JSON document on stdout instead of lines

p50Ms, p95Ms: get_toc_structure without its search: from a ranking of k' chunks to the JSON that the model
gets. Half of a ranking comes from three documents, the rest from anywhere. shownNodes and bytes are medians.
`;

export interface TocBenchResult {
  schema: "ritbench.bench-toc/1";
  nodes: number;
  n: number;
  kPrime: number;
  queries: number;
  p50Ms: number;
  p95Ms: number;
  shownNodes: number;
  bytes: number;
}

/** Measures RIT-RAG's sub-forest induction and serialisation. */
export async function run(argv: readonly string[]): Promise<void> {
  const options = parse(argv);
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const temporary = mkdtempSync(join(tmpdir(), "ritbench-toc-"));
  try {
    const corpus =
      options.corpus === undefined
        ? await generatedCorpus(temporary, options.nodes)
        : openCorpus(options.corpus);
    const result = measure(corpus, options);
    corpus.close();
    if (options.json) process.stdout.write(`${JSON.stringify(result)}\n`);
    else
      for (const [name, value] of Object.entries(result))
        process.stdout.write(`${name}  ${value}\n`);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

interface Options {
  corpus: string | undefined;
  nodes: number;
  n: number;
  kPrime: number;
  queries: number;
  json: boolean;
}

const FLAGS = {
  corpus: { type: "string" },
  nodes: { type: "string", default: "100000" },
  n: { type: "string", default: "50" },
  k: { type: "string" },
  queries: { type: "string", default: "500" },
} as const;

function parse(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv, FLAGS);
  if (values.help) return undefined;
  const n = count(values.n, "--n");
  return {
    corpus: values.corpus,
    nodes: count(values.nodes, "--nodes"),
    n,
    kPrime: values.k === undefined ? 4 * n : count(values.k, "--k"),
    queries: count(values.queries, "--queries"),
    json: values.json,
  };
}

function measure(corpus: Corpus, { n, kPrime, queries }: Options): TocBenchResult {
  const random = seededRandom(7);
  const metadata = { kind: "titles", get: () => undefined };
  const times: number[] = [];
  const shown: number[] = [];
  const bytes: number[] = [];
  const warmUp = Math.min(50, queries);
  for (let i = -warmUp; i < queries; i++) {
    const nodes = drawNodes(corpus, kPrime, random);
    const hits = nodes.map((_, at): Hit => {
      return { chunk: at as ChunkHandle, score: 1 / (61 + at), rank: at + 1 };
    });
    const start = performance.now();
    const selected = topNodes(hits, (chunk) => nodes[chunk]!, n);
    const forest = renderForest({ corpus, metadata }, selected, false);
    const took = performance.now() - start;
    if (i < 0) continue;
    times.push(took);
    shown.push(forest.nodes.length);
    bytes.push(Buffer.byteLength(forest.json));
  }
  return {
    schema: "ritbench.bench-toc/1",
    nodes: corpus.nodeCount,
    n,
    kPrime,
    queries,
    p50Ms: round(percentile(times, 0.5)),
    p95Ms: round(percentile(times, 0.95)),
    shownNodes: Math.round(percentile(shown, 0.5)),
    bytes: Math.round(percentile(bytes, 0.5)),
  };
}

/** The nodes of a ranking's chunks, some of them more than once. */
function drawNodes(corpus: Corpus, count: number, random: Random): NodeHandle[] {
  const anywhere = () => random.below(corpus.nodeCount) as NodeHandle;
  const near = [anywhere(), anywhere(), anywhere()].map((node) => {
    const { root, nodeCount } = corpus.document(corpus.documentIndex(node));
    return { root, nodeCount };
  });
  return Array.from({ length: count }, (_, i) => {
    const { root, nodeCount } = near[i % near.length]!;
    return random.below(2) === 0 ? ((root + random.below(nodeCount)) as NodeHandle) : anywhere();
  });
}

/** Documents of 80 nodes, up to four levels deep below their root. */
function generatedCorpus(folder: string, nodes: number): Promise<Corpus> {
  const random = seededRandom(1);
  return buildCorpus({ corporaFolder: folder, dataset: "generated", singleTree: false }, (sink) => {
    for (let node = 0; node < nodes; ) {
      const size = Math.min(80, nodes - node);
      sink.open({ documentId: `d${node}`, title: `Generated filing number ${node}` });
      let depth = 0;
      for (let i = 1; i < size; i++) {
        const level = random.below(Math.min(depth, 3) + 1);
        for (; depth > level; depth--) sink.close();
        sink.open({ title: `Section ${i} on revenue, risks and other matters`, text: "text" });
        depth++;
      }
      for (; depth >= 0; depth--) sink.close();
      node += size;
    }
  });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
