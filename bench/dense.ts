import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RitbenchError } from "../core/errors.ts";
import { fingerprint } from "../core/fingerprint.ts";
import type { Ranking } from "../retrievers/bm25/top-k.ts";
import { bestKernel, loadFlatIndex } from "../retrievers/dense/flat-index.ts";
import type { Kernel } from "../retrievers/dense/kernel.ts";
import { jsKernel } from "../retrievers/dense/kernel-js.ts";
import { innerProduct } from "../retrievers/dense/rescore.ts";
import { bytesOf, openVectorFile } from "../retrievers/dense/vector-file.ts";
import { vectorWriter } from "../retrievers/dense/vector-writer.ts";
import { count, printResult, readArguments } from "./arguments.ts";
import { percentile } from "./percentile.ts";

const HELP = `npm run bench -- dense [--vectors 130000] [--dimensions 384] [--queries 100] [--k 200] [--save F] [--json]

  --vectors     random unit vectors (130000)
  --dimensions  of each (384)
  --queries     random unit queries, one at a time on one thread (100)
  --k           length of each ranking (200)
  --kernel      auto | js (auto: WebAssembly SIMD where the engine has it)
  --rival       also time usearch's exact search, where that package is installed
  --save        folder that gets vectors.f32 and queries.f32, so that a rival can be given the same
                (bench/rivals/faiss-flat.py)
  --json        one JSON document on stdout instead of lines

p50Ms, p95Ms: from the query's vector to its ranking, after ten queries that are not counted. recall: share of
the true best k, by float64 products of all vectors, over the first ten queries. rssMb: peak of the process.
`;

export interface DenseBenchResult {
  schema: "ritbench.bench-dense/1";
  vectors: number;
  dimensions: number;
  k: number;
  kernel: string;
  loadSeconds: number;
  p50Ms: number;
  p95Ms: number;
  /** Recall at k; the name stands for the default k. */
  recallAt200: number;
  rssMb: number;
  /** usearch on the same vectors, one thread; null when not asked for or not installed. */
  usearchP50Ms: number | null;
}

interface Options {
  vectors: number;
  dimensions: number;
  queries: number;
  k: number;
  kernel: Kernel;
  rival: boolean;
  save: string | undefined;
  json: boolean;
}

const WARM_UP = 10;
const CHECKED = 10;
const ROWS_A_PUSH = 4096;

/** Measures the exact search on random unit vectors from a fixed seed. */
export async function run(argv: readonly string[]): Promise<void> {
  const options = parse(argv);
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const result = await measureDense(options);
  printResult(result, options.json);
}

const FLAGS = {
  vectors: { type: "string", default: "130000" },
  dimensions: { type: "string", default: "384" },
  queries: { type: "string", default: "100" },
  k: { type: "string", default: "200" },
  kernel: { type: "string", default: "auto" },
  rival: { type: "boolean", default: false },
  save: { type: "string" },
} as const;

function parse(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv, FLAGS);
  if (values.help) return undefined;
  if (values.kernel !== "auto" && values.kernel !== "js") {
    throw new RitbenchError("E_BENCH_ARGUMENTS", "--kernel must be auto or js", {
      got: values.kernel,
    });
  }
  return {
    vectors: count(values.vectors, "--vectors"),
    dimensions: count(values.dimensions, "--dimensions"),
    queries: count(values.queries, "--queries"),
    k: count(values.k, "--k"),
    kernel: values.kernel === "js" ? jsKernel : bestKernel(),
    rival: values.rival,
    save: values.save,
    json: values.json,
  };
}

export async function measureDense(options: Options): Promise<DenseBenchResult> {
  const { dimensions, k, kernel, rival } = options;
  const folder = options.save ?? mkdtempSync(join(tmpdir(), "ritbench-bench-"));
  try {
    mkdirSync(folder, { recursive: true });
    const queries = writeVectors(folder, options);
    const startedMs = performance.now();
    const file = openVectorFile(folder);
    const index = loadFlatIndex(file, kernel);
    const loadSeconds = (performance.now() - startedMs) / 1000;
    const { times, results } = timed(queries, (query) => index.search(query, k));
    const rssMb = process.resourceUsage().maxRSS / 1024;
    const all = new Float32Array(file.summary.count * dimensions);
    file.read(0, file.summary.count, all, dimensions);
    index.close();
    return {
      schema: "ritbench.bench-dense/1",
      vectors: file.summary.count,
      dimensions,
      k,
      kernel: index.kernel,
      loadSeconds,
      p50Ms: percentile(times, 0.5),
      p95Ms: percentile(times, 0.95),
      recallAt200: recall(all, queries.slice(0, CHECKED), results, k),
      rssMb,
      usearchP50Ms: rival ? await usearchP50(all, queries, dimensions, k) : null,
    };
  } finally {
    if (options.save === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Vectors go to disk as an index would have them, queries beside them. */
function writeVectors(folder: string, { vectors, dimensions, queries }: Options): Float32Array[] {
  const next = gaussians(1);
  const row = () => unit(Float32Array.from({ length: dimensions }, next));
  const writer = vectorWriter(folder, dimensions);
  for (let done = 0; done < vectors; done += ROWS_A_PUSH) {
    writer.push(Array.from({ length: Math.min(ROWS_A_PUSH, vectors - done) }, row));
  }
  writer.finish(fingerprint({ vectors, dimensions }));
  const asked = Array.from({ length: queries }, row);
  const flat = new Float32Array(queries * dimensions);
  for (const [index, query] of asked.entries()) flat.set(query, index * dimensions);
  writeFileSync(join(folder, "queries.f32"), bytesOf(flat));
  return asked;
}

/** Normal deviates by Box and Muller over a 32-bit xorshift. */
function gaussians(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 1) / 4294967297;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.sqrt(innerProduct(vector, vector, 0));
  return vector.map((value) => value / norm);
}

function timed<Result>(queries: readonly Float32Array[], search: (query: Float32Array) => Result) {
  for (const query of queries.slice(0, WARM_UP)) search(query);
  const times: number[] = [];
  const results = queries.map((query) => {
    const startedMs = performance.now();
    const result = search(query);
    times.push(performance.now() - startedMs);
    return result;
  });
  return { times, results };
}

function recall(
  all: Float32Array,
  queries: readonly Float32Array[],
  results: readonly Ranking[],
  k: number,
): number {
  let found = 0;
  let wanted = 0;
  for (const [index, query] of queries.entries()) {
    const rows = all.length / query.length;
    const scores = Float64Array.from({ length: rows }, (_, row) =>
      innerProduct(query, all, row * query.length),
    );
    const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
    const best = new Set(order.slice(0, k));
    wanted += best.size;
    for (const row of results[index]!.chunks) if (best.has(row)) found++;
  }
  return found / wanted;
}

async function usearchP50(
  all: Float32Array,
  queries: readonly Float32Array[],
  dimensions: number,
  k: number,
): Promise<number | null> {
  const usearch = await import("usearch").catch(() => undefined);
  if (usearch === undefined) return null;
  const { exactSearch, MetricKind } = usearch.default ?? usearch;
  const { times } = timed(queries, (query) =>
    exactSearch(all, query, dimensions, k, MetricKind.IP, 1),
  );
  return percentile(times, 0.5);
}
