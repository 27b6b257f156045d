import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { type StackedBars, stackedBarsSpec } from "../plots/stacked-bars.ts";
import type { LeaderboardRow } from "./summarise.ts";

/** What the builds that a method rests on cost once, as far as it is known. */
export interface BuildCost {
  dataset: string;
  method: string;
  costUsd: number;
}

const KINDS = ["build", "answer", "judge"] as const;
const CENTS = 100;

/**
 * Where the money of a run goes: builds (spread over the questions asked), answers and judging, in cents per question.
 * Undefined where nothing has a price. Offline models count at their hypothetical cost, and the caption says so.
 */
export function costSplit(
  run: StoredRun,
  rows: readonly LeaderboardRow[],
  builds: readonly BuildCost[],
  caption: readonly string[],
): ReturnType<typeof stackedBarsSpec> | undefined {
  const judging = judgeCosts(run);
  const severalModels = new Set(rows.map(({ model }) => model)).size > 1;
  const hypothetical = rows.some(({ costAtHaikuUsd }) => costAtHaikuUsd.value !== null);
  let unknown = 0;
  const panels: StackedBars["panels"] = [...new Set(rows.map(({ dataset }) => dataset))].map(
    (dataset) => ({
      name: dataset,
      bars: rows
        .filter((row) => row.dataset === dataset && row.unfit === undefined)
        .flatMap((row) => {
          const answer = row.costAtHaikuUsd.value ?? row.costUsd.value;
          const judge = judging.get(placeOf(row)) ?? 0;
          if (answer === null || judge === null) {
            unknown++;
            return [];
          }
          const built = builds
            .filter((build) => build.dataset === dataset && build.method === row.method)
            .reduce((sum, { costUsd }) => sum + costUsd, 0);
          const parts = {
            build: (built / row.questions) * CENTS,
            answer: answer * CENTS,
            judge: (judge / row.questions) * CENTS,
          };
          return [{ label: severalModels ? `${row.title}, ${row.model}` : row.title, parts }];
        }),
    }),
  );
  const total = panels
    .flatMap(({ bars }) => bars)
    .reduce((sum, { parts }) => sum + parts.build! + parts.answer! + parts.judge!, 0);
  if (total === 0) return undefined;
  return stackedBarsSpec({
    title: "Cost split: build, answer, judge",
    xTitle: hypothetical ? "US cents per question (hypothetical)" : "US cents per question",
    kinds: KINDS,
    panels,
    caption: [
      ...caption,
      "Builds are paid once and spread over the questions asked here.",
      ...(hypothetical ? ["Answers of offline models at the paper's Haiku price."] : []),
      ...(unknown === 0 ? [] : [`${unknown} bars left out: a price is unknown.`]),
    ],
  });
}

/** US dollars of all judges' calls by group; null where a price is unknown. */
function judgeCosts(run: StoredRun): Map<string, number | null> {
  const sums = new Map<string, number | null>();
  for (const judge of run.judges()) {
    const table = run.judgements(judge);
    for (const key of run.keys) {
      const usage = table.get(key)?.usage;
      if (usage === undefined) continue;
      const before = sums.get(placeOf(key)) === undefined ? 0 : sums.get(placeOf(key))!;
      const sum = before === null || usage.costUsd === null ? null : before + usage.costUsd;
      sums.set(placeOf(key), sum);
    }
  }
  return sums;
}

function placeOf({ dataset, method, model }: { dataset: string; method: string; model: string }) {
  return JSON.stringify([dataset, method, model]);
}
