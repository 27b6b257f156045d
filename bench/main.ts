import { formatError, nearMiss, RitbenchError } from "../core/errors.ts";

/** A benchmark: takes its own arguments, prints progress on stderr and its result on stdout. */
export interface Bench {
  run(argv: readonly string[]): Promise<void>;
}

const BENCHES: Record<string, { about: string; load(): Promise<Bench> }> = {
  bm25: {
    about: "build rate and query time of the BM25 engine on given chunks and queries",
    load: () => import("./bm25.ts"),
  },
  dense: {
    about: "query time and recall of the exact vector search on random unit vectors",
    load: () => import("./dense.ts"),
  },
  toc: {
    about: "time from a ranking to the table of contents that RIT-RAG shows",
    load: () => import("./toc.ts"),
  },
  gateway: {
    about: "CPU time of ours for each model call, and where it goes",
    load: () => import("./gateway.ts"),
  },
};

const HELP = `npm run bench -- <name> [options]     (npm run bench -- <name> --help)

${Object.entries(BENCHES)
  .map(([name, { about }]) => `  ${name.padEnd(8)} ${about}`)
  .join("\n")}
`;

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === undefined || name === "--help" || name === "-h") {
    process.stdout.write(HELP);
    return;
  }
  const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
  if (bench === undefined) {
    const names = Object.keys(BENCHES);
    const near = nearMiss(name, names);
    throw new RitbenchError("E_BENCH_UNKNOWN", `there is no benchmark "${name}"`, {
      expected: `one of: ${names.join(", ")}`,
      ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
    });
  }
  await (await bench.load()).run(rest);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof RitbenchError)) throw error;
  process.stderr.write(`${formatError(error)}\n`);
  process.exitCode = 1;
});
