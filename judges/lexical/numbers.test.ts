import { describe, expect, it } from "vitest";
import { figuresOf, sameFigure } from "./numbers.ts";

const same = (gold: string, given: string): boolean =>
  sameFigure(figuresOf(gold)[0]!, figuresOf(given)[0]!);

describe("figuresOf", () => {
  it("reads signs, scales, percent and thousands separators", () => {
    expect(figuresOf("net loss of $(1,234.50) million, -3.7%, 45 percent and 2bn")).toMatchObject([
      { value: -1234.5, scale: 1e6, percent: false, decimals: 1 },
      { value: -3.7, percent: true },
      { value: 45, percent: true },
      { value: 2, scale: 1e9 },
    ]);
  });

  it("tells years from amounts and ranges from minus signs", () => {
    expect(
      figuresOf("2021-2022, $2022, 10-K").map(({ value, yearLike }) => [value, yearLike]),
    ).toEqual([
      [2021, true],
      [2022, true],
      [2022, false],
      [10, false],
    ]);
  });
});

describe("sameFigure", () => {
  it.each([
    ["$1577.00", "$1,577 million"],
    ["$1577.00", "1.577 billion"],
    ["$8.70", "$8,738 million"],
    ["1.9%", "0.019"],
    ["0.66", "66%"],
    ["65.4%", "65.41 percent"],
    ["$400,000,000", "$400 million"],
    ["24.26", "24.3"],
    ["0.4%", "0.4%"],
    ["0", "0"],
  ])("finds %s in %s", (gold, given) => {
    expect(same(gold, given)).toBe(true);
  });

  it.each([
    ["$1577.00", "$1,576 million"],
    ["1.73", "2"],
    ["8.70", "9.70 billion"],
    ["5.1%", "51%"],
    ["0.66", "0.76"],
    ["2 million", "2 billion"],
    ["1577", "1577.6"],
  ])("does not take %s for %s", (gold, given) => {
    expect(same(gold, given)).toBe(false);
  });
});
