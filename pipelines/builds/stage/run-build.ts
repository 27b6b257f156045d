import { RitbenchError } from "../../../core/errors.ts";
import { fingerprint } from "../../../core/fingerprint.ts";
import { lockBuild } from "./lock.ts";
import { type BuildManifest, readBuildManifest } from "./manifest.ts";
import type { BuildRequest, BuildUnit } from "./request.ts";
import { openUnitStore, type UnitRecord } from "./unit-store.ts";
import { processUnits } from "./work.ts";

/** A build's artefact as it lies on disk. */
export interface OpenBuild<R> {
  readonly folder: string;
  readonly manifest: BuildManifest;
  /** A unit's record; undefined for one that was not processed. Read from disk at each call. */
  get(key: string): UnitRecord<R> | undefined;
  close(): Promise<void>;
}

/**
 * Processes every unit that the folder does not hold yet and opens the result; a finished build is opened as it is.
 * Each reply and each unit is on disk before it counts, so that a kill costs nothing that was paid for. A reached
 * cost cap and the signal end the build with its status (`budget`, `interrupted`); the same request goes on later.
 *
 * @throws RitbenchError E_BUILD_DIFFERS when the folder holds another build, E_BUILD_HOPELESS when 25 units in a row
 * failed on their calls; ModelError `auth` and `quota`; programming faults of `process`
 */
export async function runBuild<U extends BuildUnit, R>(
  request: BuildRequest<U, R>,
): Promise<OpenBuild<R>> {
  const { folder } = request;
  const finished = finishedBuild<R>(request);
  if (finished !== undefined) return finished;
  const lock = await lockBuild(folder, request.signal, request.onWaiting);
  try {
    const meanwhile = finishedBuild<R>(request);
    if (meanwhile !== undefined) return meanwhile;
    const store = openUnitStore(folder);
    try {
      await processUnits(request, store);
    } finally {
      await store.close();
    }
  } finally {
    lock.release();
  }
  return openBuild<R>(folder);
}

/**
 * Opens a build for reading, finished or not.
 *
 * @throws RitbenchError E_BUILD_MISSING where none was begun.
 */
export function openBuild<R>(folder: string): OpenBuild<R> {
  const manifest = readBuildManifest(folder);
  if (manifest === undefined) {
    throw new RitbenchError("E_BUILD_MISSING", "no build here", {
      where: folder,
      next: "ritbench build <config>",
    });
  }
  const store = openUnitStore(folder);
  return {
    folder,
    manifest,
    // Written by the same `process` that the caller's type stands for: the fingerprint covers its version.
    get: (key) => store.get(key) as UnitRecord<R> | undefined,
    close: store.close,
  };
}

function finishedBuild<R>({
  folder,
  what,
  retryFailed,
}: BuildRequest<BuildUnit, unknown>): OpenBuild<R> | undefined {
  const manifest = readBuildManifest(folder);
  if (manifest === undefined) return undefined;
  if (manifest.fingerprint !== fingerprint(what)) {
    throw new RitbenchError("E_BUILD_DIFFERS", "the folder holds another build", {
      where: folder,
      expected: `${what.kind} ${fingerprint(what)}`,
      got: `${manifest.what.kind} ${manifest.fingerprint}`,
      next: "remove the folder, or build into another one",
    });
  }
  const again = retryFailed === true && manifest.counts.failed + manifest.counts.empty > 0;
  return manifest.status === "finished" && !again ? openBuild<R>(folder) : undefined;
}
