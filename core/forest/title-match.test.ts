import { describe, expect, it } from "vitest";
import { orderedPlaces, titlePage } from "./title-match.ts";

const at = (text: string, title: string) =>
  titlePage(text)
    .find(title)
    .map((offset) => text.slice(offset, offset + 12));

describe("titlePage", () => {
  it("matches words past case, blanks, punctuation and a label before them", () => {
    expect(at("x\n ITEM 1A.   Risk\nFactors", "Item 1A Risk Factors")).toEqual(["ITEM 1A.   R"]);
    expect(at("x\n2.1 Goodwill", "Goodwill")).toEqual(["2.1 Goodwill"]);
    expect(at("Net sales Goodwill", "Goodwill")).toEqual([]);
  });

  it("prefers a line of its own to a table's row or a sentence that begins so", () => {
    const text = "Income taxes   29   20\nIncome taxes are high.\n6. Income Taxes.\n29";
    expect(at(text, "Income taxes")).toEqual(["6. Income Ta"]);
    expect(at("Income taxes. They are", "Income taxes")).toEqual(["Income taxes"]);
    expect(at("x\nIncome\ntaxes", "Income taxes")).toEqual(["Income\ntaxes"]);
  });

  it("takes a column's start or the inside of a line only where no line begins so", () => {
    expect(at("see it   Basel III Finalization", "Basel III Finalization")).toEqual([
      "Basel III Fi",
    ]);
    expect(at("total   Basel III\nBasel III", "Basel III")).toEqual(["Basel III"]);
    expect(at("as in Notes to the Statements here", "Notes to the Statements")).toEqual([
      "Notes to the",
    ]);
    expect(at("as in the Notes here", "the Notes")).toEqual([]);
  });

  it("overlooks a footnote's number glued to the last word", () => {
    expect(at("Market for Advice386\nx", "Market for Advice")).toEqual(["Market for A"]);
    expect(at("Market for Adviceful", "Market for Advice")).toEqual([]);
    expect(at("386", "")).toEqual([]);
  });
});

describe("orderedPlaces", () => {
  it("finds as many titles as can stand in order, earlier places first", () => {
    expect(orderedPlaces([[5, 50], [10, 40], [20]])).toEqual([5, 10, 20]);
    // The first title is found below the others only: it is given up, not they.
    expect(orderedPlaces([[90], [10], [20]])).toEqual([undefined, 10, 20]);
    expect(orderedPlaces([[], [7], []])).toEqual([undefined, 7, undefined]);
    expect(orderedPlaces([[3], [3]])).toEqual([3, undefined]);
    expect(orderedPlaces([])).toEqual([]);
  });
});
