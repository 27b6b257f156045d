import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson, type Json } from "../../core/json.ts";
import { packageFile } from "../../core/package-file.ts";
import { judgeFactories } from "../../judges/registry.ts";
import { readPaperValues } from "../../reports/paper/expected.ts";
import { identityOf } from "../wiring/identity.ts";
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

  it("lets experiments of one name continue one run: they differ only in what extends it", () => {
    const rest = new Map<string, string>();
    for (const file of experiments.filter((one) => one.startsWith("configs/paper/"))) {
      const config = loadConfig(file, "/", []);
      const { options, parameters, sampling, ...fixed } = identityOf(config) as Record<
        string,
        Json
      >;
      const found = rest.get(config.name) ?? canonicalJson(fixed);
      expect(canonicalJson(fixed), file).toBe(found);
      rest.set(config.name, found);
    }
    expect(rest.size).toBe(7);
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
