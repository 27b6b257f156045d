import { type Complementarity, complementarity } from "../../core/analysis/complementarity.ts";
import { basisOf, type Candidates, type ComparedCell } from "./compared.ts";
import type { PaperCell } from "./expected.ts";

/** The two baselines of Figure 5, and which of them is right in each case (Appendix H). */
const BASELINES = ["page-index", "agentic-search"] as const;
const CASES: readonly string[] = [
  "only PageIndex right",
  "only Agentic Search right",
  "both wrong",
];

/** Our sets of correctly answered questions for one data set of Figure 5; undefined until all three methods have run. */
export function overlapOf(
  cell: Pick<PaperCell, "dataset" | "model">,
  candidates: Candidates,
): (Complementarity & { deviations: string[]; source: string; standIn: boolean }) | undefined {
  const best = ["rit-rag", ...BASELINES].map((method) => {
    const place = { table: "figure-5", measure: "targetCorrect", label: "", paper: 0 };
    return candidates({ ...place, ...cell, method, estimated: false })[0];
  });
  const [target, first, second] = best;
  if (target === undefined || first === undefined || second === undefined) return undefined;
  const named = (name: string, candidate: typeof target) => ({
    name,
    verdicts: candidate.numbers.verdicts(),
  });
  const all = [target, first, second];
  return {
    ...complementarity(named("rit-rag", target), [
      named(BASELINES[0], first),
      named(BASELINES[1], second),
    ]),
    deviations: [...new Set(all.flatMap((one) => one.deviations))],
    source: [...new Set(all.map(({ group }) => group.run.manifest.id))].join(", "),
    standIn: all.some((one) => basisOf(one) === "stand-in"),
  };
}

/** A count of Figure 5: the questions of a case, or how many of them RIT-RAG answers. Counts have no interval. */
export function overlapCell(cell: PaperCell, candidates: Candidates): ComparedCell {
  const none: ComparedCell = { ...cell, deviations: [], inside: null };
  const overlap = overlapOf(cell, candidates);
  const found = overlap?.cases[CASES.indexOf(cell.case ?? "")];
  if (overlap === undefined || found === undefined) return none;
  const value = cell.measure === "cases" ? found.questions : found.targetCorrect;
  return {
    ...cell,
    ours: { value, low: null, high: null, n: overlap.n, interval: "none" },
    basis: overlap.standIn ? "stand-in" : overlap.deviations.length === 0 ? "protocol" : "differs",
    source: overlap.source,
    deviations: overlap.deviations,
    inside: null,
  };
}
