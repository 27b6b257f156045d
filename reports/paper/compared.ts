import type { PaperCell } from "./expected.ts";
import type { GroupNumbers, PaperGroup } from "./group.ts";
import type { Measured } from "./measure.ts";

/** `protocol`: measured as the paper says. `differs`: measured, but not so. `stand-in`: by another model. */
export type Basis = "protocol" | "differs" | "stand-in";

/** A printed number, and ours where there is one. */
export interface ComparedCell extends PaperCell {
  ours?: Measured;
  basis?: Basis;
  /** Run or file ours comes from. */
  source?: string;
  deviations: readonly string[];
  /** Whether the printed number lies inside our interval; null without ours, without an interval, and for a stand-in. */
  inside: boolean | null;
}

/** A measured group for a place in the paper, with what it departs in. */
export interface Candidate {
  group: PaperGroup;
  numbers: GroupNumbers;
  deviations: readonly string[];
}

/** Finds the groups that a cell may rest on, the best first. */
export type Candidates = (cell: PaperCell) => Candidate[];

/** How a deviation begins that says another model answered. */
export const STAND_IN = "stand-in model";

export function basisOf({ deviations }: Pick<Candidate, "deviations">): Basis {
  if (deviations.some((phrase) => phrase.startsWith(STAND_IN))) return "stand-in";
  return deviations.length === 0 ? "protocol" : "differs";
}

/** A cell with a number of ours from a group of answers. */
export function withOurs(cell: PaperCell, ours: Measured, candidate: Candidate): ComparedCell {
  const basis = basisOf(candidate);
  return {
    ...cell,
    ours,
    basis,
    source: candidate.group.run.manifest.id,
    deviations: candidate.deviations,
    // What a stand-in hits, it hits by chance.
    inside: basis === "stand-in" ? null : isInside(cell.paper, ours),
  };
}

function isInside(paper: number, { value, low, high }: Measured): boolean | null {
  if (low === null || high === null) return null;
  // An interval of no width holds its own value whatever the last bit of a sum.
  const slack = 1e-9 * Math.max(1, Math.abs(value));
  return paper >= low - slack && paper <= high + slack;
}
