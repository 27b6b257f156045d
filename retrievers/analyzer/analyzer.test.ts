import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnalyzerConfig, createAnalyzer } from "./analyzer.ts";
import { createByteScanner } from "./byte-scanner.ts";
import { LUCENE_33 } from "./stop-words.ts";
import { createTermTable } from "./term-table.ts";

const CONFIGS: AnalyzerConfig[] = [
  { tokenizer: "unicode-word", lowercase: true },
  { tokenizer: "unicode-word", lowercase: false },
  { tokenizer: "unicode-word", lowercase: true, stem: "porter" },
  { tokenizer: "unicode-word", lowercase: true, stem: "porter", stopWords: "lucene-33" },
  { tokenizer: "unicode-word", lowercase: false, stopWords: "lucene-33" },
];

describe("terms", () => {
  const { terms } = createAnalyzer();

  it.each([
    ["The 10-K's margin: 1,577.5%", ["the", "10", "k", "s", "margin", "1", "577", "5"]],
    ["Scotch™ and Post-it®", ["scotch", "and", "post", "it"]],
    ["eﬃcient ＦＵＬＬ", ["efficient", "full"]],
    ["cafe\u0301 CAFÉ", ["café", "café"]],
    ["infor\u00admation", ["information"]],
    ["snake_case", ["snake", "case"]],
    ["Größe ΟΔΟΣ Насос", ["größe", "οδος", "насос"]],
    ["油圧ポンプの弁", ["油", "圧", "ポンプ", "の", "弁"]],
    ["हिन्दी", ["हिन्दी"]],
    ["✔️ 👩‍🔧 \u0301", []],
    ["\ud800x", ["x"]],
    ["", []],
  ])("cuts %j", (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });

  it("stems and leaves out stop words when asked to", () => {
    const analyzer = createAnalyzer(CONFIGS[3]);
    expect(analyzer.terms("The relational databases are connected to It")).toEqual([
      "relat",
      "databas",
      "connect",
    ]);
    expect(LUCENE_33.size).toBe(33);
  });

  it("has a fingerprint of its own for every config", () => {
    const prints = new Set(CONFIGS.map((config) => createAnalyzer(config).fingerprint));
    expect(prints.size).toBe(CONFIGS.length);
  });
});

describe("byte scanner", () => {
  function scanned(config: AnalyzerConfig, texts: readonly (string | Uint8Array)[]): string[][] {
    const table = createTermTable();
    const scanner = createByteScanner(createAnalyzer(config), table);
    return texts.map((text) => {
      const count = scanner.scan(text);
      return Array.from(scanner.out.subarray(0, count), (id) => table.text(id));
    });
  }

  const piece = fc.oneof(
    fc.string({ unit: "binary", maxLength: 6 }),
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      ..."The running é e\u0301 ﬁ ™ ½ K İ ß ﷺ 泵 の ポ ह ि न् 𝒜 👩‍🔧 ’s — \u00ad \u200d \ufe0f \ufeff It".split(
        " ",
      ),
      " ",
      "\ud800",
      "\udc00",
    ),
  );
  const text = fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join(""));

  it.each(CONFIGS)("gives the terms of the analyzer: %j", (config) => {
    const analyzer = createAnalyzer(config);
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), (texts) => {
        // A lone surrogate has no UTF-8; it ends a word either way.
        expect(scanned(config, texts)).toEqual(texts.map((each) => analyzer.terms(each)));
        const bytes = texts.map((each) => Buffer.from(each));
        expect(scanned(config, bytes)).toEqual(texts.map((each) => analyzer.terms(each)));
      }),
      { numRuns: 400 },
    );
  });

  it("treats bytes that are not UTF-8 as the end of a word", () => {
    const analyzer = createAnalyzer();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const decoded = Buffer.from(bytes).toString("utf8");
        expect(scanned(analyzer.config, [bytes])).toEqual([analyzer.terms(decoded)]);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes texts longer than its buffers, and ligatures that grow", () => {
    const long = `${"word ".repeat(30_000)}${"é".repeat(40_000)} ${"ﷺ".repeat(500)}`;
    const analyzer = createAnalyzer();
    expect(scanned(analyzer.config, [long, "x"])).toEqual([analyzer.terms(long), ["x"]]);
  });
});
