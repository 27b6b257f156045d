import { expect, test } from "vitest";
import { readToc, type TocEntry } from "./toc.ts";

const nothing = async () => undefined;

function lines(entries: readonly TocEntry[], depth = 0): string[] {
  return entries.flatMap(({ title, page, borrowed, children }) => [
    `${".".repeat(depth)}${title ?? "-"} ${page ?? ""}${borrowed ? " borrowed" : ""}`.trimEnd(),
    ...lines(children, depth + 1),
  ]);
}

test("toc.yaml: groups in groups, names, topics and includes; links are left out", async () => {
  const toc = await readToc(
    `
toc:
  properties: {label: Acme Shop, subcollection: shop}
  entries:
  - navgroup:
      id: learn
      topics:
      - about.md
      - navtitle: Start
        topic: start/here.md
      - topic: plain.md
      - link: {label: Site, href: https://x.example}
      - topicgroup:
          label: Deep
          links: [{link: {label: L, href: /y}}]
          topics:
          - include: ../mail/shared.md
          - topicgroup: {label: Only links, links: []}
`,
    "toc.yaml",
    "shop",
    nothing,
  );
  expect(toc.label).toBe("Acme Shop");
  expect(lines(toc.entries)).toEqual([
    "learn",
    ".- shop/about.md",
    ".Start shop/start/here.md",
    ".- shop/plain.md",
    ".Deep",
    "..- mail/shared.md borrowed",
    "..Only links",
  ]);
});

test("toc.yml: items with and without pages, nested files, external addresses left out", async () => {
  const files: Record<string, string> = {
    "docs/dev/toc.yml":
      "items:\n- name: Dev start\n  href: ../dev/start.md#top\n- {name: Again, href: toc.yml}\n",
  };
  const toc = await readToc(
    `
items:
- name: Overview
  href: overview.md?view=latest
  items:
  - {name: Below, href: sub/below.md}
- name: Group
  expanded: true
  items:
  - {name: Out, href: "https://x.example"}
  - {name: Absolute, href: /elsewhere/page}
  - {name: In, href: in.md}
- {name: Developers, href: dev/toc.yml}
- {name: Gone, href: gone/toc.yml}
- {name: Empty}
`,
    "toc.yml",
    "docs",
    async (path) => {
      const text = files[path];
      return text === undefined ? undefined : { text, where: path };
    },
  );
  expect(lines(toc.entries)).toEqual([
    "Overview docs/overview.md",
    ".Below docs/sub/below.md",
    "Group",
    ".In docs/in.md",
    "Developers",
    ".Dev start docs/dev/start.md",
  ]);
  expect(toc.included).toEqual(["docs/dev/toc.yml"]);
});

test.each(["toc: [", "name: x", "just words"])("refuses %j with its place", async (text) => {
  await expect(readToc(text, "here/toc.yml", "", nothing)).rejects.toMatchObject({
    code: "E_DATA_FORMAT",
    details: { where: "here/toc.yml" },
  });
});
