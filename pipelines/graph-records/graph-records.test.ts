import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonKeywords } from "./json-keywords.ts";
import { joinDistinct, majority, sumWeights, unionOfSources } from "./merge.ts";
import { cleanField, type RecordGrammar, readRecords, scoreOf } from "./read-records.ts";
import { csvBlock, distinctRows } from "./table.ts";
import { withinTokens } from "./token-cut.ts";

const tuples: RecordGrammar = {
  tags: ["link", "item"],
  fieldSeparator: "<|>",
  recordSeparator: "##",
};
const lines: RecordGrammar = {
  tags: ["Entity", "High-order Hyperedge"],
  fieldSeparator: "|",
  recordSeparator: "\n",
};
const fieldsOf = (output: string, grammar = tuples) =>
  readRecords(output, grammar).map(({ tag, fields }) => [tag, ...fields]);

describe("records", () => {
  test("tags with quotes and without are read alike, quotes around values go", () => {
    const expected = [["item", "ALEX", "person"]];
    expect(fieldsOf('("item"<|>"ALEX"<|>person)')).toEqual(expected);
    expect(fieldsOf("(item<|>ALEX<|>“person”)")).toEqual(expected);
    expect(fieldsOf('( "Item" <|> ALEX <|> person )')).toEqual(expected);
  });

  test("an end mark in the middle, glued to what follows, ends nothing", () => {
    const glued = '("item"<|>a)<|COMPLETE|>("item"<|>b)##("item"<|>c)<|COMPLETE|>';
    expect(fieldsOf(glued)).toEqual([
      ["item", "a"],
      ["item", "b"],
      ["item", "c"],
    ]);
    expect(fieldsOf('("item"<|>a (in short) <|COMPLETE|> see (b)')).toEqual([
      ["item", "a (in short"],
    ]);
  });

  test("a record may run over lines and hold parentheses and hashes; separators may be missing", () => {
    const output = '("item"<|>one\ntwo<|>uses C## (sharp) here)\n("link"<|>x)\n##\nBye (now)';
    expect(fieldsOf(output)).toEqual([
      ["item", "one two", "uses C## (sharp) here"],
      ["link", "x"],
    ]);
  });

  test("a record that is cut off, and tags nobody asked for, are dropped", () => {
    expect(fieldsOf('("other"<|>a)##("item"<|>b)##("item"<|>c')).toEqual([["item", "b"]]);
    expect(fieldsOf("no record at all")).toEqual([]);
    expect(fieldsOf("")).toEqual([]);
  });

  test("bars as separators, a record a line", () => {
    const output = '("Entity" | A | x | y)\n("High-order Hyperedge" | A | B | C)\nnote (end)';
    expect(fieldsOf(output, lines)).toEqual([
      ["entity", "A", "x", "y"],
      ["high-order hyperedge", "A", "B", "C"],
    ]);
  });

  test("fields lose HTML escapes, control characters and blanks", () => {
    expect(cleanField(" R&amp;D &lt;lab&gt; &#65;&#x42;\u0007\n end ")).toBe("R&D <lab> AB end");
    expect(cleanField("&unknown; &#9999999;")).toBe("&unknown; &#9999999;");
    expect(cleanField('"A" and "B"')).toBe('"A" and "B"');
  });

  test("a score is the number, or the default for anything else", () => {
    expect([" 8", "7.5", "-2", ".5"].map((field) => scoreOf(field.trim(), 50))).toEqual([
      8, 7.5, -2, 0.5,
    ]);
    expect(["high", "8/10", "", "NaN", "Infinity", undefined].map((f) => scoreOf(f, 50))).toEqual(
      Array(6).fill(50),
    );
  });

  test("any output is read without a throw, and written records come back", () => {
    const word = fc.stringMatching(/^[a-z0-9 ]{0,8}[a-z]$/);
    fc.assert(
      fc.property(fc.string(), fc.array(fc.array(word, { minLength: 1 })), (noise, records) => {
        readRecords(noise, tuples);
        const written = records.map((fields) => `("item"<|>${fields.join("<|>")})`).join("##");
        expect(readRecords(written, tuples).map(({ fields }) => fields)).toEqual(
          records.map((fields) => fields.map((field) => field.replace(/\s+/g, " ").trim())),
        );
      }),
    );
  });
});

describe("merging", () => {
  test("the majority wins, the first of equals, empty values last", () => {
    expect(majority(["B", "A", "A"])).toBe("A");
    expect(majority(["B", "A", "A", "B"])).toBe("B");
    expect(majority(["", "", "C"])).toBe("C");
    expect(majority([])).toBe("");
  });

  test("texts are distinct, sorted and joined", () => {
    expect(joinDistinct(["b", "a", "", "b"])).toBe("a<SEP>b");
  });

  test("sources are united, weights are summed in the order of first sight", () => {
    expect(unionOfSources([10, 9, 10, 2].map((source) => ({ source })))).toEqual([2, 9, 10]);
    const pair = (key: string, weight: number) => ({ key, weight });
    expect(sumWeights([pair("b", 1), pair("a", 2), pair("b", 3)])).toEqual([
      pair("b", 4),
      pair("a", 2),
    ]);
  });
});

describe("token cut", () => {
  // "one", " two", " three", " four" are one token each.
  const texts = ["one two", "one two three", "one", "one two three four"];
  const cut = (limit: number) => withinTokens(texts, (text) => text, limit);

  test("keeps the longest leading part within the limit and does not fill up behind it", () => {
    expect(cut(10)).toEqual(texts);
    expect(cut(9)).toEqual(texts.slice(0, 3));
    expect(cut(5)).toEqual(texts.slice(0, 2));
    expect(cut(4)).toEqual(texts.slice(0, 1));
  });

  test("a first item over the limit leaves nothing", () => {
    expect(cut(1)).toEqual([]);
  });
});

test("tables: identical rows once, numbered anew, quoted where they have to be", () => {
  const rows = distinctRows(
    [["A", 1]],
    [
      ["A", 1],
      ['A, "b"\nc', 2],
    ],
  );
  expect(csvBlock("Things", ["name", "rank"], rows)).toBe(
    '### Things\n```csv\nid,name,rank\n1,A,1\n2,"A, ""b""\nc",2\n```',
  );
  expect(csvBlock("None", ["name"], [])).toBe("### None\n```csv\nid,name\n```");
});

test("keywords are read from the first brace to the first closing one", () => {
  expect(jsonKeywords('Sure: {"k": ["a", " b ", 3, ""]} {"k": ["c"]}', "k")).toEqual(["a", "b"]);
  expect(jsonKeywords('```json\n{"k": "one"}\n```', "k")).toEqual(["one"]);
  for (const reply of [
    "",
    "none",
    '{"k": [',
    '{"k": nope}',
    '{"other": ["a"]}',
    '{"k": {"a": 1}}',
  ]) {
    expect(jsonKeywords(reply, "k"), reply).toEqual([]);
  }
});
