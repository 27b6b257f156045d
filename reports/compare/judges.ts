import { RitbenchError } from "../../core/errors.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";

/**
 * Judges that both runs were judged by, in the base run's order.
 *
 * @throws RitbenchError E_COMPARE_UNJUDGED when they share none, E_COMPARE_JUDGES when one that both name has
 * different rules, prompts or model.
 */
export function sharedJudges(base: StoredRun, next: StoredRun): string[] {
  const theirs = new Map(next.manifest.judges.map((judge) => [judge.name, judge]));
  const shared = base.manifest.judges.filter(({ name }) => theirs.has(name));
  const changed = shared.filter(
    (judge) => theirs.get(judge.name)!.fingerprint !== judge.fingerprint,
  );
  if (changed.length > 0) {
    const describe = (run: StoredRun): string =>
      changed
        .map(({ name }) => run.manifest.judges.find((judge) => judge.name === name)!)
        .map(
          ({ name, model, fingerprint }) => `${name} ${fingerprint}${model ? ` (${model})` : ""}`,
        )
        .join(", ");
    throw new RitbenchError("E_COMPARE_JUDGES", "the two runs were judged differently", {
      where: changed.map(({ name }) => name).join(", "),
      expected: describe(base),
      got: describe(next),
      next: `judge both again with the same judge: ritbench judge ${base.manifest.id}, ritbench judge ${next.manifest.id}`,
    });
  }
  if (shared.length === 0) {
    throw new RitbenchError("E_COMPARE_UNJUDGED", "the two runs have no judge in common", {
      expected: "both judged by the same judge",
      got: `${names(base)} against ${names(next)}`,
      next: `ritbench judge ${base.manifest.id}, ritbench judge ${next.manifest.id}`,
    });
  }
  return shared.map(({ name }) => name);
}

function names(run: StoredRun): string {
  return run.manifest.judges.map(({ name }) => name).join(", ") || "no judge";
}
