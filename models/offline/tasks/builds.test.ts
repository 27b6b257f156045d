import { describe, expect, test } from "vitest";
import type { Json } from "../../../core/json.ts";
import { headingOf, structureCounter } from "../headings.ts";
import { respond } from "../index.ts";

function reply(task: string, hints: { [name: string]: Json }) {
  const { message } = respond({ task, messages: [], hints, role: "build", repeat: 0 });
  return JSON.parse(message.content);
}

const pages = (...texts: string[]) => texts.map((text, i) => ({ index: i + 1, text }));

describe("node metadata", () => {
  const text =
    "The kettle weighs 900 grams. Kettle filters are changed after 40 days; kettle filters are sold in packs of three. Nothing else matters.";

  test("the sentence that holds most, and the words that are frequent", () => {
    const { summary, keywords } = reply("node-metadata", {
      sections: [{ id: "", title: "Filters", text }],
    });
    expect(summary).toBe(
      "Kettle filters are changed after 40 days; kettle filters are sold in packs of three.",
    );
    expect(keywords.slice(0, 2).sort()).toEqual(["filters", "kettle"]);
  });

  test("several sections keep their ids", () => {
    const sections = [
      { id: "s7", title: "A", text: "Alpha is first." },
      { id: "s9", title: "B", text: "Beta is second." },
    ];
    expect(reply("node-metadata-batch", { sections }).sections).toMatchObject([
      { id: "s7", summary: "Alpha is first." },
      { id: "s9", summary: "Beta is second." },
    ]);
  });
});

describe("headings", () => {
  test.each([
    ["PART II", 1],
    ["Item 1A. Risk Factors", 2],
    ["2.1 Scope of the rule", 2],
    ["3. Results", 1],
    ["IV. Economic Considerations", 1],
    ["B. Discretion", 2],
    ["CONSOLIDATED BALANCE SHEETS", 1],
  ])("%s is one of level %i", (line, level) => {
    expect(headingOf(line)?.level).toBe(level);
  });

  test.each([
    "The board met in May.",
    "Total assets 2,610 2,401",
    "17",
    "2.1 million units were sold.",
    "A. Smith signed for the company.",
    "however, nothing changed",
    "TOTAL 1,200",
  ])("%s is none", (line) => {
    expect(headingOf(line)).toBeUndefined();
  });

  test("codes nest below what came before and go on from a given one", () => {
    const place = structureCounter(null);
    const levels = [1, 2, 2, 3, 1, 3];
    expect(levels.map((level) => place({ level }))).toEqual([
      "1",
      "1.1",
      "1.2",
      "1.2.1",
      "2",
      "2.1",
    ]);
    expect(structureCounter("2.1")({ level: 2 })).toBe("2.2");
  });
});

describe("tables of contents", () => {
  const toc =
    "Table of Contents\nPART I\nItem 1. Business .......... 4\nItem 2. Properties   12\nSignatures 98";

  test("are told by leaders and gaps before rising page numbers", () => {
    const detected = (text: string) => reply("structure.toc-detect", { text }).answer;
    expect(detected(`${toc}\nExhibits .... 99`)).toBe("yes");
    expect(detected("Net sales   120\nCost of sales   80\nGross profit   40")).toBe("no");
    expect(detected("We refer to the contents of item 4.")).toBe("no");
    expect(reply("structure.toc-numbers", { toc }).answer).toBe("yes");
    expect(reply("structure.toc-numbers", { toc: "Item 1. Business" }).answer).toBe("no");
  });

  test("become entries with their pages", () => {
    expect(reply("structure.toc-transform", { toc }).entries).toEqual([
      { structure: "1", title: "PART I", page: null },
      { structure: "1.1", title: "Item 1. Business", page: 4 },
      { structure: "1.2", title: "Item 2. Properties", page: 12 },
      { structure: "2", title: "Signatures", page: 98 },
    ]);
  });
});

describe("looking titles up", () => {
  const book = pages("see Results below", "Results\nWe found it.", "Some text.\nDiscussion\nMore.");

  test("finds the page on which a title stands as a heading, or none", () => {
    const start = (title: string) =>
      reply("structure.section-start", { title, pages: book }).physical_index;
    expect([start("Results"), start("Discussion"), start("Absent")]).toEqual([2, 3, null]);
    expect(
      reply("structure.toc-pages", { titles: ["Results", "Absent", "Discussion"], pages: book }),
    ).toEqual({
      entries: [
        { structure: null, title: "Results", physical_index: 2 },
        { structure: null, title: "Discussion", physical_index: 3 },
      ],
    });
    expect(
      reply("structure.toc-fill", { sections: [{ id: 4, title: "Discussion" }], pages: book }),
    ).toEqual({ entries: [{ id: 4, physical_index: 3 }] });
  });

  test("tells whether a title is on a page, and first on it", () => {
    const ask = (task: string, title: string, page: number) =>
      reply(`structure.${task}`, { title, text: book[page - 1]!.text }).answer;
    expect(ask("title-on-page", "Discussion", 3)).toBe("yes");
    expect(ask("title-on-page", "Discussion", 2)).toBe("no");
    expect(ask("title-first", "Results", 2)).toBe("yes");
    expect(ask("title-first", "Discussion", 3)).toBe("no");
  });
});

describe("outlines", () => {
  const titles = (shown: { index: number; text: string }[], last: string | null = null) =>
    reply("structure.outline-first", { pages: shown, last }).entries.map(
      ({ structure, title, physical_index }: Record<string, unknown>) =>
        `${structure} ${title} ${physical_index}`,
    );

  test("marked headings make them; running headers and repeats do not", () => {
    const header = "ACME CORPORATION REPORT";
    expect(
      titles(
        pages(
          `${header}\nPART I\nItem 1. Business\ntext`,
          `${header}\nPART I\nmore`,
          `${header}\nPART II`,
        ),
      ),
    ).toEqual(["1 PART I 1", "1.1 Item 1. Business 1", "2 PART II 3"]);
    expect(titles(pages("Item 2. Properties\ntext"), "1.1")).toEqual(["1.2 Item 2. Properties 1"]);
  });

  test("without marked ones short lines that stand alone do", () => {
    expect(
      titles(pages("Risk Factors\n\nOur risks are few.\n\nLoan losses\n\nThey were small.")),
    ).toEqual(["1 Risk Factors 1", "1.1 Loan losses 1"]);
    expect(titles(pages("Business\nIt is a bank.\nCapital\nIt has some,\nand\nmore."))).toEqual([
      "1 Business 1",
      "1.1 Capital 1",
    ]);
  });
});

test("families: products that share a telling word, the rest together", () => {
  const products = ["Acme Shop Orders", "Acme Shop Cart", "Acme Blog", "Acme Mail"].map((name) => ({
    name,
  }));
  expect(reply("wixqa.families", { products, families: 16 }).families).toEqual([
    { name: "Shop", products: ["Acme Shop Orders", "Acme Shop Cart"] },
    { name: "Other", products: ["Acme Blog", "Acme Mail"] },
  ]);
});
