import { messageOf, RitbenchError } from "../core/errors.ts";
import { buildBm25 } from "../retrievers/bm25/build.ts";
import { count, printResult, readArguments } from "./arguments.ts";
import { readLines } from "./lines.ts";
import { percentile } from "./percentile.ts";

const HELP = `npm run bench -- bm25 --chunks chunks.jsonl --queries queries.txt [--k 200] [--runs 3] [--json]

  --chunks   one {"id": ..., "text": ...} a line
  --queries  one query a line
  --k        length of each ranking (200)
  --runs     passes over the queries; the percentiles are those of the median pass (3)
  --json     one JSON document on stdout instead of lines

buildTokensPerSecond: tokens of all chunks / time spent cutting, counting and inverting them in one thread;
reading and parsing the file is not counted. p50Ms, p95Ms: one query at a time, from its text to its
ranking, after one pass that is not counted. rssMb: peak of the whole process.
`;

export interface Bm25BenchResult {
  schema: "ritbench.bench-bm25/1";
  chunks: number;
  tokens: number;
  buildTokensPerSecond: number;
  p50Ms: number;
  p95Ms: number;
  rssMb: number;
}

/** Measures the default engine (A7) on the caller's chunks and queries. */
export async function run(argv: readonly string[]): Promise<void> {
  const options = parse(argv);
  if (options === undefined) {
    process.stdout.write(HELP);
    return;
  }
  const result = await measure(options);
  printResult(result, options.json);
}

interface Options {
  chunks: string;
  queries: string;
  k: number;
  runs: number;
  json: boolean;
}

const FLAGS = {
  chunks: { type: "string" },
  queries: { type: "string" },
  k: { type: "string", default: "200" },
  runs: { type: "string", default: "3" },
} as const;

function parse(argv: readonly string[]): Options | undefined {
  const values = readArguments(argv, FLAGS);
  if (values.help) return undefined;
  return {
    chunks: required(values.chunks, "--chunks"),
    queries: required(values.queries, "--queries"),
    k: count(values.k, "--k"),
    runs: count(values.runs, "--runs"),
    json: values.json,
  };
}

function required(value: string | undefined, flag: string): string {
  if (value !== undefined) return value;
  throw new RitbenchError("E_BENCH_ARGUMENTS", `${flag} is missing`, { next: "see --help" });
}

async function measure(options: Options): Promise<Bm25BenchResult> {
  const queries = readQueries(options.queries);
  const reading = { ms: 0 };
  const start = performance.now();
  const index = await buildBm25(readTexts(options.chunks, reading));
  const buildMs = performance.now() - start - reading.ms;
  process.stderr.write(`built in ${round(buildMs)} ms, ${round(reading.ms)} ms more for reading\n`);

  const passes = Array.from({ length: options.runs + 1 }, () =>
    queries.map((query) => {
      const asked = performance.now();
      index.search(query, options.k);
      return performance.now() - asked;
    }),
  ).slice(1);
  const typical = (share: number): number =>
    round(
      percentile(
        passes.map((times) => percentile(times, share)),
        0.5,
      ),
    );
  return {
    schema: "ritbench.bench-bm25/1",
    chunks: index.chunkCount,
    tokens: index.tokenCount,
    buildTokensPerSecond: Math.round((index.tokenCount / buildMs) * 1000),
    p50Ms: typical(0.5),
    p95Ms: typical(0.95),
    rssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  };
}

/** Texts of the chunk file, one at a time; `reading.ms` grows by the time spent in here. */
function* readTexts(path: string, reading: { ms: number }): Generator<string> {
  let resumed = performance.now();
  let line = 0;
  for (const json of readLines(path)) {
    line++;
    if (json.trim() === "") continue;
    const text = textOf(json, `${path}, line ${line}`);
    reading.ms += performance.now() - resumed;
    yield text;
    resumed = performance.now();
  }
  reading.ms += performance.now() - resumed;
}

function textOf(json: string, where: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new RitbenchError("E_BENCH_INPUT", "a line is not JSON", {
      where,
      got: messageOf(error),
    });
  }
  const text = (value as { text?: unknown } | null)?.text;
  if (typeof text === "string") return text;
  throw new RitbenchError("E_BENCH_INPUT", "a chunk has no text", {
    where,
    expected: '{"id": ..., "text": "..."}',
  });
}

function readQueries(path: string): string[] {
  const queries = [...readLines(path)].filter((line) => line.trim() !== "");
  if (queries.length > 0) return queries;
  throw new RitbenchError("E_BENCH_INPUT", "there are no queries", { where: path });
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
