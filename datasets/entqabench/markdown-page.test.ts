import { describe, expect, test } from "vitest";
import { resolveKeyrefs } from "./keyrefs.ts";
import { headingAnchor, markdownPage } from "./markdown-page.ts";

const keyrefs = [
  new Map([
    ["shop", "Acme Shop"],
    ["shop_full", "{{site.data.keyword.shop}} for Teams"],
    ["loop", "{{site.data.keyword.loop}}"],
  ]),
];

describe("a page in the dialect with attribute lists", () => {
  const source = `---
copyright:
  years: 2030
---

{{site.data.keyword.attribute-definition-list}}

# Using {{site.data.keyword.shop}}
{: #using-shop}

{{site.data.keyword.shop_full}} is old.{: tag-red} See [help](/x){: external}.
{: shortdesc}

<!-- hidden
## Not this
-->Shown<!-- not --> again.

\`\`\`sh
echo "{: pre}" # {{site.data.keyword.shop}} <!-- kept -->
\`\`\`
{: pre}

| a | {{endpoint}} |
`;
  test("loses markup, keeps code, and has its words filled in", () => {
    expect(markdownPage(source, keyrefs)).toEqual({
      title: "Using Acme Shop",
      text: `Acme Shop for Teams is old. See [help](/x).

Shown again.

\`\`\`sh
echo "{: pre}" # Acme Shop <!-- kept -->
\`\`\`

| a | {{endpoint}} |`,
    });
  });
  test("has the anchor of its top heading", () => {
    expect(headingAnchor(source)).toBe("using-shop");
    expect(headingAnchor("# A\n\ntext {: #no}")).toBeUndefined();
  });
});

test("a page of plain Markdown keeps what only looks like markup", () => {
  const source = "---\ntitle: Formats\n---\n# Formats\n\nUse `{:d}` or {: x }.\n\n## Next\nEnd\n";
  expect(markdownPage(source, keyrefs)).toEqual({
    title: "Formats",
    text: "Use `{:d}` or {: x }.\n\n## Next\nEnd",
  });
});

test("a heading other than the title stays in the text", () => {
  const page = markdownPage('---\ntitle: "Short"\n---\n# A longer heading\n\nText', []);
  expect(page).toEqual({ title: "Short", text: "# A longer heading\n\nText" });
});

test("text before any heading has no title", () => {
  expect(markdownPage("1. Click.\n\n# Late\n", [])).toEqual({ text: "1. Click.\n\n# Late" });
});

test("placeholders that nobody explains, and circles of them, are dropped", () => {
  const text =
    "a {{site.data.keyword.none}} b {{site.data.keyword.loop}} c {{site.data.content.x}}d";
  expect(resolveKeyrefs(text, keyrefs)).toBe("a  b  c d");
});
