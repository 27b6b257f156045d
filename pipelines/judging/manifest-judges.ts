import { join } from "node:path";
import { writeFileAtomic } from "../../core/files.ts";
import type { RunManifest } from "../../core/record.ts";
import { readManifest } from "../../core/run-folder/manifest.ts";
import { RUN_FILES } from "../../core/run-folder/paths.ts";

type ManifestJudge = RunManifest["judges"][number];

/** A judge as the manifest names it, and what it gives. */
export interface RankedJudge extends ManifestJudge {
  rank: "panel" | "verdicts" | "scores";
}

/**
 * Names the judges in the manifest; an unfinished pass does not displace a finished one. The first one named gives
 * the verdicts of reports: a pass's panel, else its first judge that gives verdicts, else whoever did before.
 */
export function nameJudges(
  folder: string,
  entries: readonly RankedJudge[],
  finished: boolean,
): void {
  const { manifest } = readManifest(folder);
  const fresh = entries.filter(
    ({ name }) => finished || !manifest.judges.some((judge) => judge.name === name),
  );
  const of = (wanted: RankedJudge["rank"]): ManifestJudge[] =>
    fresh.filter(({ rank }) => rank === wanted).map(({ rank: _, ...entry }) => entry);
  const before = manifest.judges.filter(({ name }) => !fresh.some((entry) => entry.name === name));
  const judges = [...of("panel"), ...of("verdicts"), ...before, ...of("scores")];
  const next: RunManifest = { ...manifest, judges };
  writeFileAtomic(join(folder, RUN_FILES.manifest), `${JSON.stringify(next, null, 2)}\n`);
}
