import { describe, expect, test } from "vitest";
import type { ModelRequest } from "../../../core/model.ts";
import {
  asksFor,
  entry,
  induce,
  inTurn,
  no,
  pagesOf,
  plain,
  raw,
  shape,
  tocEntry,
  yes,
} from "../../../tests/support/scripted-induction.ts";

describe("table of contents", () => {
  const toc = "Contents\nOne .......... 1\nTwo .......... 3\nThree . . . . . . . 5";
  /** Cover, contents, then the body: printed page 1 is physical page 3. */
  const book = ["Cover", toc, ...pagesOf(6)];
  const detect = ({ messages }: ModelRequest) =>
    messages[0]!.content.includes("Contents\n") ? yes : no;
  const entries = [tocEntry("1", "One", 1), tocEntry("2", "Two", 3), tocEntry("3", "Three", 5)];
  const found = {
    "toc-detect": detect,
    "toc-numbers": yes,
    "toc-transform": { entries },
    "toc-complete": yes,
    "title-on-page": yes,
    "title-first": yes,
  };

  test("mode A shifts printed pages by the most frequent offset; dot leaders become colons", async () => {
    const { structure, model, tasks } = await induce(book, {
      ...found,
      "toc-pages": [
        entry("1", "One", 3),
        entry("2", "Two", 5),
        entry("3", "Three", 4),
        entry("1", "One", 2),
      ],
    });
    expect(structure.mode).toBe("toc-numbers");
    expect(shape(structure.trees)).toEqual([
      ["Preface 1-2"],
      ["One 3-4"],
      ["Two 5-6"],
      ["Three 7-8"],
    ]);
    const asked = model.requests.find(({ task }) => task.endsWith("toc-numbers"))!;
    expect(asked.messages[0]!.content).toMatch(/One : +1\nTwo : +3\nThree : +5/);
    expect(tasks).not.toContain("outline-first");
  });

  test("no pair of titles: every section is looked up, the first and last within the document's ends", async () => {
    const { structure, model } = await induce(book, {
      ...found,
      "toc-pages": [entry("1", "Uno", 3)],
      "section-start": inTurn({ physical_index: 3 }, [{ physical_index: 5 }], {
        physical_index: "<physical_index_7>",
      }),
    });
    expect(shape(structure.trees)).toEqual([
      ["Preface 1-2"],
      ["One 3-4"],
      ["Two 5-6"],
      ["Three 7-8"],
    ]);
    const shown = model.requests
      .filter(({ task }) => task.endsWith("section-start"))
      .map(({ messages }) => messages[0]!.content.match(/<physical_index_\d>/g)!.length);
    expect(shown).toEqual([6, 6, 4]);
  });

  test("entries without a page number and those beyond the document are looked up", async () => {
    const { structure } = await induce(book, {
      ...found,
      "toc-transform": {
        entries: [
          tocEntry("1", "One", 1),
          { structure: "2", title: "Two" },
          tocEntry("3", "Three", 3702),
        ],
      },
      "toc-pages": [entry("1", "One", 3)],
      "section-start": (request: ModelRequest) => ({
        physical_index: asksFor("Two")(request) ? 5 : 7,
      }),
    });
    expect(shape(structure.trees)).toEqual([
      ["Preface 1-2"],
      ["One 3-4"],
      ["Two 5-6"],
      ["Three 7-8"],
    ]);
    expect(structure.warnings.join()).toContain('"Three" would start on page 3704 of 8');
  });

  test("a cut table is continued in the same conversation, its seam not doubled", async () => {
    const { structure, model } = await induce(book, {
      ...found,
      "toc-transform": inTurn(
        raw(`{"entries": [${JSON.stringify(entries[0])}, {"structure": "2", "ti`, "length"),
        { entries: [entries[0], entries[1]] },
        { entries: [entries[2]] },
      ),
      "toc-complete": inTurn(no, yes),
      "toc-pages": [entry("1", "One", 3)],
    });
    expect(structure.trees.map(({ title }) => title)).toEqual(["Preface", "One", "Two", "Three"]);
    const turns = model.requests.filter(({ task }) => task.endsWith("toc-transform"));
    expect(turns.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
  });

  test("an endless table falls back to B, and B to C: A -> B -> C", async () => {
    const { structure, tasks } = await induce(book, {
      ...found,
      "toc-transform": inTurn(
        // Mode A: never complete, five continuations.
        ...Array.from({ length: 6 }, (_, i) => ({ entries: [tocEntry(`${i}`, `Part ${i}`, i)] })),
        // Mode B.
        { entries },
      ),
      "toc-complete": inTurn(no, no, no, no, no, no, yes),
      "toc-fill": {
        entries: [
          { id: 0, physical_index: 3 },
          { id: 1, physical_index: 4 },
          { id: 2, physical_index: 8 },
          { id: 9, physical_index: 4 },
          { id: 1 },
        ],
      },
      "outline-first": [entry("1", "First", 3), entry("2", "Last", 7)],
      "title-on-page": ({ messages }: ModelRequest) =>
        /"(?:One|Two|Three)"/.test(messages[0]!.content) ? no : yes,
    });
    expect(tasks.filter((task) => task === "toc-transform")).toHaveLength(7);
    expect(tasks).toContain("toc-fill");
    expect(structure.mode).toBe("pages");
    expect(shape(structure.trees)).toEqual([["Preface 1-2"], ["First 3-6"], ["Last 7-8"]]);
    expect(structure.warnings).toEqual([
      "0% of 3 sections are where they should be",
      "toc-numbers: the table of contents could not be read to its end",
      "toc: too few sections stand on their pages",
    ]);
  });

  test("too few right sections in A: B looks them up and is kept when they are right there", async () => {
    const { structure } = await induce(book, {
      ...found,
      "toc-pages": [entry("1", "One", 4)],
      "title-on-page": ({ messages }: ModelRequest) =>
        /page (?:1|3|5)\./.test(messages[0]!.content) ? yes : no,
      "toc-fill": {
        entries: [
          { id: 0, physical_index: 3 },
          { id: 1, physical_index: 5 },
          { id: 2, physical_index: 7 },
        ],
      },
    });
    expect(structure.mode).toBe("toc");
    expect(shape(structure.trees)).toEqual([
      ["Preface 1-2"],
      ["One 3-4"],
      ["Two 5-6"],
      ["Three 7-8"],
    ]);
  });

  test("sections that end in the first half of the document are not believed", async () => {
    const { structure } = await induce(book, {
      ...found,
      "toc-transform": { entries: [tocEntry("1", "One", 1)] },
      "toc-pages": [entry("1", "One", 3)],
      "toc-fill": { entries: [{ id: 0, physical_index: 3 }] },
      "outline-first": [entry("1", "First", 3), entry("2", "Last", 7)],
    });
    expect(structure.mode).toBe("pages");
    expect(structure.warnings).toContain("toc-numbers: the sections end on page 3 of 8");
  });

  test("a table without page numbers is ignored as upstream does, or filled in when asked", async () => {
    const script = {
      ...found,
      "toc-numbers": no,
      "outline-first": [entry("1", "First", 1), entry("2", "Last", 7)],
      "toc-fill": {
        entries: [
          { id: 0, physical_index: 3 },
          { id: 1, physical_index: 5 },
          { id: 2, physical_index: 7 },
        ],
      },
    };
    expect((await induce(book, script)).structure.mode).toBe("pages");
    const filled = await induce(book, script, { tocWithoutNumbers: "fill" });
    expect(filled.structure.mode).toBe("toc");
    expect(filled.structure.trees.map(({ title }) => title)).toEqual([
      "Preface",
      "One",
      "Two",
      "Three",
    ]);
  });

  test("a later table is taken when only that one has page numbers", async () => {
    const { structure, model } = await induce(["Contents\nBrief", "Cover", toc, ...pagesOf(6)], {
      ...found,
      "toc-numbers": inTurn(no, yes),
      "toc-pages": [entry("1", "One", 4)],
    });
    expect(structure.mode).toBe("toc-numbers");
    const read = model.requests.find(({ task }) => task.endsWith("toc-transform"))!;
    expect(read.messages[0]!.content).not.toContain("Brief");
  });

  test("pages that are all taken for contents leave no body: the pages are read instead", async () => {
    const { structure } = await induce(pagesOf(4), {
      ...plain,
      "toc-detect": yes,
      "outline-first": [entry("1", "A", 1), entry("2", "B", 3)],
    });
    expect(structure.mode).toBe("pages");
    expect(structure.warnings.join()).toContain("pages 1-4 were taken for a table of contents");
  });

  test("only the first twenty pages are looked at", async () => {
    const { tasks } = await induce(pagesOf(30), {
      ...plain,
      "outline-first": [entry("1", "A", 1), entry("2", "B", 20)],
    });
    expect(tasks.filter((task) => task === "toc-detect")).toHaveLength(20);
  });
});
