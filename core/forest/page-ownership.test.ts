import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentTree } from "../corpus/corpus.ts";
import { assignPageText, pageNodes } from "./page-ownership.ts";
import { type PageRangeTree, rangesFromStarts } from "./page-ranges.ts";

function node(title: string, start: number, end: number, children: PageRangeTree[] = []) {
  return { title, start, end, children };
}

function rows(trees: readonly DocumentTree[], depth = 0): string[] {
  return trees.flatMap((tree) => [
    `${depth} ${tree.title}${tree.attributes?.sharesPage ? " (shares)" : ""} | ${tree.text ?? ""}`,
    ...rows(tree.children ?? [], depth + 1),
  ]);
}

function flat(trees: readonly DocumentTree[]): DocumentTree[] {
  return trees.flatMap((tree) => [tree, ...flat(tree.children ?? [])]);
}

describe("assignPageText", () => {
  it("cuts a shared page at the title of the section that begins there", () => {
    const pages = [
      "Part I\nItem 1. Business\nfirst",
      "tail of one\n  Item 2.  Risk Factors\nrisks",
    ];
    const { children, share } = assignPageText(pages, [
      node("PART I", 0, 0, [node("Business", 0, 1), node("ITEM 2 Risk Factors", 1, 1)]),
    ]);
    expect(rows(children)).toEqual([
      "0 PART I | Part I",
      "1 Business | Item 1. Business\nfirst\n\ntail of one",
      "1 ITEM 2 Risk Factors |   Item 2.  Risk Factors\nrisks",
    ]);
    expect(share).toMatchObject({
      sharedPages: 2,
      splitPages: 2,
      boundaryTitles: 3,
      foundTitles: 3,
    });
    expect(children[0]!.children![0]!.pageSpans).toEqual([
      { page: 0, start: 0, end: 22 },
      { page: 1, start: 24, end: 35 },
    ]);
  });

  it("leaves a page whose title is not found to the first owner and marks the others", () => {
    const pages = ["one", "one goes on", "two"];
    const { children, share } = assignPageText(pages, [node("One", 0, 1), node("Second", 1, 2)]);
    expect(rows(children)).toEqual(["0 One | one\n\none goes on", "0 Second (shares) | two"]);
    expect(share).toMatchObject({
      sharedPages: 1,
      splitPages: 0,
      boundaryTitles: 1,
      foundTitles: 0,
    });
  });

  it("gives the head of a page that only begins nodes to the first of them", () => {
    const { children } = assignPageText(
      ["running head\nBeta text"],
      [node("Alpha", 0, 0), node("Beta text", 0, 0), node("Gamma", 0, 0)],
    );
    expect(rows(children)).toEqual([
      "0 Alpha | running head",
      "0 Beta text | Beta text",
      "0 Gamma (shares) | ",
    ]);
  });

  it("makes page nodes of what the tree does not cover, and none of blank pages", () => {
    const pages = ["cover of this report", "Body\nx", " \n ", "the annex of it"];
    const { children, share } = assignPageText(pages, [node("Body", 1, 2)]);
    expect(rows(children)).toEqual([
      "0 p. 1: cover of this report | cover of this report",
      "0 Body | Body\nx",
      "0 p. 4: the annex of it | the annex of it",
    ]);
    expect(share).toMatchObject({ pages: 3, blankPages: 1, uncoveredPages: 2 });
  });

  it("repairs and reports ranges that end before they start or leave the document", () => {
    const { children, share } = assignPageText(
      ["a", "b"],
      [
        node("Back", 1, 0),
        node("Long", 0, 9),
        node("Out", 5, 6),
        { title: "Unknown", start: null, end: null },
      ],
    );
    expect(share.repairs).toEqual([
      '"Back" starts on page 2 and ends on page 1; the end is set to the start',
      '"Long" lies on pages 1-10 of 2; it is cut to the document',
      '"Out" lies on pages 6-7, outside the 2 pages; it keeps its title only',
      '"Unknown" has no start page; it keeps its title only',
    ]);
    expect(rows(children)).toEqual([
      "0 Back (shares) | ",
      "0 Long | a\n\nb",
      "0 Out | ",
      "0 Unknown | ",
    ]);
  });

  it("prefers the node that began last where ranges overlap over many pages", () => {
    const pages = ["Whole\nw", "Inner\ni", "i2", "w2"];
    const { children } = assignPageText(pages, [node("Whole", 0, 3, [node("Inner", 1, 2)])]);
    expect(rows(children)).toEqual(["0 Whole | Whole\nw\n\nw2", "1 Inner | Inner\ni\n\ni2"]);
  });

  it("does not take a short title out of the middle of a sentence", () => {
    const pages = ["see the Notes below\nNotes\nn"];
    const { children } = assignPageText(pages, [node("Start", 0, 0), node("Notes", 0, 0)]);
    expect(rows(children)).toEqual(["0 Start | see the Notes below", "0 Notes | Notes\nn"]);
  });

  it("gives every word to exactly one node, and page spans that say where it was", () => {
    const tree = fc.letrec<{ tree: PageRangeTree }>((tie) => ({
      tree: fc.record({
        title: fc.constantFrom("Alpha", "Beta", "Item 1 Gamma", "Delta of the four words"),
        start: fc.option(fc.integer({ min: -1, max: 6 })),
        end: fc.option(fc.integer({ min: -1, max: 6 })),
        children: fc.oneof(
          { maxDepth: 3 },
          fc.constant([]),
          fc.array(tie("tree"), { maxLength: 2 }),
        ),
      }),
    })).tree;
    const line = fc.constantFrom(
      "Alpha",
      "Beta",
      "Item 1. Gamma",
      "x Delta of the four words",
      "text",
      "",
    );
    const pageTexts = fc.array(fc.array(line, { maxLength: 5 }), { maxLength: 5 });
    fc.assert(
      fc.property(pageTexts, fc.array(tree, { maxLength: 4 }), (pageLines, trees) => {
        let count = 0;
        const pages = pageLines.map((lines) =>
          lines.map((text) => (text === "" ? "" : `${text} w${count++}w`)).join("\n"),
        );
        const nodes = flat(assignPageText(pages, trees).children);
        const all = nodes.map((one) => one.text ?? "").join("\n");
        for (let i = 0; i < count; i++) expect(all.split(`w${i}w`)).toHaveLength(2);
        for (const { text = "", pageSpans = [] } of nodes) {
          for (const span of pageSpans) {
            expect(pages[span.page]).toContain(text.slice(span.start, span.end));
          }
          expect(pageSpans.map((span) => text.slice(span.start, span.end)).join("\n\n")).toBe(text);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("pageNodes", () => {
  it("titles a page by its first line of three words, 80 characters at most", () => {
    const long = `${"word ".repeat(30)}`;
    const titles = pageNodes(["12 3 4\nTwo words\nthree   words here\nmore", long, "1 2 3"]).map(
      (tree) => tree.title,
    );
    expect(titles).toEqual([
      "p. 1: three words here",
      `p. 2: ${"word ".repeat(16).trim()}`,
      "p. 3",
    ]);
  });
});

describe("rangesFromStarts", () => {
  it("ends a node where the next one in document order starts", () => {
    const start = (title: string, page: number, children: PageRangeTree[] = []): PageRangeTree => ({
      title,
      start: page,
      end: null,
      children,
    });
    const ranged = rangesFromStarts(
      [start("a", 0, [start("b", 2)]), start("c", 5), start("d", 3)],
      9,
    );
    const ends = (trees: readonly PageRangeTree[]): (number | null)[] =>
      trees.flatMap((tree) => [tree.end, ...ends(tree.children ?? [])]);
    expect(ends(ranged)).toEqual([2, 5, 5, 8]);
  });
});
