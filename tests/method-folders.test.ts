import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageFile } from "../core/package-file.ts";

/** Lines in a row that would be a copy. */
const RUN = 6;

const folders = ["methods", "baselines"].flatMap((room) =>
  readdirSync(packageFile(room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(room, name)),
);

test("no six lines in a row stand in two method folders", () => {
  expect(folders.length).toBeGreaterThan(5);
  const seen = new Map<string, string>();
  const copies = new Set<string>();
  for (const folder of folders) {
    const files = readdirSync(packageFile(folder), { recursive: true, encoding: "utf8" });
    for (const file of files.filter((path) => /(?<!\.test)\.ts$/.test(path))) {
      const lines = readFileSync(join(packageFile(folder), file), "utf8")
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "");
      for (let i = 0; i + RUN <= lines.length; i++) {
        const run = lines.slice(i, i + RUN).join("\n");
        const other = seen.get(run);
        if (other === undefined) seen.set(run, folder);
        else if (other !== folder) copies.add(`${other} and ${folder}:\n${run}`);
      }
    }
  }
  expect([...copies]).toEqual([]);
});
