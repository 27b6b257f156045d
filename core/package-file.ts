import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
/** The checkout, or `dist/` of the published package: both hold the rooms side by side. */
const roomsRoot = dirname(here);

/** Path of a file that ships with the package: `configs/quickstart.yaml`, `datasets/samples`, `package.json`. */
export function packageFile(path: string): string {
  const beside = join(roomsRoot, path);
  return existsSync(beside) ? beside : join(dirname(roomsRoot), path);
}
