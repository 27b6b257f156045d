import { join } from "node:path";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { openCorpus } from "../../core/corpus/store.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import type { Gateway } from "../../models/gateway.ts";
import { type JudgingResult, judgeRun } from "../../pipelines/judging/judge-run.ts";
import { dollars } from "../../reports/table/format.ts";
import type { Config } from "../config/schema.ts";
import type { Io } from "../io.ts";
import { homeFolder } from "../options.ts";
import { progressLine } from "../progress.ts";
import { judgeSeats } from "./judges.ts";

/** Judges a stored run with the judges of a config; progress on standard error. Makes no generation call. */
export async function judgeStoredRun(
  io: Io,
  folder: string,
  config: Pick<Config, "judge" | "scorers" | "limits">,
  gateway: Gateway,
): Promise<JudgingResult> {
  const run = openRun(folder);
  const corpora = openCorpora(io, run);
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
    for (const corpus of Object.values(corpora)) corpus.close();
  }
}

/** Corpora of a run from the home folder; scorers of reads need them. A removed one is rebuilt by the next run. */
export function openCorpora(io: Io, run: StoredRun): { [dataset: string]: Corpus } {
  return Object.fromEntries(
    run.manifest.datasets.map(({ name, corpus }) => [
      name,
      openCorpus(join(homeFolder(io), "corpora", corpus)),
    ]),
  );
}
