import { RitbenchError } from "../../core/errors.ts";
import type { RecordKey } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";

/** One method with one model on one data set. */
export type Group = Pick<RecordKey, "dataset" | "method" | "model">;

/** Two groups of the same data set to be compared question by question. */
export interface GroupPair {
  base: Group;
  next: Group;
}

/** Picks one method on either side, where runs of different methods are compared. */
export interface PairingOptions {
  baseMethod?: string;
  nextMethod?: string;
}

/**
 * Which groups face each other. With methods named: those. Else every group that both runs have; where they share
 * none, the only method of each on every data set that both have.
 *
 * @throws RitbenchError E_COMPARE_NOTHING when no pair can be formed without guessing.
 */
export function pairGroups(base: StoredRun, next: StoredRun, options: PairingOptions): GroupPair[] {
  const ours = groupsOf(base).filter(named(options.baseMethod));
  const theirs = groupsOf(next).filter(named(options.nextMethod));
  const asked = options.baseMethod !== undefined || options.nextMethod !== undefined;
  const same = ours.flatMap((group) =>
    theirs.filter((other) => equal(group, other)).map((other) => ({ base: group, next: other })),
  );
  if (!asked && same.length > 0) return same;
  const datasets = [...new Set(ours.map(({ dataset }) => dataset))];
  const pairs = datasets.flatMap((dataset) => {
    const left = ours.filter((group) => group.dataset === dataset);
    const right = theirs.filter((group) => group.dataset === dataset);
    // Models decide among several; one on each side needs no deciding.
    const byModel = left.flatMap((group) =>
      right
        .filter(({ model }) => model === group.model)
        .map((other) => ({ base: group, next: other })),
    );
    if (left.length === 1 && right.length === 1) return [{ base: left[0]!, next: right[0]! }];
    return byModel.length === left.length && byModel.length === right.length ? byModel : [];
  });
  if (pairs.length > 0) return pairs;
  throw new RitbenchError("E_COMPARE_NOTHING", "the two runs have nothing that can be paired", {
    expected: "a data set, method and model that both have, or one method named on either side",
    got: `${describeGroups(ours)} against ${describeGroups(theirs)}`,
    next: "name a method on either side",
  });
}

/** `financebench / rit-rag / offline:extractive`. */
export function describeGroup({ dataset, method, model }: Group): string {
  return `${dataset} / ${method} / ${model}`;
}

function groupsOf(run: StoredRun): Group[] {
  const groups = new Map<string, Group>();
  for (const { dataset, method, model } of run.keys) {
    groups.set(JSON.stringify([dataset, method, model]), { dataset, method, model });
  }
  return [...groups.values()];
}

function named(method: string | undefined): (group: Group) => boolean {
  return (group) => method === undefined || group.method === method;
}

function equal(a: Group, b: Group): boolean {
  return a.dataset === b.dataset && a.method === b.method && a.model === b.model;
}

function describeGroups(groups: readonly Group[]): string {
  return groups.length === 0 ? "nothing" : groups.map(describeGroup).join(", ");
}
