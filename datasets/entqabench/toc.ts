import { posix } from "node:path";
import { parse } from "yaml";
import { messageOf, RitbenchError } from "../../core/errors.ts";

/** An entry of a portal's navigation. Without `page` it is a group. */
export interface TocEntry {
  title?: string;
  /** Path of a page in the portal, e.g. `vpc/about-vpc.md`. */
  page?: string;
  /** The page belongs to another product, which owns it. */
  borrowed?: true;
  children: TocEntry[];
}

export interface Toc {
  /** Title of the product, where the file gives one. */
  label?: string;
  entries: TocEntry[];
  /** Nested navigation files that were included, by portal path. */
  included: string[];
}

/** Finds the text of a nested navigation file by its path in the portal. */
export type TocLookup = (path: string) => Promise<{ text: string; where: string } | undefined>;

/**
 * Reads `toc.yaml` (`toc: {properties, entries}` of nav groups, topic groups, links, includes and file names) or
 * `toc.yml` (`items` with `name`, `href`, `items`), told apart by content. External links are left out.
 *
 * @param base Folder of the portal that relative paths start from.
 * @param open Nested files being read, from the outermost on: one that includes itself is read once.
 * @throws RitbenchError E_DATA_FORMAT for anything else.
 */
export async function readToc(
  text: string,
  where: string,
  base: string,
  lookup: TocLookup,
  open: readonly string[] = [],
): Promise<Toc> {
  const content = parseYaml(text, where);
  if (isObject(content) && isObject(content.toc)) {
    const { properties, entries } = content.toc;
    const label = isObject(properties) ? textOf(properties.label) : undefined;
    return {
      ...(label !== undefined && { label }),
      entries: topics(entries, base),
      included: [],
    };
  }
  const items = Array.isArray(content) ? content : isObject(content) ? content.items : undefined;
  if (!Array.isArray(items)) {
    throw new RitbenchError("E_DATA_FORMAT", "a navigation file has neither toc nor items", {
      where,
      expected: "toc: {entries: [...]} or items: [...]",
    });
  }
  const included: string[] = [];
  return { entries: await hrefItems(items, base, { lookup, open, included }), included };
}

function topics(list: unknown, base: string): TocEntry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((topic): TocEntry[] => {
    if (typeof topic === "string") return [{ page: posix.join(base, topic), children: [] }];
    if (!isObject(topic)) return [];
    const group = topic.navgroup ?? topic.topicgroup;
    if (isObject(group)) {
      const title = textOf(group.label) ?? textOf(group.id);
      const children = topics(group.topics, base);
      return [{ ...(title !== undefined && { title }), children }];
    }
    const title = textOf(topic.navtitle);
    const page = textOf(topic.topic);
    const borrowed = textOf(topic.include);
    const path = page ?? borrowed;
    if (path === undefined) return [];
    return [
      {
        ...(title !== undefined && { title }),
        page: posix.join(base, path),
        ...(page === undefined && { borrowed: true as const }),
        children: [],
      },
    ];
  });
}

interface Nesting {
  lookup: TocLookup;
  open: readonly string[];
  included: string[];
}

async function hrefItems(
  items: readonly unknown[],
  base: string,
  nesting: Nesting,
): Promise<TocEntry[]> {
  const { lookup, open, included } = nesting;
  const entries: TocEntry[] = [];
  for (const item of items) {
    if (!isObject(item)) continue;
    const title = textOf(item.name);
    const inner = Array.isArray(item.items) ? item.items : [];
    const children = await hrefItems(inner, base, nesting);
    const entry: TocEntry = { ...(title !== undefined && { title }), children };
    const path = portalPath(item.href, base);
    if (path !== undefined && /(?:^|\/)toc\.ya?ml$/i.test(path)) {
      const nested = open.includes(path) ? undefined : await lookup(path);
      if (nested === undefined) continue;
      included.push(path);
      const below = [...open, path];
      const toc = await readToc(nested.text, nested.where, posix.dirname(path), lookup, below);
      included.push(...toc.included);
      entry.children.push(...toc.entries);
    } else if (path !== undefined) {
      entry.page = path;
    }
    if (entry.page !== undefined || entry.children.length > 0) entries.push(entry);
  }
  return entries;
}

/** Path in the portal of a relative address; undefined for an external or absolute one. */
function portalPath(href: unknown, base: string): string | undefined {
  const path = textOf(href)?.replace(/[?#].*$/, "");
  if (path === undefined || path === "" || path.startsWith("/") || /^[a-z][\w+.-]*:/i.test(path)) {
    return undefined;
  }
  return posix.join(base, path);
}

function parseYaml(text: string, where: string): unknown {
  try {
    return parse(text, { logLevel: "silent" });
  } catch (cause) {
    throw new RitbenchError("E_DATA_FORMAT", "a navigation file is not YAML", {
      where,
      got: messageOf(cause),
      cause,
    });
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
