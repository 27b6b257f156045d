/** Makes `dist/`: JavaScript with types, and beside it the data files (prompts, configs, samples, schema) that the code reads. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const rooms = [
  "core",
  "datasets",
  "models",
  "retrievers",
  "pipelines",
  "methods",
  "baselines",
  "library",
  "judges",
  "reports",
  "configs",
  "cli",
];
const assets = /\.(md|txt|ya?ml|json|jsonl|tsv|gz|html|css|pdf|js)$/;

rmSync(dist, { recursive: true, force: true });
execFileSync(
  process.execPath,
  [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "tsconfig.build.json"],
  {
    cwd: root,
    stdio: "inherit",
  },
);
for (const room of rooms) {
  mkdirSync(join(dist, room), { recursive: true });
  cpSync(join(root, room), join(dist, room), {
    recursive: true,
    filter: (path) => !/\.[^/\\]*$/.test(path.slice(root.length)) || assets.test(path),
  });
}
