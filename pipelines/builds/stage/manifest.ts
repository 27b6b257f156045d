import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RitbenchError } from "../../../core/errors.ts";
import { writeFileAtomic } from "../../../core/files.ts";
import type { Fingerprint } from "../../../core/fingerprint.ts";
import type { BuildLedger } from "./ledger.ts";
import type { UnitOutcome } from "./unit-store.ts";
import type { BuildWhat } from "./what.ts";

export type BuildStatus = "running" | "finished" | "interrupted" | "budget" | "failed";

/** Units by how they ended; `total` is how many there are. */
export type BuildCounts = { total: number } & { [outcome in UnitOutcome]: number };

/** `build.json`: what a build is, how far it came, and what it cost. */
export interface BuildManifest {
  schema: "ritbench.build/1";
  fingerprint: Fingerprint;
  what: BuildWhat;
  /** The model is a stand-in: captions must say so. */
  offline: boolean;
  /** What one unit is: `node`, `chunk`, `document`. */
  unit: string;
  status: BuildStatus;
  /** Why it stopped, where it did not finish. */
  stopped?: string;
  counts: BuildCounts;
  ledger: BuildLedger;
  /** The first failures, named. */
  problems: readonly { unit: string; code: string; message: string }[];
  startedAt: string;
  updatedAt: string;
}

const FILE = "build.json";

/** The manifest of a build's folder; undefined where no build was begun. */
export function readBuildManifest(folder: string): BuildManifest | undefined {
  const path = join(folder, FILE);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as BuildManifest;
  } catch (cause) {
    throw new RitbenchError("E_BUILD_CORRUPT", "the build's manifest cannot be read", {
      where: path,
      next: "remove the file; the next build counts the stored units again and makes no call twice",
      cause,
    });
  }
}

export function writeBuildManifest(folder: string, manifest: BuildManifest): void {
  writeFileAtomic(join(folder, FILE), `${JSON.stringify(manifest, null, 2)}\n`);
}
