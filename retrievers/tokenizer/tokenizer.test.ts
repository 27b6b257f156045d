import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeRealModel } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { byteLevelTokenizerFile } from "../../tests/support/tokenizer-files.ts";
import { cutText } from "../chunks/cut.ts";
import { bpeTokenizer } from "./bpe-tokenizer.ts";
import { modelTokenizer } from "./model-tokenizer.ts";
import { isSpace, nextSeam, type Tokenizer } from "./tokenizer.ts";

function fromFile(file: object, config: object = {}): Tokenizer {
  const folder = join(temporaryFolder(), "encoder");
  mkdirSync(folder);
  writeFileSync(join(folder, "tokenizer.json"), JSON.stringify(file));
  writeFileSync(join(folder, "tokenizer_config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "config.json"), "{}");
  return modelTokenizer(folder);
}

function partsOf(text: string, tokenizer: Tokenizer): string[] {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = nextSeam(text, from, text.length, tokenizer.seams);
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

describe("seams", () => {
  test("a run of blanks stays with the word after it", () => {
    const tokenizer = { seams: "line" } as Tokenizer;
    expect(partsOf("one two\n\n three\t", tokenizer)).toEqual(["one", " two", "\n\n three", "\t"]);
    expect(partsOf("one\ntwo three", { seams: "blank" } as Tokenizer)).toEqual([
      "one\ntwo",
      " three",
    ]);
    expect(partsOf("one two", { seams: "none" } as Tokenizer)).toEqual(["one two"]);
  });

  test("a blank after another kind of white space is no seam", () => {
    expect(partsOf("a\u00a0 b", { seams: "line" } as Tokenizer)).toEqual(["a\u00a0 b"]);
    for (const space of [
      " ",
      "\t",
      "\n",
      "\f",
      "\0",
      "\u0085",
      "\u00a0",
      "\u2003",
      "\u3000",
      "\ufeff",
    ]) {
      expect(isSpace(space.charCodeAt(0))).toBe(true);
    }
    for (const letter of ["a", "é", "漢", "-", "\u200b"])
      expect(isSpace(letter.charCodeAt(0))).toBe(false);
  });
});

/** Blanks of all kinds between short words, and what the file's added tokens look like. */
const blankText = fc
  .array(
    fc.constantFrom(
      "the",
      "he",
      "x",
      "é",
      "1",
      ".",
      "'s",
      " ",
      "  ",
      "   ",
      "\n",
      "\t",
      "\u00a0",
      "\f",
      "[MASK]",
      "<pad>",
      "漢",
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

describe("byte-level BPE (ModernBERT's kind)", () => {
  test("pieces by hand", () => {
    const tokenizer = fromFile(byteLevelTokenizerFile());
    expect(tokenizer.seams).toBe("blank");
    expect(tokenizer.count("the")).toBe(1);
    expect(tokenizer.count("the the")).toBe(2);
    expect(tokenizer.count("the  the")).toBe(3);
    expect(tokenizer.count("é")).toBe(2);
  });

  test("counts of the parts add up to the count of the whole", () => {
    const tokenizer = fromFile(byteLevelTokenizerFile());
    fc.assert(
      fc.property(blankText, (text) => {
        const sum = partsOf(text, tokenizer).reduce(
          (total, part) => total + tokenizer.count(part),
          0,
        );
        expect(sum).toBe(tokenizer.count(text));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["a prefix space", { pre_tokenizer: { type: "ByteLevel", add_prefix_space: true } }],
    ["another pattern", { pre_tokenizer: { type: "Whitespace" } }],
    [
      "a normaliser that removes",
      { normalizer: { type: "Strip", strip_left: true, strip_right: true } },
    ],
    [
      "a token that swallows what follows",
      {
        added_tokens: [
          {
            id: 0,
            content: "<s>",
            special: true,
            rstrip: true,
            lstrip: false,
            single_word: false,
            normalized: false,
          },
        ],
      },
    ],
  ])("%s: no promise, and every slice is counted as a whole", (_name, change) => {
    const tokenizer = fromFile({ ...byteLevelTokenizerFile(), ...change });
    expect(tokenizer.seams).toBe("none");
    const text = "the quick he said  the end ".repeat(20);
    const cuts = [...cutText(text, tokenizer, { maxTokens: 32, overlapTokens: 0, snap: "none" })];
    expect(cuts.map(({ start, end }) => text.slice(start, end)).join("")).toBe(text);
    for (const { start, end, tokens } of cuts) {
      expect(tokens).toBe(tokenizer.count(text.slice(start, end)));
      expect(tokens).toBeLessThanOrEqual(32);
      expect(tokens === 32 || end === text.length || /\s/.test(text[end]!)).toBe(true);
    }
  });
});

/** Counts by the Rust implementation of the same files. */
interface ReferenceCounts {
  rows: { text: string; miniLm: number; byteLevel: number }[];
}
const reference = JSON.parse(
  readFileSync(new URL("./fixtures/reference-counts.json", import.meta.url), "utf8"),
) as ReferenceCounts;

test("byte-level counts equal the reference implementation's", () => {
  const tokenizer = fromFile(byteLevelTokenizerFile());
  const counts = reference.rows.map(({ text }) => tokenizer.count(text));
  expect(counts).toEqual(reference.rows.map(({ byteLevel }) => byteLevel));
});

test("the named BPE takes special tokens in a text for text", () => {
  const tokenizer = bpeTokenizer();
  expect(tokenizer.id).toBe("o200k_base");
  expect(tokenizer.contentWindow).toBeUndefined();
  expect(tokenizer.count("<|endoftext|>")).toBeGreaterThan(1);
});

test("faults of the files are named", () => {
  expect(() => modelTokenizer(temporaryFolder())).toThrow(
    expect.objectContaining({ code: "E_TOKENIZER_MISSING" }),
  );
  const folder = temporaryFolder();
  writeFileSync(join(folder, "tokenizer.json"), "{");
  expect(() => modelTokenizer(folder)).toThrow(
    expect.objectContaining({ code: "E_TOKENIZER_BROKEN" }),
  );
  expect(() => fromFile({ model: { type: "Quantum" } })).toThrow(
    expect.objectContaining({ code: "E_TOKENIZER_BROKEN" }),
  );
});

describeRealModel("all-MiniLM-L6-v2's tokenizer", "all-MiniLM-L6-v2", (folder) => {
  test("512 less [CLS] and [SEP]; the file's own cut at 128 plays no part", () => {
    const tokenizer = modelTokenizer(folder);
    expect(tokenizer.contentWindow).toBe(510);
    expect(tokenizer.seams).toBe("line");
    expect(tokenizer.count("word ".repeat(1000))).toBe(1000);
    expect(tokenizer.count("unaffable")).toBe(3);
    expect(tokenizer.count(" \n ")).toBe(0);
  });

  test("counts equal the reference implementation's", () => {
    const tokenizer = modelTokenizer(folder);
    const counts = reference.rows.map(({ text }) => tokenizer.count(text));
    expect(counts).toEqual(reference.rows.map(({ miniLm }) => miniLm));
  });

  test("truncation and padding are no part of the fingerprint, the vocabulary is", () => {
    const copy = join(temporaryFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    const path = join(copy, "tokenizer.json");
    const file = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...file, truncation: null, padding: null }));
    const { fingerprint } = modelTokenizer(folder);
    expect(modelTokenizer(copy).fingerprint).toBe(fingerprint);
    file.model.vocab.ritbench = 30522;
    writeFileSync(path, JSON.stringify(file));
    expect(modelTokenizer(copy).fingerprint).not.toBe(fingerprint);
  });
});
