import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchableText } from "./locate-text.ts";

describe("searchableText", () => {
  it("finds every place, whatever case, blanks and punctuation", () => {
    const text = "One two. ONE\n two! one-two";
    expect(
      searchableText(text)
        .locate("one  two")
        .map(({ start, end }) => text.slice(start, end)),
    ).toEqual(["One two", "ONE\n two", "one-two"]);
  });

  it("does not find words inside words", () => {
    expect(searchableText("stone two").locate("one two")).toEqual([]);
  });

  it("counts repeated words once each in the 80%", () => {
    // Window "a a a a b": of the passage's 5 words it shares a and b only.
    expect(searchableText("a a a a b").locate("a b c d e")).toEqual([]);
    expect(searchableText("x a b c d x").locate("a b c d e")).toEqual([{ start: 0, end: 9 }]);
  });

  it("finds passages without any word by their characters", () => {
    expect(searchableText("x = (*) y").locate(" (*) ")).toEqual([{ start: 4, end: 7 }]);
    expect(searchableText("x").locate("  ")).toEqual([]);
  });

  it("finds any run of words of a text", () => {
    const word = fc.constantFrom("ab", "Cd", "éf", "7", "漢字");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.nat(),
        fc.nat(),
        (words, a, b) => {
          const first = a % words.length;
          const last = first + (b % (words.length - first));
          const text = words.join(", ");
          const passage = words.slice(first, last + 1).join(" ");
          const found = searchableText(text).locate(passage);
          const expected = words
            .slice(0, first)
            .map((w) => `${w}, `)
            .join("").length;
          expect(found.map(({ start }) => start)).toContain(expected);
        },
      ),
    );
  });
});
