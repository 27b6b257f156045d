import type { ParetoPanel, ParetoPlot } from "../plots/pareto.ts";
import type { LeaderboardRow } from "./summarise.ts";

/** The method drawn as a star. */
const STAR_METHOD = "rit-rag";
const CENTS = 100;

/** Accuracy against cost per question, one panel for each data set and model. Offline models use the hypothetical cost. */
export function costPlot(rows: readonly LeaderboardRow[], caption: readonly string[]): ParetoPlot {
  const hypothetical = rows.some(({ costAtHaikuUsd }) => costAtHaikuUsd.value !== null);
  return {
    title: "Accuracy against cost per question",
    xTitle: hypothetical ? "US cents per question (hypothetical)" : "US cents per question",
    panels: panels(rows, (row) => {
      const cost = row.costAtHaikuUsd.value ?? row.costUsd.value;
      return cost === null ? null : cost * CENTS;
    }),
    caption: [
      ...caption,
      ...(hypothetical ? ["Cost is hypothetical: the tokens at the paper's Haiku price."] : []),
      "Bars: 95% Wilson intervals. Dashed: the frontier.",
    ],
  };
}

/** Accuracy against LLM latency per question; undefined where no model has one. */
export function latencyPlot(
  rows: readonly LeaderboardRow[],
  caption: readonly string[],
): ParetoPlot | undefined {
  if (rows.every(({ llmMs }) => llmMs.value === null)) return undefined;
  return {
    title: "Accuracy against LLM latency per question",
    xTitle: "Seconds per question",
    panels: panels(rows, ({ llmMs }) => (llmMs.value === null ? null : llmMs.value / 1000)),
    caption: [...caption, "Bars: 95% Wilson intervals. Dashed: the frontier."],
  };
}

function panels(
  rows: readonly LeaderboardRow[],
  xOf: (row: LeaderboardRow) => number | null,
): ParetoPanel[] {
  const severalModels = new Set(rows.map(({ model }) => model)).size > 1;
  const byPanel = new Map<string, LeaderboardRow[]>();
  for (const row of rows) {
    const name = severalModels ? `${row.dataset}, ${row.model}` : row.dataset;
    byPanel.set(name, [...(byPanel.get(name) ?? []), row]);
  }
  return [...byPanel].map(([dataset, members]) => ({
    dataset,
    points: members.flatMap((row) => {
      const { estimate, low, high, n } = row.accuracy;
      if (row.unfit !== undefined || estimate === null || low === null || high === null) return [];
      const star = row.method === STAR_METHOD;
      return [{ method: row.title, star, x: xOf(row), accuracy: estimate, low, high, n }];
    }),
  }));
}
