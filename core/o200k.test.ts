import { expect, test } from "vitest";
import { countO200k, fitsO200k } from "./o200k.ts";

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
