/** `npm run quickstart`: installs if needed, runs every method on the sample corpora without a key, leaves the report in `report/`. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import "./ensure-install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "bin", "ritbench.js"),
    "run",
    "configs/quickstart.yaml",
    ...["--data", join(root, "datasets", "samples"), "--out", "report"],
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: "inherit" },
);
process.exitCode = status ?? 1;
