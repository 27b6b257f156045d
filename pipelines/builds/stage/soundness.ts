import { RitbenchError } from "../../../core/errors.ts";
import type { BuildManifest } from "./manifest.ts";

/** Above this share of failures an artefact is marked. */
export const MOST_FAILURES = 0.02;

/** Failed and empty units among those that count; null before any does. */
export function failureShare({ counts }: Pick<BuildManifest, "counts">): number | null {
  const { extracted, failed, empty } = counts;
  const counted = extracted + failed + empty;
  return counted === 0 ? null : (failed + empty) / counted;
}

/** What a table says of an artefact that should not be trusted; undefined for a finished one with few failures. */
export function buildMark(build: BuildManifest): string | undefined {
  const { status, counts, unit } = build;
  const share = failureShare(build) ?? 0;
  if (share > MOST_FAILURES) {
    const bad = counts.failed + counts.empty;
    const percent = (share * 100).toFixed(1);
    return `unsound: ${bad} of ${counts.extracted + bad} ${unit}s failed (${percent}%)`;
  }
  if (status !== "finished") return `unfinished: ${doneUnits(build)} of ${counts.total} ${unit}s`;
  return undefined;
}

/** The artefact's name in manifests and captions: its fingerprint, with the mark where it has one. */
export function buildKind(build: BuildManifest): string {
  const mark = buildMark(build);
  return mark === undefined ? build.fingerprint : `${build.fingerprint} (${mark})`;
}

export function doneUnits({ counts }: Pick<BuildManifest, "counts">): number {
  return counts.extracted + counts.failed + counts.empty + counts.blank;
}

/**
 * Refuses an artefact that is unfinished or of which more than 2% failed.
 *
 * @param force use it all the same; its {@link buildKind} carries the mark into every table
 * @throws RitbenchError E_BUILD_UNSOUND or E_BUILD_UNFINISHED
 */
export function requireSoundBuild(build: BuildManifest, { force }: { force: boolean }): void {
  const mark = buildMark(build);
  if (mark === undefined || force) return;
  const unsound = mark.startsWith("unsound");
  const first = build.problems[0];
  throw new RitbenchError(
    unsound ? "E_BUILD_UNSOUND" : "E_BUILD_UNFINISHED",
    `the ${build.what.kind} build ${build.fingerprint} is ${mark}`,
    {
      where: build.what.kind,
      ...(unsound && { expected: `at most ${MOST_FAILURES * 100}% failures` }),
      ...(first !== undefined && { got: `${first.unit}: ${first.message}` }),
      next: unsound
        ? "`ritbench build <config> --retry-failed` tries the failed units again; --force uses the artefact, and every table carries the mark"
        : "`ritbench build <config>` goes on where it stopped; --force uses what there is, and every table carries the mark",
    },
  );
}
