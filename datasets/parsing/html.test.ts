import { describe, expect, it } from "vitest";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { htmlTitle, htmlTree } from "./html.ts";

function outline(tree: DocumentTree, depth = 0): string[] {
  return [
    `${depth} ${tree.title} | ${tree.text ?? ""}`,
    ...(tree.children ?? []).flatMap((child) => outline(child, depth + 1)),
  ];
}

describe("htmlTree", () => {
  it("splits at headings wherever they stand and keeps blocks apart", () => {
    const html =
      "<div>Intro<p>two</p></div>\n<section><h2>A <b>b</b></h2><div>a1<br>a2</div><h3>C</h3>c&amp;d&nbsp;e</section><h2>D</h2>";
    const tree = htmlTree(html, { title: "doc" });
    expect(outline(tree)).toEqual([
      "0 doc | Intro\ntwo",
      "1 A b | a1\na2",
      "2 C | c&d e",
      "1 D | ",
    ]);
    expect(tree.children!.map((node) => node.attributes?.line)).toEqual([2, 2]);
  });

  it("writes tables row by row and lists with marks", () => {
    const html =
      "<table><caption>T</caption><tr><th>x</th><th>y</th></tr><tr><td></td><td><p>1</p><p>2</p></td></tr></table>" +
      "<ul><li><p>one</p></li><li>two<ul><li>three</li></ul></li><li></li></ul><p>end</p>";
    expect(htmlTree(html, { title: "d" }).text).toBe("T\nx | y\n| 1 2\n- one\n- two\n- three\nend");
  });

  it("reads a table that lays out the page as blocks", () => {
    const html = "<table><tr><td><h2>A</h2>a</td><td>b</td></tr></table>";
    expect(outline(htmlTree(html, { title: "d" }))).toEqual(["0 d | ", "1 A | a\nb"]);
  });

  it("keeps blanks in pre and drops scripts, styles and navigation", () => {
    const html =
      "<script>evil()</script><style>p{}</style><nav>menu</nav><pre>a\n  b\n\nc</pre><p>x  \n y</p><h2> </h2>z";
    expect(htmlTree(html, { title: "d" }).text).toBe("a\n  b\n\nc\nx y\nz");
  });

  it("takes markup in a title for words only and survives deep nesting", () => {
    const deep = `${"<div>".repeat(4_000)}x<h1>&lt;img src=x&gt;</h1>y`;
    expect(outline(htmlTree(deep, { title: "d" }))).toEqual(["0 d | x", "1 <img src=x> | y"]);
  });

  it("finds the page's title", () => {
    expect(
      htmlTitle("<html><head><title> A\n b </title></head><body><svg><title>no</title></svg>"),
    ).toBe("A b");
    expect(htmlTitle("<p>x</p>")).toBeUndefined();
  });
});
