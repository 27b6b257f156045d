import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { frontMatterOf, markdownTree } from "./markdown.ts";

/** `depth title | text` of every node, in document order. */
function outline(tree: DocumentTree, depth = 0): string[] {
  return [
    `${depth} ${tree.title} | ${tree.text ?? ""}`,
    ...(tree.children ?? []).flatMap((child) => outline(child, depth + 1)),
  ];
}

describe("markdownTree", () => {
  it("nests sections by level and gives each text to the nearest heading", () => {
    const source = "intro\n\n# A\n\na1\na2\n\n### B\nb\n\n## C\n\n# D\nd\n";
    const tree = markdownTree(source, { title: "doc" });
    expect(outline(tree)).toEqual([
      "0 doc | intro",
      "1 A | a1\na2",
      "2 B | b",
      "2 C | ",
      "1 D | d",
    ]);
    expect(tree.children!.map((node) => node.attributes?.line)).toEqual([3, 13]);
    expect(tree.attributes).toEqual({ line: 1 });
  });

  it("takes # lines inside fences, tables, quotes and lists for text", () => {
    const source =
      "# A\n```sh\n# no heading\n```\n~~~\n# nor here\n~~~\n> # quoted\n\n- # listed\n\na | b\n--- | ---\n1 | 2\n";
    expect(outline(markdownTree(source, { title: "doc" }))).toHaveLength(2);
  });

  it("sees setext headings and inline marks in titles", () => {
    const source = "Top *two*\n===\nx\n\n`code` & [link](u)\n---\ny";
    expect(outline(markdownTree(source, { title: "doc", promoteSoleHeading: true }))).toEqual([
      "0 Top two | x",
      "1 code & link | y",
    ]);
  });

  it("promotes a sole top heading only when asked or when it repeats the title", () => {
    expect(markdownTree("# Guide\nx", { title: "guide" }).title).toBe("Guide");
    expect(markdownTree("## Setup\nx", { title: "Guide" }).title).toBe("Guide");
    expect(markdownTree("# A\n# B", { title: "f", promoteSoleHeading: true }).title).toBe("f");
    expect(markdownTree("pre\n# A", { title: "f", promoteSoleHeading: true }).title).toBe("f");
  });

  it("leaves front matter out, counts its lines, and keeps CRLF and tabs exact", () => {
    const source = "\uFEFF---\r\ntitle: x\r\n---\r\n# A\r\n\tcode\r\n\r\n## B\r\nb\tc\r\n";
    const tree = markdownTree(source, { title: "doc", promoteSoleHeading: true });
    expect(outline(tree)).toEqual(["0 A | \tcode", "1 B | b\tc"]);
    expect([tree, ...tree.children!].map((node) => node.attributes?.line)).toEqual([4, 7]);
  });

  it("keeps headings without words inside the text around them", () => {
    expect(outline(markdownTree("# A\nx\n##\ny", { title: "d" }))).toEqual([
      "0 d | ",
      "1 A | x\n##\ny",
    ]);
  });

  it("gives every line of any text to exactly one node", () => {
    const line = fc.constantFrom(
      "# H",
      "## H",
      "word",
      "",
      "```",
      "> q",
      "===",
      "- i",
      "a|b",
      "    c",
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const marked = lines.map((text, i) => (/\w/.test(text) ? `${text} x${i}x` : text));
        const tree = markdownTree(marked.join("\n"), { title: "doc" });
        const nodes = (node: DocumentTree): DocumentTree[] => [
          node,
          ...(node.children ?? []).flatMap(nodes),
        ];
        for (let i = 0; i < lines.length; i++) {
          if (!/\w/.test(lines[i]!)) continue;
          const owners = nodes(tree).filter((node) =>
            `${node.title}\n${node.text ?? ""}`.includes(`x${i}x`),
          );
          expect(owners).toHaveLength(1);
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe("frontMatterOf", () => {
  it("reads fields, survives bad YAML, and leaves thematic breaks alone", () => {
    expect(frontMatterOf("---\na: 1\n---\nx").data).toEqual({ a: 1 });
    expect(frontMatterOf("---\n---\nx")).toEqual({ data: {}, bodyStart: 8 });
    expect(frontMatterOf("---\na: 'b\n---\nx")).toEqual({ data: {}, bodyStart: 14 });
    expect(frontMatterOf("---\nsome prose\n\n---\nx").bodyStart).toBe(0);
    expect(frontMatterOf("x\n---\na: 1\n---\n").bodyStart).toBe(0);
  });
});
