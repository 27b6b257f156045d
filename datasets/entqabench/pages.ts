import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";
import { readJsonl } from "../parsing/jsonl.ts";
import { type Crumb, htmlPage } from "./html-page.ts";
import { type Keyrefs, resolveKeyrefs } from "./keyrefs.ts";
import { headingAnchor, markdownPage, type PageText, plainTitle } from "./markdown-page.ts";
import type { PortalFiles } from "./portal-files.ts";
import { isYamlPage, yamlPage } from "./yaml-page.ts";

/** A page before its text is cleaned. */
export interface RawPage {
  /** Its place in the portal: `product/path`, the path, or host and path of its address. Unique but for bad data. */
  key: string;
  /** Id by which questions and answers name it, where the source gives one. */
  id?: string;
  product?: string;
  title?: string;
  anchor?: string;
  url?: string;
  crumbs?: Crumb[];
  format: "markdown" | "html" | "yaml";
  body: string;
}

export interface Page {
  id: string;
  key: string;
  title: string;
  text: string;
  crumbs: Crumb[];
  url?: string;
}

const crumb = z.union([
  z.string().transform((title): Crumb => ({ title })),
  z
    .object({ title: z.string(), url: z.string().optional() })
    .transform(({ title, url }): Crumb => (url === undefined ? { title } : { title, url })),
]);

const record = z
  .object({
    id: z.string().nullish(),
    product: z.string().nullish(),
    path: z.string().nullish(),
    url: z.string().nullish(),
    title: z.string().nullish(),
    anchor: z.string().nullish(),
    breadcrumbs: z.array(crumb).nullish(),
    markdown: z.string().nullish(),
    html: z.string().nullish(),
    text: z.string().nullish(),
  })
  .refine((row) => (row.path ?? row.url ?? row.id) != null, "a path, url or id")
  .refine((row) => (row.markdown ?? row.html ?? row.text) != null, "markdown, html or text");

/** Pages as they stand in the folder, one after another. */
export async function* rawPages(
  folder: string,
  files: PortalFiles,
  signal: AbortSignal,
): AsyncGenerator<RawPage> {
  if (files.records !== undefined) {
    for await (const { value } of readJsonl(join(folder, files.records), record, signal)) {
      yield rawPage(value);
    }
    return;
  }
  for (const path of files.pages) {
    const body = await readFile(join(folder, path), { encoding: "utf8", signal });
    const format = formatOf(path);
    if (format !== "yaml" || isYamlPage(body)) yield { key: path, format, body };
  }
}

function rawPage(row: z.infer<typeof record>): RawPage {
  const path = row.path?.replace(/^\/+/, "");
  const place = path || (row.url ? urlKey(row.url) : row.id!);
  const body = row.markdown ?? row.html ?? row.text!;
  return {
    key: row.product ? `${row.product}/${place}` : place,
    format: row.markdown == null && row.html != null ? "html" : formatOf(place, body),
    body,
    ...(row.id && { id: row.id }),
    ...(row.product && { product: row.product }),
    ...(row.title && { title: row.title }),
    ...(row.anchor && { anchor: row.anchor }),
    ...(row.url && { url: row.url }),
    ...(row.breadcrumbs && { crumbs: row.breadcrumbs }),
  };
}

function formatOf(path: string, body?: string): RawPage["format"] {
  const extension = extname(path).toLowerCase();
  if (extension === ".html" || extension === ".htm") return "html";
  if (/^\.ya?ml$/.test(extension) && (body === undefined || isYamlPage(body))) return "yaml";
  return "markdown";
}

/** Host and path of an address, without slashes at the ends. */
export function urlKey(url: string): string {
  if (!URL.canParse(url)) return url.replace(/^\/+|\/+$/g, "");
  const { host, pathname } = new URL(url);
  return `${host}${decodedPath(pathname)}`.replace(/\/+$/, "");
}

function decodedPath(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}

/** Names pages: each place once, each id once. */
export interface PageNames {
  /** Undefined for a page whose place an earlier one has. */
  name(raw: RawPage): { id: string; product: string } | undefined;
  /** Number of a page by its place, whatever its letter case. */
  find(key: string): number | undefined;
  readonly count: number;
}

/**
 * A page's id: the record's own, else `<product>-<anchor of the top heading>` as the portal's links write it, else
 * its place; also its place where an earlier page has the id.
 */
export function pageNames(): PageNames {
  const byKey = new Map<string, number>();
  const ids = new Set<string>();
  return {
    name(raw) {
      const key = raw.key.toLowerCase();
      if (byKey.has(key)) return undefined;
      byKey.set(key, byKey.size);
      const product = raw.product ?? (raw.key.includes("/") ? raw.key.split("/")[0]! : "");
      const anchor =
        raw.anchor ?? (raw.format === "markdown" ? headingAnchor(raw.body) : undefined);
      const id = raw.id ?? (anchor === undefined ? raw.key : `${product}-${anchor}`);
      if (id === raw.key) return { id, product };
      if (ids.has(id)) return { id: raw.key, product };
      ids.add(id);
      return { id, product };
    },
    find: (key) => byKey.get(key.toLowerCase()),
    get count() {
      return byKey.size;
    },
  };
}

/** The page as a reader sees it. */
export function pageOf(raw: RawPage, id: string, keyrefs: readonly Keyrefs[]): Page {
  const read = readBody(raw, keyrefs);
  const given = raw.title === undefined ? "" : plainTitle(resolveKeyrefs(raw.title, keyrefs));
  return {
    id,
    key: raw.key,
    title: given || read.title || raw.key.split("/").at(-1)!,
    text: read.text,
    crumbs: raw.crumbs ?? read.crumbs,
    ...(raw.url !== undefined && { url: raw.url }),
  };
}

function readBody(raw: RawPage, keyrefs: readonly Keyrefs[]): PageText & { crumbs: Crumb[] } {
  if (raw.format === "html") return htmlPage(raw.body);
  const read = raw.format === "yaml" ? yamlPage(raw.body) : markdownPage(raw.body, keyrefs);
  return { ...read, crumbs: [] };
}
