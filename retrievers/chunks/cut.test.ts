import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import { realModelsFolder } from "../../tests/support/real-data.ts";
import { bpeTokenizer } from "../tokenizer/bpe-tokenizer.ts";
import { modelTokenizer } from "../tokenizer/model-tokenizer.ts";
import type { Seams, Tokenizer } from "../tokenizer/tokenizer.ts";
import { type CutOptions, cutText } from "./cut.ts";

/** One token a word, `lines` seams: small enough to work by hand. */
function wordTokenizer(seams: Seams = "line"): Tokenizer {
  return {
    id: "words",
    fingerprint: fingerprint("words"),
    seams,
    count: (text) => text.split(/\s+/).filter((word) => word !== "").length,
  };
}

const hard = (maxTokens: number, rest: Partial<CutOptions> = {}): CutOptions => ({
  maxTokens,
  overlapTokens: 0,
  snap: "none",
  ...rest,
});
const slices = (text: string, tokenizer: Tokenizer, options: CutOptions): string[] =>
  Array.from(cutText(text, tokenizer, options), ({ start, end }) => text.slice(start, end));

describe("cutText by hand", () => {
  test("five words at two a chunk", () => {
    expect(slices("a b c d e", wordTokenizer(), hard(2))).toEqual(["a b", " c d", " e"]);
  });

  test("an overlap of one repeats the last word", () => {
    expect(slices("a b c d e", wordTokenizer(), hard(3, { overlapTokens: 1 }))).toEqual([
      "a b c",
      " c d e",
    ]);
  });

  test("sentence snapping ends a chunk at the full stop in its second half, not in its first", () => {
    const snapped = hard(4, { snap: "sentence" });
    expect(slices("a b. c d e f g h", wordTokenizer(), snapped)).toEqual([
      "a b.",
      " c d e f",
      " g h",
    ]);
    expect(slices("a. b c d e f", wordTokenizer(), snapped)).toEqual(["a. b c d", " e f"]);
  });

  test("blanks alone give no chunk; blanks around words stay in the slices", () => {
    expect(slices(" \n\t ", wordTokenizer(), hard(2))).toEqual([]);
    expect(slices("  a b  c ", wordTokenizer(), hard(2)).join("")).toBe("  a b  c ");
  });

  test("a word that alone is too long is cut between code points", () => {
    const bytes: Tokenizer = { ...wordTokenizer(), count: (text) => Buffer.byteLength(text) };
    const text = "x 🦉🦉🦉🦉🦉🦉🦉🦉🦉🦉";
    const cut = slices(text, bytes, hard(16));
    expect(cut.join("")).toBe(text);
    expect(cut.every((slice) => slice.isWellFormed())).toBe(true);
  });
});

const tokenizers: [string, () => Tokenizer][] = [
  ["words, line seams", () => wordTokenizer("line")],
  ["words, no seams", () => wordTokenizer("none")],
  ["o200k_base", bpeTokenizer],
  ["o200k_base without seams", () => ({ ...bpeTokenizer(), seams: "none" })],
];
if (realModelsFolder !== undefined) {
  const folder = join(realModelsFolder, "all-MiniLM-L6-v2");
  tokenizers.push(["all-MiniLM-L6-v2", () => modelTokenizer(folder)]);
}

/** Words, numbers, blanks of all kinds, marks, CJK, emoji, special tokens written out, very long words. */
const hostileText = fc
  .array(
    fc.oneof(
      { arbitrary: fc.stringMatching(/^[a-z]{1,12}$/), weight: 6 },
      {
        arbitrary: fc.constantFrom(
          " ",
          "  ",
          "\n",
          "\t",
          "\r\n",
          "\u00a0",
          "\f",
          "\u3000",
          "\ufeff",
          "\u200b",
          "\0",
        ),
        weight: 6,
      },
      fc.constantFrom(
        ".",
        "/",
        "...",
        "$1,234.56",
        "[SEP]",
        "<|endoftext|>",
        "##ing",
        "e\u0301",
        "\u0301",
        "漢字",
        "🦉",
        "👩‍🚀",
      ),
      fc.string({ unit: "binary", maxLength: 6 }),
      fc.integer({ min: 20, max: 150 }).map((n) => "ab9".repeat(n)),
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join("").toWellFormed());

describe.each(tokenizers)("cutText with %s", (_name, make) => {
  const tokenizer = make();

  test("joined slices are the text, every count is that of the slice, none over the maximum", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 16, max: 60 }), (text, maxTokens) => {
        const cuts = [...cutText(text, tokenizer, hard(maxTokens))];
        const joined = cuts.map(({ start, end }) => text.slice(start, end)).join("");
        expect(joined).toBe(/\S/.test(text) ? text : "");
        for (const { start, end, tokens } of cuts) {
          const slice = text.slice(start, end);
          expect(slice.isWellFormed()).toBe(true);
          expect(tokens).toBe(tokenizer.count(slice));
          expect(tokens).toBeLessThanOrEqual(maxTokens);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("the parts of a word that is too long each stand alone, since their counts do not add up", () => {
    const text = "aaaatcagp𐀀𐀀\u{d3780}\u{1d541}aafᄀ𐀀𐀀𐀀";
    for (const overlapTokens of [0, 6]) {
      for (let maxTokens = 2; maxTokens < 45; maxTokens++) {
        for (const { start, end, tokens } of cutText(
          text,
          tokenizer,
          hard(maxTokens, { overlapTokens }),
        )) {
          expect(tokens).toBe(tokenizer.count(text.slice(start, end)));
        }
      }
    }
  });

  test("with overlap and snapping every character is covered in order", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 16, max: 40 }), (text, maxTokens) => {
        const options: CutOptions = { maxTokens, overlapTokens: 6, snap: "sentence" };
        let covered = 0;
        for (const { start, end, tokens } of cutText(text, tokenizer, options)) {
          expect(start).toBeLessThanOrEqual(covered);
          expect(end).toBeGreaterThan(covered);
          expect(tokens).toBe(tokenizer.count(text.slice(start, end)));
          expect(tokens).toBeLessThanOrEqual(maxTokens);
          covered = end;
        }
        expect(covered).toBe(/\S/.test(text) ? text.length : 0);
      }),
      { numRuns: 100 },
    );
  });
});
