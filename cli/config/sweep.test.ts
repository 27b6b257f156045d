import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { loadSweep } from "./sweep.ts";

function sweep(text: string) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "sweep.yaml"), `schema: ritbench.sweep/1\nname: s\n${text}`);
  return () => loadSweep("sweep.yaml", folder);
}

describe("loadSweep", () => {
  it("makes k' follow n, whatever the base says", () => {
    const { points } = sweep("base: configs/financebench.yaml\ngrid: { n: [5, 25] }")();
    expect(points.map(({ config }) => config.parameters["rit-rag"])).toEqual([
      { n: 5, kPrime: 20, B: 10, Bs: 3 },
      { n: 25, kPrime: 100, B: 10, Bs: 3 },
    ]);
    expect(points.map(({ config }) => config.name)).toEqual([
      "financebench-s-n-5",
      "financebench-s-n-25",
    ]);
  });

  it("leaves k' to a grid that names it, and combines everything, the first slowest", () => {
    const { points } = sweep(
      "base: configs/financebench.yaml\ngrid: { n: [5, 25], kPrime: [100, 200] }",
    )();
    expect(points.map(({ label }) => label)).toEqual([
      "n=5, kPrime=100",
      "n=5, kPrime=200",
      "n=25, kPrime=100",
      "n=25, kPrime=200",
    ]);
    expect(points[1]?.config.parameters["rit-rag"]).toMatchObject({ n: 5, kPrime: 200 });
  });

  it("sets k for every chunk method, chunk size, kappa, and any path", () => {
    const { points } = sweep(
      "base: configs/financebench.yaml\ngrid: { k: [3], chunk: [128], kappa: [10], retrieval.bm25.k1: [1.2] }",
    )();
    expect(points[0]?.config).toMatchObject({
      parameters: { vanilla: { k: 3 }, "agentic-search": { k: 3 } },
      retrieval: { chunk: { maxTokens: 128 }, kappa: 10, bm25: { k1: 1.2 } },
    });
  });

  it("refuses an unknown path, a parameter no method has, and a file that is no sweep", () => {
    expect(sweep("base: configs/financebench.yaml\ngrid: { retrieval.kapa: [1] }")).toThrow(
      expect.objectContaining({ code: "E_CONFIG_FIELD" }),
    );
    expect(
      sweep("base: configs/financebench.yaml\nset: { methods: [vanilla] }\ngrid: { Bs: [1] }"),
    ).toThrow(expect.objectContaining({ message: "no method of the base has the parameter Bs" }));
    expect(sweep("base: configs/financebench.yaml\ngird: { n: [1] }")).toThrow(
      expect.objectContaining({ code: "E_SWEEP_FILE" }),
    );
  });
});
