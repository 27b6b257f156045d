import { describe, expect, it } from "vitest";
import { parseConfig } from "./load.ts";

const minimal = {
  name: "toy",
  datasets: ["wixqa"],
  methods: ["vanilla"],
  models: ["offline:extractive"],
};

function fault(value: unknown): { code?: string; message?: string; details?: object } {
  try {
    parseConfig(value, "toy.yaml", []);
  } catch (error) {
    return error as { code?: string };
  }
  return {};
}

describe("parseConfig", () => {
  it("fills in the paper's defaults", () => {
    const config = parseConfig(minimal, "toy.yaml", []);
    expect(config.retrieval).toMatchObject({
      chunk: { maxTokens: 512, overlap: 0 },
      bm25: { k1: 1.5, b: 0.75 },
      kappa: 60,
    });
    expect(config.repeats).toBe(1);
  });

  it("names an unknown field by its path, with a near miss", () => {
    expect(fault({ ...minimal, retrieval: { kapa: 3 } })).toMatchObject({
      code: "E_CONFIG_FIELD",
      message: "unknown field retrieval.kapa",
      details: { where: "toy.yaml", next: "did you mean kappa?" },
    });
  });

  it("looks inside a union", () => {
    expect(fault({ ...minimal, datasets: [{ name: "wixqa", optoins: {} }] })).toMatchObject({
      message: "unknown field datasets.0.optoins",
      details: { next: "did you mean options?" },
    });
  });

  it("says what was expected and what was there", () => {
    expect(fault({ ...minimal, repeats: "three" })).toMatchObject({
      message: "repeats is not valid",
      details: { got: '"three"' },
    });
    expect(fault({ ...minimal, methods: [] })).toMatchObject({ message: "methods is not valid" });
    expect(fault(null)).toMatchObject({
      code: "E_CONFIG_FIELD",
      message: "the config is not valid",
    });
  });

  it("sets any value from the command line", () => {
    const overrides = [
      { path: "parameters.rit-rag.n", value: 25, flag: "--set" },
      { path: "retrieval.bm25.k1", value: 1.2, flag: "--set" },
      { path: "models", value: ["openai:gpt-5-mini"], flag: "--model" },
    ];
    const config = parseConfig(minimal, "toy.yaml", overrides);
    expect(config.parameters["rit-rag"]).toEqual({ n: 25 });
    expect(config.retrieval.bm25.k1).toBe(1.2);
    expect(config.models).toEqual(["openai:gpt-5-mini"]);
  });

  it("refuses an override through a scalar", () => {
    expect(() =>
      parseConfig(minimal, "toy.yaml", [{ path: "name.x", value: 1, flag: "--set" }]),
    ).toThrow(expect.objectContaining({ code: "E_CONFIG_FIELD" }));
  });
});
