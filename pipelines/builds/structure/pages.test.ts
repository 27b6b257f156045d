import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageOffset } from "./modes.ts";
import { groupPages, groupTarget, type PromptPages, promptPages } from "./pages.ts";
import { tocText } from "./toc.ts";
import { inOrder } from "./verify.ts";

/** Pages of given sizes, without texts. */
function sized(tokens: readonly number[]): PromptPages {
  const none = promptPages([], 1);
  const sum = (first: number, last: number) =>
    tokens.slice(first - 1, last).reduce((total, size) => total + size, 0);
  return { ...none, count: tokens.length, tokens: (page) => tokens[page - 1]!, sum };
}

describe("grouping", () => {
  test("50,000 tokens in groups of 20,000: three parts, target 18,334", () => {
    expect(groupTarget(50_000, 20_000)).toBe(18_334);
    const groups = groupPages(sized(Array(10).fill(5_000)), { first: 1, last: 10 }, 20_000);
    expect(groups).toEqual([
      { first: 1, last: 3 },
      { first: 3, last: 5 },
      { first: 5, last: 7 },
      { first: 7, last: 9 },
      { first: 9, last: 10 },
    ]);
  });

  test("up to the limit all pages are one group", () => {
    expect(groupPages(sized([10_000, 10_000]), { first: 1, last: 2 }, 20_000)).toHaveLength(1);
  });

  test("groups cover the range in order, share one page, and end (property)", () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 400 }), (tokens, limit) => {
        const groups = groupPages(sized(tokens), { first: 1, last: tokens.length }, limit);
        expect(groups[0]!.first).toBe(1);
        expect(groups.at(-1)!.last).toBe(tokens.length);
        for (const [i, group] of groups.entries()) {
          expect(group.last).toBeGreaterThanOrEqual(group.first);
          const next = groups[i + 1];
          if (next !== undefined) expect(next.first).toBe(group.last);
        }
        expect(groups.length).toBeLessThanOrEqual(2 * tokens.length);
      }),
    );
  });
});

test("a page beyond the limit is cut for prompts, and the cut is told", () => {
  const pages = promptPages(["short", "word ".repeat(50).trim()], 20);
  expect(pages.tokens(2)).toBe(20);
  expect(pages.cuts).toEqual([{ page: 2, droppedTokens: 30 }]);
  expect(pages.tagged(1, 1)).toBe("<physical_index_1>\nshort\n</physical_index_1>");
});

test("dot leaders become a colon, ellipses stay", () => {
  expect(tocText(["A.....3", "B . . . . . . 4", "C... 5"])).toBe("A: 3\nB : 4\nC... 5");
});

test("the offset is the most frequent difference after the table, or nothing", () => {
  const entry = (title: string, page: number | null, start: number | null) => ({
    structure: null,
    title,
    page,
    start,
  });
  const toc = [entry("A", 1, null), entry("B", 5, null), entry("C", 9, null), entry("A", 12, null)];
  const seen = [
    entry("A", null, 4),
    entry("B", null, 8),
    entry("C", null, 10),
    entry("C", null, 2),
  ];
  expect(pageOffset(toc, seen, 3)).toBe(3);
  expect(pageOffset(toc, [entry("X", null, 4)], 3)).toBeNull();
  expect(pageOffset(toc, [], 3)).toBeNull();
});

test("start pages never go back, and as few entries as can be move (property)", () => {
  const starts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 25 });
  fc.assert(
    fc.property(starts, (pages) => {
      const moved: string[] = [];
      const entries = pages.map((start, i) => ({ structure: null, title: `t${i}`, start }));
      const ordered = inOrder(
        { warn: (sentence) => void moved.push(sentence) },
        entries,
        pages.map(() => true),
      );
      ordered.slice(1).forEach(({ start }, i) => {
        expect(start).toBeGreaterThanOrEqual(ordered[i]!.start);
      });
      expect(pages.length - moved.length).toBe(longestRun(pages));
    }),
  );
});

/** Length of the longest run that never falls, by trying every end (patience sorting). */
function longestRun(values: readonly number[]): number {
  const tails: number[] = [];
  for (const value of values) {
    const place = tails.findIndex((tail) => tail > value);
    if (place === -1) tails.push(value);
    else tails[place] = value;
  }
  return tails.length;
}
