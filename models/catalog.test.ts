import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadCatalog, makeCatalog, parseModelsFile } from "./catalog.ts";

const shipped = () => loadCatalog([join(import.meta.dirname, "../configs/models.yaml")]);
const file = (more: object) =>
  parseModelsFile({ schema: "ritbench.models/1", ...more }, "test.yaml");
const price = { inputUsdPerMTok: 1, outputUsdPerMTok: 2, source: "s", date: "2026-01-01" };

describe("the shipped models file", () => {
  it("holds the prices of the paper's Table 7", async () => {
    const catalog = await shipped();
    const prices = ["haiku", "gpt-5-mini", "luna", "qwen3-32b"].map((id) => {
      const { inputUsdPerMTok, outputUsdPerMTok } = catalog.priceOf(id)!;
      return [inputUsdPerMTok, outputUsdPerMTok];
    });
    expect(prices).toEqual([
      [0.76, 3.8],
      [0.25, 2],
      [1, 6],
      [0.08, 0.28],
    ]);
    expect(catalog.priceOf("google:gemini-2.5-flash")).toMatchObject({ inputUsdPerMTok: 0.3 });
  });

  it("holds the paper's decoding", async () => {
    const catalog = await shipped();
    const sampling = (id: string) => catalog.resolve(id).defaults("answer").sampling;
    expect(sampling("haiku")).toEqual({});
    expect(sampling("gpt-5-mini")).toEqual({ temperature: 1, reasoningEffort: "medium" });
    expect(sampling("luna")).toEqual({ temperature: 1, reasoningEffort: "none" });
    expect(sampling("qwen3-32b@http://localhost:8000/v1")).toEqual({
      temperature: 0.7,
      topP: 0.8,
      topK: 20,
      minP: 0,
      reasoningEffort: "none",
    });
    expect(sampling("gemini-2.5-flash")).toEqual({ temperature: 0 });
    for (const role of ["answer", "build"] as const) {
      expect(catalog.resolve("haiku").defaults(role).maxTokens).toBe(8192);
    }
  });

  it("dates and sources every price, cached ones too", async () => {
    for (const entry of (await shipped()).entries) {
      expect(entry.price?.source).toBeTruthy();
      expect(entry.price?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
    }
  });
});

describe("model ids", () => {
  const catalog = makeCatalog([
    file({
      unlistedContextTokens: 9_000,
      models: [
        { id: "anthropic:c", aliases: ["c"], snapshot: "c-2026", contextTokens: 100, price },
        { id: "openai-compatible:team/m", aliases: ["m"], contextTokens: 50 },
      ],
    }),
  ]);

  it("resolve aliases to the id, and the id to the dated snapshot that is sent", () => {
    expect(catalog.resolve("c")).toMatchObject({
      id: "anthropic:c",
      contextTokens: 100,
      identity: {
        provider: "anthropic",
        model: "c-2026",
        baseUrl: "https://api.anthropic.com",
      },
    });
  });

  it("take a base URL behind the name", () => {
    const resolved = catalog.resolve("m@http://localhost:1234/v1/");
    expect(resolved.id).toBe("openai-compatible:team/m@http://localhost:1234/v1/");
    expect(resolved.identity).toEqual({
      provider: "openai-compatible",
      model: "team/m",
      baseUrl: "http://localhost:1234/v1",
    });
    expect(catalog.resolve("openai-compatible:a@b@https://x/v1").identity.model).toBe("a@b");
    expect(() => catalog.resolve("m")).toThrow(
      expect.objectContaining({ code: "E_MODEL_ENDPOINT" }),
    );
  });

  it("may be unlisted: then the window is the assumed one and the price unknown", () => {
    const resolved = catalog.resolve("openai:gpt-99");
    expect(resolved).toMatchObject({ contextTokens: 9_000, price: undefined });
    expect(catalog.priceOf("openai:gpt-99")).toBeUndefined();
  });
});

describe("a user's models file", () => {
  it("replaces entries and provider settings of the files before it", () => {
    const first = file({
      providers: { openai: { concurrency: 4, baseUrl: "https://one/v1" } },
      models: [{ id: "openai:g", contextTokens: 10, price }],
    });
    const second = file({
      providers: { openai: { baseUrl: "https://two/v1" } },
      models: [{ id: "openai:g", contextTokens: 20 }],
    });
    const catalog = makeCatalog([first, second]);
    expect(catalog.resolve("openai:g")).toMatchObject({
      contextTokens: 20,
      price: undefined,
      identity: { baseUrl: "https://two/v1" },
    });
    expect(catalog.providerSettings("openai").concurrency).toBe(4);
  });

  it.each([
    [{ models: [{ id: "openai:g", contextTokens: 0 }] }, "models.0.contextTokens"],
    [{ models: [{ id: "g", contextTokens: 5 }] }, "models.0.id"],
    [
      { models: [{ id: "openai:g", contextTokens: 5, price: { inputUsdPerMTok: 1 } }] },
      "models.0.price",
    ],
    [{ providers: { openai: { concurrency: -1 } } }, "providers.openai.concurrency"],
    [{ schema: "ritbench.models/9" }, "schema"],
  ])("names the path of a fault: %j", (raw, path) => {
    expect(() => file(raw)).toThrow(
      expect.objectContaining({
        code: "E_MODELS_FILE",
        details: expect.objectContaining({ where: expect.stringContaining(path) }),
      }),
    );
  });

  it("suggests the field a misspelt one is near to", () => {
    expect(() => file({ models: [{ id: "openai:g", contextToken: 5, contextTokens: 5 }] })).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ next: "did you mean contextTokens?" }),
      }),
    );
  });
});
