import type { RecordKey } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { meanShare } from "../../core/statistics/mean-share.ts";
import { numberOf } from "../../core/statistics/repeats.ts";
import { type CurveSeries, curveSpec } from "../plots/curve.ts";
import type { LeaderboardRow } from "./summarise.ts";

/** Traces read per group at most: a run of ten thousand answers has as many files. */
const MOST_TRACES = 500;
/** Questions in a group of similar size, at least. */
const GROUP = 8;
const GROUPS = 5;

/**
 * How much of the gold the tables of contents held against how many tokens they took: the questions of each method in
 * groups of similar size, the mean recall of each with its interval. Undefined where nothing was shown.
 */
export function recallTokens(
  run: StoredRun,
  rows: readonly LeaderboardRow[],
  caption: readonly string[],
): ReturnType<typeof curveSpec> | undefined {
  const evidence = run.judgements("evidence");
  let sampled = false;
  const panels = [...new Set(rows.map(({ dataset }) => dataset))].flatMap((dataset) => {
    const series = rows
      .filter((row) => row.dataset === dataset)
      .flatMap((row): CurveSeries[] => {
        const keys = run.keys.filter(
          (key) => key.dataset === dataset && key.method === row.method && key.model === row.model,
        );
        const step = Math.ceil(keys.length / MOST_TRACES);
        if (step > 1) sampled = true;
        const points = keys
          .filter((_, index) => index % step === 0)
          .flatMap((key) => {
            const recall = numberOf(evidence.get(key)?.value, "shownRecall");
            const tokens = recall === null ? 0 : tokensShown(run, key);
            return recall === null || tokens === 0 ? [] : [{ tokens, recall }];
          });
        return points.length < GROUP ? [] : [{ name: row.title, points: grouped(points) }];
      });
    return series.length === 0 ? [] : [{ name: dataset, series }];
  });
  if (panels.length === 0) return undefined;
  return curveSpec({
    title: "Sub-forest recall against tokens shown",
    xTitle: "tokens of all tables of contents of a question",
    yTitle: "Gold in the sub-forest (%)",
    panels,
    caption: [
      ...caption,
      "Each point: the mean of a group of questions of similar size. Bars: 95% bootstrap intervals.",
      ...(sampled ? [`At most ${MOST_TRACES} traces of each method were read.`] : []),
    ],
  });
}

function tokensShown(run: StoredRun, key: RecordKey): number {
  const record = run.record(key)!;
  if (record.shownNodes.length === 0) return 0;
  const events = run.trace(record)?.events ?? [];
  return events.reduce((sum, event) => sum + (event.type === "shown" ? event.tokens : 0), 0);
}

/** Groups of equal numbers, by tokens; their means. */
function grouped(points: readonly { tokens: number; recall: number }[]): CurveSeries["points"] {
  const sorted = [...points].sort((a, b) => a.tokens - b.tokens || a.recall - b.recall);
  const groups = Math.max(1, Math.min(GROUPS, Math.floor(sorted.length / GROUP)));
  return Array.from({ length: groups }, (_, group) => {
    const from = Math.round((group * sorted.length) / groups);
    const own = sorted.slice(from, Math.round(((group + 1) * sorted.length) / groups));
    const { mean, low, high } = meanShare(own.map(({ recall }) => recall));
    const x = own.reduce((sum, { tokens }) => sum + tokens, 0) / own.length;
    return { x, y: mean! * 100, low: percent(low), high: percent(high) };
  });
}

function percent(share: number | null): number | null {
  return share === null ? null : share * 100;
}
