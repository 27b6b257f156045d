import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { countO200k, cutO200k, fitsO200k } from "./o200k.ts";

test("text that looks like an end mark is counted as text", () => {
  expect(countO200k("<|endoftext|>")).toBeGreaterThan(1);
  expect(fitsO200k("<|endoftext|>", 1)).toBe(false);
});

test("fits exactly at the limit, judged by tokens and not by bytes", () => {
  const text = "hello world, hello world, hello world";
  const tokens = countO200k(text);
  expect(fitsO200k(text, tokens)).toBe(true);
  expect(fitsO200k(text, tokens - 1)).toBe(false);
  expect(fitsO200k("", 0)).toBe(true);
});

test("a cut keeps the longest beginning that fits and no half character", () => {
  const text = "Wärme 😀😀 und Kälte <|endoftext|> im Haus";
  for (let limit = 0; limit <= countO200k(text); limit++) {
    const part = cutO200k(text, limit);
    expect(text.startsWith(part)).toBe(true);
    expect(countO200k(part)).toBeLessThanOrEqual(limit);
    expect(part).not.toMatch(/[\uD800-\uDBFF]$/);
  }
  expect(cutO200k(text, countO200k(text))).toBe(text);
});

test("long runs of one kind of character are cut before they are merged, at whole characters", () => {
  const prose = "A sentence of plain words with 1,234.5 figures. ".repeat(200);
  expect(countO200k(prose)).toBe(encode(prose).length);
  for (const unit of ["漢字", "=", " ", "a", "😀"]) {
    const run = unit.repeat(3000 / unit.length);
    const exact = encode(run).length;
    expect(Math.abs(countO200k(run) - exact)).toBeLessThanOrEqual(8);
    const part = cutO200k(run, 300);
    expect(run.startsWith(part)).toBe(true);
    expect(part).not.toMatch(/[\uD800-\uDBFF]$/);
  }
});
