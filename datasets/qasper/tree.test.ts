import { expect, test } from "vitest";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import type { PaperSection } from "./paper.ts";
import { paperTree } from "./tree.ts";

function treeOf(sections: PaperSection[], abstract = "") {
  return paperTree({ id: "2001.00001", title: "Maps", abstract, sections, questions: [] });
}

/** One line a node: its title behind a dot for each level, and its text. */
function outline(tree: DocumentTree, depth = 0): string[] {
  const line = `${".".repeat(depth)}${tree.title}${tree.text === undefined ? "" : ` = ${tree.text}`}`;
  return [line, ...(tree.children ?? []).flatMap((child) => outline(child, depth + 1))];
}

const section = (name: string | null, ...paragraphs: string[]): PaperSection => ({
  name,
  paragraphs,
});

test("nests by separators, makes missing parents and keeps blank paragraphs out", () => {
  const built = treeOf(
    [
      section("Method", ""),
      section("Method ::: Ink", "Black.", "", " Blue. "),
      section("Appendices ::: Tools ::: Pens", "A pen."),
      section("Appendices ::: Tools ::: Rulers", "A ruler."),
    ],
    " We draw. ",
  );
  expect(outline(built.tree)).toEqual([
    "Maps",
    ".Abstract = We draw.",
    ".Method",
    "..Ink = Black.\n\nBlue.",
    ".Appendices",
    "..Tools",
    "...Pens = A pen.",
    "...Rulers = A ruler.",
  ]);
  expect(built.addedParents).toBe(2);
});

test("a section met again later still takes its sub-sections, and a repeated name makes a second node", () => {
  const built = treeOf([
    section("A", "one"),
    section("B", "two"),
    section("A ::: C", "three"),
    section("B", "four"),
    section("B ::: D", "five"),
  ]);
  expect(outline(built.tree)).toEqual([
    "Maps",
    ".A = one",
    "..C = three",
    ".B = two",
    ".B = four",
    "..D = five",
  ]);
  expect(built.addedParents).toBe(0);
});

test("sections without a name keep their depth; blank parts beside names are dropped", () => {
  const built = treeOf([
    section(null, "first"),
    section("", "second"),
    section(" ::: ", "third"),
    section(" :::  ::: ", "fourth"),
    section("A :::  ::: B", "fifth"),
  ]);
  expect(outline(built.tree)).toEqual([
    "Maps",
    ".Untitled section = first",
    ".Untitled section = second",
    "..Untitled section = third",
    "...Untitled section = fourth",
    ".A",
    "..B = fifth",
  ]);
  expect(built.untitled).toBe(4);
});

test("numbers sections with text as the corpus will", () => {
  const built = treeOf([section("X ::: Y", "a"), section(" X ::: Z ", "b"), section("W")], "abs");
  expect([...built.ordinals]).toEqual([
    ["X ::: Y", 3],
    ["X ::: Z", 4],
  ]);
});
