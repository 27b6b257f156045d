import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { packageFile } from "../../core/package-file.ts";
import { judgeFactories } from "../../judges/registry.ts";
import { readPaperValues } from "../../reports/paper/expected.ts";
import { loadConfig } from "./load.ts";
import { loadSweep } from "./sweep.ts";

const yamlIn = (folder: string): string[] =>
  readdirSync(packageFile(folder))
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => `${folder}/${name}`);
const NOT_EXPERIMENTS = ["configs/models.yaml", "configs/paper/expected.yaml"];
const experiments = [...yamlIn("configs"), ...yamlIn("configs/paper")].filter(
  (name) => !NOT_EXPERIMENTS.includes(name),
);

describe("shipped configs", () => {
  it.each(experiments)("%s is a valid experiment", (name) => {
    const config = loadConfig(name, "/", []);
    for (const scorer of config.scorers) expect(Object.keys(judgeFactories)).toContain(scorer);
  });

  it.each(yamlIn("configs/sweeps"))("%s is a valid sweep", (name) => {
    expect(loadSweep(name, "/").points.length).toBeGreaterThan(1);
  });

  it("names an experiment for every table of the paper that needs one", () => {
    const { tables, figures } = readPaperValues();
    for (const { protocol } of [...tables, ...figures]) {
      for (const name of protocol) {
        expect(experiments).toContain(join("configs", "paper", `${name}.yaml`));
      }
    }
  });
});
