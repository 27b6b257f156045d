import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe } from "vitest";

/** Folder of real benchmark data, or undefined: tests that need it skip. */
export const realDataFolder = existing(process.env.RITBENCH_TEST_DATA);
/** Folder of encoder weights, or undefined. */
export const realModelsFolder = existing(process.env.RITBENCH_TEST_MODELS);

/** `describe` over real data at `path` below RITBENCH_TEST_DATA; skipped, and named so, where it is absent. */
export function describeRealData(name: string, path: string, body: (folder: string) => void): void {
  describeWith(name, "RITBENCH_TEST_DATA", realDataFolder, path, body);
}

/** `describe` over encoder weights at `path` below RITBENCH_TEST_MODELS; skipped, and named so, where they are absent. */
export function describeRealModel(
  name: string,
  path: string,
  body: (folder: string) => void,
): void {
  describeWith(name, "RITBENCH_TEST_MODELS", realModelsFolder, path, body);
}

function describeWith(
  name: string,
  variable: string,
  root: string | undefined,
  path: string,
  body: (folder: string) => void,
): void {
  const folder = root === undefined ? undefined : join(root, path);
  if (folder === undefined || !existsSync(folder)) {
    describe.skip(`${name} (skipped: set ${variable} to a folder that holds ${path})`, () =>
      body(path));
    return;
  }
  describe(name, () => body(folder));
}

function existing(folder: string | undefined): string | undefined {
  return folder !== undefined && folder !== "" && existsSync(folder) ? folder : undefined;
}
