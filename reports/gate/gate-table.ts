import type { RunComparison } from "../compare/compare-runs.ts";
import { comparisonTable } from "../compare/compare-table.ts";
import { markdownTable } from "../table/markdown.ts";
import { plainText } from "../table/plain-text.ts";
import type { Table } from "../table/table.ts";
import { type GateResult, WORDS } from "./gate.ts";

/** The checks of a gate, the decisive ones first. */
export function gateTable({ checks, sentence }: GateResult): Table {
  const rank = ["errors", "worse", "cannot_tell", "fine"];
  const sorted = [...checks].sort((a, b) => rank.indexOf(a.verdict) - rank.indexOf(b.verdict));
  return {
    title: `Gate: ${sentence}`,
    columns: [
      { key: "verdict", label: "Verdict" },
      { key: "pair", label: "What", wrap: true },
      { key: "check", label: "Check" },
      { key: "sentence", label: "Why", wrap: true },
    ],
    rows: sorted.map(({ verdict, pair, check, sentence: why }) => ({
      verdict: WORDS[verdict],
      pair,
      check,
      sentence: why,
    })),
    notes: [],
  };
}

/** The gate for a terminal: the verdict, then what is not fine, one line a check. */
export function gateText(gate: GateResult): string {
  const open = gate.checks.filter(({ verdict }) => verdict !== "fine");
  const lines = open.map(
    ({ verdict, pair, check, sentence }) =>
      `  ${WORDS[verdict]}: ${plainText(pair)}, ${check}: ${sentence}`,
  );
  return [`Gate: ${gate.sentence}`, ...lines, ""].join("\n");
}

/** Summary for a CI job: the gate first, then the comparison. */
export function comparisonMarkdown(
  comparison: RunComparison,
  gate: GateResult | undefined,
): string {
  return [
    ...(gate === undefined ? [] : [markdownTable(gateTable(gate))]),
    markdownTable(comparisonTable(comparison)),
  ].join("\n");
}
