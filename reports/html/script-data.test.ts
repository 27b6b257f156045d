import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { questionFile, scriptData, scriptPieces } from "./script-data.ts";

/** What a page gets of a data script, and what the script did besides. */
function loaded(script: string, name: string): unknown {
  const window: { ritbenchData?: { [name: string]: unknown } } = {};
  const context = { window, alert: () => expect.fail("the data ran"), JSON };
  runInNewContext(script, context);
  expect(Object.keys(window)).toEqual(["ritbenchData"]);
  return window.ritbenchData?.[name];
}

describe("scriptData", () => {
  it("gives any value back as it was, and holds nothing that ends a string or an element", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value);
        const script = scriptData("x", json);
        expect(script).not.toMatch(/[<>\u2028\u2029]/);
        expect(JSON.stringify(loaded(script, "x"))).toBe(json);
        expect([...scriptPieces("x", [json])].join("")).toBe(script);
      }),
    );
  });

  it.each([
    "'); alert(1); ('",
    "\\'); alert(1); //",
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "\u2028alert(1)\u2029",
    "]]>",
    "\\u0027+alert(1)+\\u0027",
  ])("keeps %j a text", (text) => {
    expect(loaded(scriptData("x", JSON.stringify({ text })), "x")).toEqual({ text });
  });

  it("keeps __proto__ a key", () => {
    const value = loaded(scriptData("x", '{"__proto__":{"pwned":true}}'), "x") as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect("pwned" in value).toBe(false);
  });

  it("gives the same text in pieces of any size", () => {
    const json = JSON.stringify({ text: "it's <b>".repeat(50_000) });
    const pieces = [...scriptPieces("x", json.match(/.{1,997}/gsu)!)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join("")).toBe(scriptData("x", json));
  });
});

describe("questionFile", () => {
  it("is a hash whatever the id, and differs between data sets", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (dataset, id) => {
        expect(questionFile(dataset, id)).toMatch(/^q-[0-9a-f]{16}$/);
      }),
    );
    expect(questionFile("a", "../../x")).not.toBe(questionFile("b", "../../x"));
    expect(questionFile("a", "b,c")).not.toBe(questionFile("a,b", "c"));
  });
});
