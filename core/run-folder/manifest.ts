import { readFileSync } from "node:fs";
import { join } from "node:path";
import { messageOf, RitbenchError } from "../errors.ts";
import type { RunManifest } from "../record.ts";
import { RUN_FILES } from "./paths.ts";
import type { RunProblem } from "./problem.ts";

/**
 * Manifest of a run. A manifest of another version is read as far as it goes, and named.
 *
 * @throws RitbenchError E_RUN_MISSING when the folder holds no readable manifest.
 */
export function readManifest(folder: string): { manifest: RunManifest; problems: RunProblem[] } {
  const path = join(folder, RUN_FILES.manifest);
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new RitbenchError("E_RUN_MISSING", "no run lies here", {
      where: path,
      expected: "a run folder with a manifest.json",
      got: messageOf(cause),
      next: "ritbench runs",
      cause,
    });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new RitbenchError("E_RUN_MISSING", "the run's manifest is not a manifest", {
      where: path,
      got: JSON.stringify(value).slice(0, 80),
      next: "ritbench runs",
    });
  }
  const found = value as Partial<RunManifest>;
  const problems: RunProblem[] =
    found.schema === "ritbench.run/1"
      ? []
      : [
          {
            kind: "other_version",
            where: RUN_FILES.manifest,
            detail: `schema ${String(found.schema)}, this version reads ritbench.run/1`,
          },
        ];
  return { manifest: { ...EMPTY, ...found } as RunManifest, problems };
}

const EMPTY: Omit<RunManifest, "id" | "identity"> = {
  schema: "ritbench.run/1",
  name: "unknown",
  identityConfig: null,
  config: null,
  programVersion: "unknown",
  startedAt: "unknown",
  updatedAt: "unknown",
  status: "interrupted",
  datasets: [],
  methods: [],
  models: [],
  judges: [],
};
