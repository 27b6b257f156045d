import { readdir } from "node:fs/promises";
import { posix } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { figures, repeated, sampleRows, sampleText } from "./sample-files.ts";

interface Page {
  product?: string;
  path: string;
  title: string;
  anchor?: string | null;
  markdown?: string;
  text?: string;
  html?: string;
}
interface Row {
  id: string;
  question: string;
  answers: string[];
  pages: string[];
  nuggets: string[];
  unanswerable?: boolean;
}
type Topic =
  | string
  | { topic: string }
  | { include: string }
  | { link: { href: string } }
  | { topicgroup: { topics: Topic[] } };
interface Entry {
  name: string;
  href?: string;
  items?: Entry[];
}

const pages = await sampleRows<Page>("entqabench/pages.jsonl");
const questions = await sampleRows<Row>("entqabench/questions.jsonl");
const idOf = (page: Page) =>
  page.product === undefined ? page.path : `${page.product}/${page.path}`;
const textOf = (page: Page | undefined) => page?.markdown ?? page?.text ?? page?.html ?? "";
const byId = new Map(pages.map((page) => [idOf(page), page]));
const tocNames = (await readdir(new URL("entqabench/toc", import.meta.url))).filter((name) =>
  name.endsWith(".toc.yaml"),
);

/** Page ids that the navigation of a product names, in order, includes resolved. */
async function tocReferences(name: string): Promise<string[]> {
  const product = name.replace(/\.toc\.yaml$/, "");
  const { toc } = parse(await sampleText(`entqabench/toc/${name}`)) as {
    toc: { entries: { navgroup: { topics: Topic[] } }[] };
  };
  const walk = (topics: Topic[]): string[] =>
    topics.flatMap((topic) => {
      if (typeof topic === "string") return [`${product}/${topic}`];
      if ("topic" in topic) return [`${product}/${topic.topic}`];
      if ("include" in topic) return [posix.join(product, topic.include)];
      return "topicgroup" in topic ? walk(topic.topicgroup.topics) : [];
    });
  return toc.entries.flatMap((entry) => walk(entry.navgroup.topics));
}

const references = (await Promise.all(tocNames.sort().map(tocReferences))).flat();

async function shellReferences(name: string, folder: string): Promise<string[]> {
  const { items } = parse(await sampleText(`entqabench/${name}`)) as { items: Entry[] };
  const walk = (entries: Entry[]): string[] =>
    entries.flatMap(({ href, items: below }) => [
      ...(href === undefined || href.includes("://") ? [] : [`${folder}/${href}`]),
      ...walk(below ?? []),
    ]);
  return walk(items);
}

test("there are enough pages and questions, each once", () => {
  expect(pages.length).toBeGreaterThanOrEqual(40);
  expect(questions.filter((row) => !row.unanswerable).length).toBeGreaterThanOrEqual(15);
  expect(repeated(pages.map(idOf))).toEqual([]);
  expect(repeated(questions.map((row) => row.id))).toEqual([]);
  expect(repeated(questions.map((row) => row.question))).toEqual([]);
});

test("gold pages resolve and hold every figure of the gold facts", () => {
  for (const row of questions) {
    expect(row.pages.length * row.nuggets.length * row.answers.length).toBeGreaterThan(0);
    for (const id of row.pages) expect(byId.has(id), id).toBe(true);
    const gold = figures(row.pages.map((id) => textOf(byId.get(id))).join("\n"));
    const wanted = figures([...row.nuggets, ...row.answers].join("\n"));
    for (const figure of wanted) expect(gold, row.id).toContain(figure);
  }
});

test("planted: navigation that repeats pages and names absent ones", () => {
  expect(references.filter((id) => !byId.has(id))).toEqual([
    "shared/legal-notices.md",
    "rookery/v3/gpu.md",
  ]);
  expect(new Set(repeated(references))).toEqual(
    new Set([
      "magpie/retention.md",
      "nestvault/locking.md",
      "magpie/logs-from-rookery.md",
      "tutorials/log-archive.md",
      "tutorials/static-site.md",
      "tutorials/queue-scale.md",
    ]),
  );
  const listed = new Set(references);
  const unlisted = pages.filter((page) => page.markdown !== undefined && !listed.has(idOf(page)));
  expect(unlisted.map(idOf)).toEqual(["nestvault/_drafts/cold-roosts.md"]);
});

test("planted: a nested navigation file and names that differ in letter case only", async () => {
  const outer = await shellReferences("lumenshell.toc.yml", "lumenshell");
  expect(outer).toContain("lumenshell/reference/toc.yml");
  const inner = await shellReferences("reference.toc.yml", "lumenshell/reference");
  const all = [...outer, ...inner].filter((id) => id.endsWith(".md"));
  expect(all.filter((id) => !byId.has(id)).length).toBeGreaterThan(3);
  const lower = new Set([...byId.keys()].map((id) => id.toLowerCase()));
  expect(all.filter((id) => !lower.has(id.toLowerCase()))).toEqual([]);
});

test("planted: attribute lines, keywords with and without a definition, breadcrumbs", async () => {
  const markdown = pages.map((page) => page.markdown ?? "");
  expect(markdown.some((text) => text.includes("{: shortdesc}"))).toBe(true);
  for (const page of pages) {
    if (page.anchor) expect(page.markdown).toContain(`{: #${page.anchor}}`);
    if (page.html) expect(page.html).toMatch(/<nav aria-label="Breadcrumb"/);
  }
  const used = markdown.flatMap((text) =>
    [...text.matchAll(/\{\{site\.data\.keyword\.([\w-]+)\}\}/g)].map((match) => match[1] ?? ""),
  );
  const keyref = parse(await sampleText("entqabench/toc/nestvault.keyref.yaml")) as {
    keyword: Record<string, string>;
  };
  expect(used).toContain("attribute-definition-list");
  expect(used).toContain("keyholder");
  expect(keyref.keyword.keyholder).toBe("Corvidian Keyholder");
});
