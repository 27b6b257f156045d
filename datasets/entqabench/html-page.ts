import { type CheerioAPI, load } from "cheerio";
import type { DocumentTree } from "../../core/corpus/corpus.ts";
import { htmlTitle, htmlTree } from "../parsing/html.ts";
import type { PageText } from "./markdown-page.ts";

/** A step of a page's breadcrumbs; `url` as the page gives it, also relative. */
export interface Crumb {
  title: string;
  url?: string;
}

/** Title, text and breadcrumbs of an HTML page; a page with `main` or `article` is read from there alone. */
export function htmlPage(html: string): PageText & { crumbs: Crumb[] } {
  const page = load(html);
  const crumbs = crumbsOf(page);
  const heading = page("h1").first().text().replace(/\s+/g, " ").trim();
  const title = heading || htmlTitle(html);
  page(BREADCRUMBS).remove();
  const content = ["main", "article", "body"]
    .map((name) => page(name).first().html())
    .find(Boolean);
  const tree = htmlTree(content ?? html, { title: title ?? "" });
  return { ...(title !== undefined && title !== "" && { title }), text: flatText(tree), crumbs };
}

/** The page is one node: sub-headings become lines of its text. */
function flatText(tree: DocumentTree): string {
  const parts = (node: DocumentTree): string[] =>
    (node.children ?? []).flatMap((child) => [child.title, child.text ?? "", ...parts(child)]);
  return [tree.text ?? "", ...parts(tree)].filter((part) => part !== "").join("\n\n");
}

const BREADCRUMBS = [
  '[itemtype$="schema.org/BreadcrumbList"]',
  '[aria-label="breadcrumb" i]',
  '[aria-label="breadcrumbs" i]',
  ".breadcrumbs",
  ".breadcrumb",
].join(", ");

/** From JSON-LD, else from the first breadcrumb list of the page. */
function crumbsOf(page: CheerioAPI): Crumb[] {
  for (const script of page('script[type="application/ld+json"]').toArray()) {
    const crumbs = linkedDataCrumbs(page(script).text());
    if (crumbs.length > 0) return crumbs;
  }
  const list = page(BREADCRUMBS).first();
  const items = list.find("li").length > 0 ? list.find("li") : list.find("a, [aria-current]");
  return items.toArray().flatMap((item) => {
    const element = page(item);
    const link = element.is("a") ? element : element.find("a[href]").first();
    const title = (link.length > 0 ? link : element).text().replace(/\s+/g, " ").trim();
    if (title === "") return [];
    const url = link.attr("href");
    return [url === undefined ? { title } : { title, url }];
  });
}

function linkedDataCrumbs(json: string): Crumb[] {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return []; // A page's broken JSON-LD is as good as none.
  }
  const lists = [data].flat().flatMap((item) => [item, graphOf(item)].flat());
  const list = lists.find((item) => isObject(item) && item["@type"] === "BreadcrumbList");
  const items = isObject(list) && Array.isArray(list.itemListElement) ? list.itemListElement : [];
  return items
    .filter(isObject)
    .toSorted((a, b) => Number(a.position) - Number(b.position))
    .flatMap((entry) => {
      const item = isObject(entry.item) ? entry.item : undefined;
      const title = entry.name ?? item?.name;
      const url = item?.["@id"] ?? item?.url ?? entry.item;
      if (typeof title !== "string" || title.trim() === "") return [];
      return [{ title: title.trim(), ...(typeof url === "string" && { url }) }];
    });
}

function graphOf(item: unknown): unknown {
  return isObject(item) ? item["@graph"] : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
