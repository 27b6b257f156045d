import type { Corpus } from "../../core/corpus/corpus.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import type { Gateway } from "../../models/gateway.ts";
import { type JudgingResult, judgeRun } from "../../pipelines/judging/judge-run.ts";
import { dollars } from "../../reports/table/format.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { progressLine } from "../progress.ts";
import { judgeSeats } from "./judges.ts";
import { openRunCorpora } from "./run-corpora.ts";

type Corpora = { [dataset: string]: Corpus };

/** Judges a stored run with the judges of a config; progress on standard error. Makes no generation call. */
export async function judgeStoredRun(
  io: Io,
  folder: string,
  config: Pick<Config, "judge" | "scorers" | "limits">,
  gateway: Gateway,
): Promise<JudgingResult> {
  const run = openRun(folder);
  const { corpora, close } = openCorpora(io, run);
  run.close();
  const line = progressLine(io);
  try {
    return await judgeRun({
      folder,
      ...judgeSeats(config, gateway),
      corpora,
      concurrency: config.limits.concurrency,
      signal: io.signal,
      onProgress: ({ judge, done, total, costUsd }) =>
        line.update(
          `judging with ${judge}: ${done}/${total}  ${costUsd === null ? "cost unknown" : dollars(costUsd)}`,
        ),
    });
  } finally {
    line.finish();
    close();
  }
}

/** Corpora of a run that are still in the home folder; only scorers of reads need them. */
function openCorpora(io: Io, { manifest }: StoredRun): { corpora: Corpora; close(): void } {
  const run = openRunCorpora(io, manifest);
  const corpora: Corpora = {};
  for (const { name } of manifest.datasets) {
    const corpus = run.of(name);
    if (corpus !== undefined) corpora[name] = corpus;
    else {
      io.err(
        `${name}: its corpus is not in the home folder, so evidence is not scored anew (ritbench run builds it again)\n`,
      );
    }
  }
  return { corpora, close: run.close };
}
