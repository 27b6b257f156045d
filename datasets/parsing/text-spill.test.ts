import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { textSpill } from "./text-spill.ts";

test("gives texts back in any order, empty and long ones too, and leaves nothing behind", () => {
  const folder = temporaryFolder();
  const spill = textSpill(folder);
  const texts = ["", "añb", "x".repeat(3_000_000), "", "last ✓"];
  const indexes = texts.map((text) => spill.add(text));
  for (const index of indexes.toReversed()) expect(spill.get(index)).toBe(texts[index]);
  spill.dispose();
  expect(readdirSync(folder)).toEqual([]);
});

test("two spills in one folder do not meet, and an unread one goes too", () => {
  const folder = temporaryFolder();
  const [first, second] = [textSpill(folder), textSpill(folder)];
  first.add("one");
  second.add("two");
  expect(first.get(0)).toBe("one");
  first.dispose();
  second.dispose();
  expect(readdirSync(folder)).toEqual([]);
});
