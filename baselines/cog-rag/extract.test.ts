import { describe, expect, test } from "vitest";
import { scriptedModel } from "../../tests/support/scripted-model.ts";
import { extractChunk, readEntities, readTheme, recordCount } from "./extract.ts";

describe("theme of a chunk", () => {
  test("the theme and its key entities, in upper case", () => {
    const output = [
      '("theme" | The kettle is safe.)',
      '("key_entity" | "Kettle" | product | boils water | 90)',
      '("key_entity" | | product | has no name | 90)',
      "<|COMPLETE|>",
    ].join("\n");
    expect(readTheme(output)).toEqual({
      text: "THE KETTLE IS SAFE.",
      keys: [{ name: "KETTLE", type: "PRODUCT", description: "boils water" }],
    });
  });

  test("several themes of one chunk are joined, not lost", () => {
    const output = '("theme" | One.)\n("key_entity" | K | t | d | 1)\n("theme" | Two.)';
    expect(readTheme(output)).toMatchObject({ text: "ONE. TWO.", keys: [{ name: "K" }] });
  });

  test("without a theme record the first raw record stands for it; a chunk may have no keys", () => {
    expect(readTheme("(It is about kettles)\nmore<|COMPLETE|>")).toEqual({
      text: "IT IS ABOUT KETTLES",
      keys: [],
    });
    expect(readTheme("\n<|COMPLETE|>\n---")).toBeUndefined();
  });
});

describe("entities and links of a chunk", () => {
  test("fields are counted from the end", () => {
    const output = [
      '("Entity" | Marlow | organization | leases | since 2022 | 1.2 million)',
      '("Low-order Hyperedge" | Tarn | Marlow | a lease | lease, town | 0.8)',
      '("High-order Hyperedge" | Tarn | Aube | Marlow | lease | all four | in general | term, price | strong)',
    ].join("\n");
    expect(readEntities(output)).toEqual({
      entities: [
        {
          name: "MARLOW",
          type: "ORGANIZATION",
          description: "leases",
          properties: ["since 2022", "1.2 million"],
        },
      ],
      relations: [
        {
          names: ["MARLOW", "TARN"],
          description: "a lease",
          keywords: "lease, town",
          strength: 0.8,
        },
        {
          names: ["AUBE", "LEASE", "MARLOW", "TARN"],
          description: "all four",
          keywords: "term, price",
          strength: 0.75,
        },
      ],
    });
  });

  test("names of a link are distinct and sorted; one name alone is no link", () => {
    const output = [
      '("High-order Hyperedge" | b | A | B | d | g | k | 1)',
      '("Low-order Hyperedge" | A | a | d | k | 1)',
    ].join("\n");
    expect(readEntities(output).relations.map(({ names }) => names)).toEqual([["A", "B"]]);
  });

  test("records with too few fields are none", () => {
    const output = [
      '("Entity" | A | type)',
      '("Low-order Hyperedge" | A | B | d | k)',
      '("High-order Hyperedge" | A | d | g | k | 1)',
    ].join("\n");
    expect(readEntities(output)).toEqual({ entities: [], relations: [] });
  });
});

test("two calls a chunk; bars of a table do not reach the model, and both parts have to give something", async () => {
  const theme = { content: '("theme" | T.)\n("key_entity" | K | t | d | 9)' };
  const details = { content: '("Entity" | A | t | d)\n("Entity" | B | t | d)' };
  const table = "| Year | Sales |\n| 2023 | 12 |";
  const model = scriptedModel([
    theme,
    details,
    theme,
    { content: "none" },
    { content: "" },
    details,
  ]);
  const first = await extractChunk(table, model);
  expect(model.requests.map(({ task }) => task)).toEqual(["cog-rag.theme", "cog-rag.entities"]);
  for (const { messages } of model.requests) {
    expect(messages[0]!.content).toContain("¦ Year ¦ Sales ¦\n¦ 2023 ¦ 12 ¦");
  }
  expect(recordCount(first)).toBe(4);
  expect(recordCount(await extractChunk(table, model))).toBe(0);
  expect(recordCount(await extractChunk(table, model))).toBe(0);
});
