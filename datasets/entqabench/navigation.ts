import { posix } from "node:path";
import type { Crumb } from "./html-page.ts";
import { type NavNode, type NavTree, navTree, ROOT } from "./nav-tree.ts";
import { urlKey } from "./pages.ts";
import { foldersOf } from "./portal-files.ts";
import type { Toc, TocEntry } from "./toc.ts";

/** The pages of a portal as the navigation needs them; texts stay on disk. */
export interface PageTable {
  readonly count: number;
  /** Page of a key, whatever its letter case. */
  find(key: string): number | undefined;
  key(page: number): string;
  title(page: number): string;
  crumbs(page: number): readonly Crumb[];
  /** Address that a page's relative links start from. */
  address(page: number): string;
}

export interface ProductToc {
  /** Folder of the portal that the navigation file belongs to. */
  base: string;
  toc: Toc;
}

export interface Navigation {
  tree: NavTree;
  /** Pages that a navigation file names and that do not exist, by portal path. */
  absent: string[];
  /** Pages of a product with a navigation file that does not name them. */
  unlisted: number;
}

export const ROOT_TITLE = "Documentation portal";

/**
 * Places every page once: by its product's navigation file, else by its breadcrumbs, else by the path of its
 * address (in the order of the sitemap where there is one). The first parent keeps a page, later ones become
 * cross-links; a page that its product's navigation does not name goes right below the product.
 */
export async function navigationOf(
  pages: PageTable,
  tocs: readonly ProductToc[],
  sitemap: AsyncIterable<string>,
): Promise<Navigation> {
  const tree = navTree(ROOT_TITLE, pages.count);
  const navigation: Navigation = { tree, absent: [], unlisted: 0 };
  const tocNodes = placeByTocs(pages, tocs, navigation);
  const tocOf = (page: number) => {
    const base = foldersOf(pages.key(page).toLowerCase()).find((folder) => tocNodes.has(folder));
    return base === undefined ? undefined : tocNodes.get(base);
  };
  const paths = pathPlacer(pages, tree, tocs.length > 0 ? "" : commonFolder(pages));
  const crumbs = crumbPlacer(pages, tree);
  for await (const url of sitemap) {
    const page = pageAt(pages, urlKey(url));
    if (page === undefined || tree.nodeOf(page) !== undefined) continue;
    if (tocOf(page) === undefined && pages.crumbs(page).length === 0) paths.place(page);
  }
  for (let page = 0; page < pages.count; page++) {
    if (tree.nodeOf(page) !== undefined) continue;
    const product = tocOf(page);
    if (product !== undefined) {
      tree.addPage(product, page);
      navigation.unlisted++;
    } else if (pages.crumbs(page).length > 0) crumbs.place(page);
    else paths.place(page);
  }
  return navigation;
}

/** Products in the order of the pages. Returns the node of each navigation file's folder, in lower case. */
function placeByTocs(
  pages: PageTable,
  tocs: readonly ProductToc[],
  navigation: Navigation,
): Map<string, NavNode> {
  const { tree, absent } = navigation;
  const byBase = new Map(tocs.map((item) => [item.base.toLowerCase(), item]));
  const nodes = new Map<string, NavNode>();
  const borrowed: [NavNode, number][] = [];
  for (let page = 0; page < pages.count && nodes.size < byBase.size; page++) {
    for (const base of foldersOf(pages.key(page).toLowerCase()).toReversed()) {
      const item = byBase.get(base);
      if (item === undefined || nodes.has(base)) continue;
      const title = item.toc.label ?? posix.basename(item.base);
      const product = base === "" ? ROOT : tree.addGroup(ROOT, title);
      nodes.set(base, product);
      placeEntries(product, item.toc.entries);
    }
  }
  for (const [parent, page] of borrowed) tree.link(parent, page);
  return nodes;

  function placeEntries(parent: NavNode, entries: readonly TocEntry[]): void {
    for (const entry of entries) {
      const page = entry.page === undefined ? undefined : pages.find(entry.page);
      if (entry.page !== undefined && page === undefined) absent.push(entry.page);
      if (page !== undefined && entry.borrowed) borrowed.push([parent, page]);
      else if (page !== undefined) placeEntries(tree.addPage(parent, page), entry.children);
      else if (entry.children.length > 0) {
        placeEntries(tree.addGroup(parent, entry.title ?? "Untitled"), entry.children);
      }
    }
  }
}

/** By folders: a folder's own page (`index`, `README`, the folder's name, or its path with an ending) owns what lies in it. */
function pathPlacer(pages: PageTable, tree: NavTree, prefix: string) {
  const folders = new Map<string, NavNode>([
    ["", ROOT],
    [prefix.toLowerCase(), ROOT],
  ]);

  function folderNode(folder: string): NavNode {
    const known = folders.get(folder.toLowerCase());
    if (known !== undefined) return known;
    const parent = folderNode(parentOf(folder));
    const page = folderPage(pages, folder);
    const node =
      page === undefined
        ? tree.addGroup(parent, posix.basename(folder))
        : (tree.nodeOf(page) ?? tree.addPage(parent, page));
    folders.set(folder.toLowerCase(), node);
    return node;
  }

  return {
    place(page: number): void {
      const key = pages.key(page);
      const folder = parentOf(key);
      const isFolderPage = folder !== prefix && folderPage(pages, folder) === page;
      const parent = folderNode(folder);
      if (!isFolderPage && tree.nodeOf(page) === undefined) tree.addPage(parent, page);
    },
  };
}

function folderPage(pages: PageTable, folder: string): number | undefined {
  if (folder === "") return undefined;
  const name = posix.basename(folder);
  const stems = [
    folder,
    ...["index", "readme", "default", name].map((stem) => `${folder}/${stem}`),
  ];
  return firstFound(
    pages,
    stems.flatMap((stem) => [`${stem}.md`, `${stem}.html`, `${stem}.htm`, stem]),
  );
}

function parentOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." || folder === "/" ? "" : folder;
}

/** Page of an address's key, with the host or without, with or without an ending. */
function pageAt(pages: PageTable, key: string): number | undefined {
  const withoutHost = key.slice(key.indexOf("/") + 1);
  return firstFound(
    pages,
    [key, withoutHost].flatMap((path) => [
      path,
      `${path}.html`,
      `${path}.md`,
      `${path}/index.html`,
      `${path}/index.md`,
    ]),
  );
}

function firstFound(pages: PageTable, keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const page = pages.find(key);
    if (page !== undefined) return page;
  }
  return undefined;
}

/** By breadcrumbs: below the page that the last crumb links to, else below a group of the crumbs' titles. */
function crumbPlacer(pages: PageTable, tree: NavTree) {
  const groups = new Map<string, NavNode>();
  /** Pages being placed, from the first asked for to the one in hand: a circle of breadcrumbs ends there. */
  const open = new Set<number>();

  function place(page: number): NavNode {
    const known = tree.nodeOf(page);
    if (known !== undefined) return known;
    open.add(page);
    const parent = parentNode(stepsOf(page));
    open.delete(page);
    return tree.nodeOf(page) ?? tree.addPage(parent, page);
  }

  function parentNode(steps: readonly Step[]): NavNode {
    const last = steps.at(-1);
    if (last === undefined || last.isRoot) return ROOT;
    const above = steps.slice(0, -1);
    if (last.page !== undefined) return open.has(last.page) ? parentNode(above) : place(last.page);
    const parent = parentNode(above);
    const key = JSON.stringify([parent, last.title]);
    const group = groups.get(key) ?? tree.addGroup(parent, last.title);
    groups.set(key, group);
    return group;
  }

  interface Step {
    title: string;
    page: number | undefined;
    isRoot: boolean;
  }

  /** The page itself, which most sites show as the last crumb, is left out. */
  function stepsOf(page: number): Step[] {
    const base = pages.address(page);
    return pages.crumbs(page).flatMap((crumb, i, all): Step[] => {
      const url =
        crumb.url !== undefined && URL.canParse(crumb.url, base)
          ? new URL(crumb.url, base)
          : undefined;
      const target = url === undefined ? undefined : pageAt(pages, urlKey(url.href));
      const isLast = i === all.length - 1;
      const isItself =
        target === page || (isLast && target === undefined && crumb.title === pages.title(page));
      if (isItself) return [];
      return [{ title: crumb.title, page: target, isRoot: i === 0 && url?.pathname === "/" }];
    });
  }

  return { place };
}

/** Folders that all pages share: they say nothing and make no nodes. */
function commonFolder(pages: PageTable): string {
  if (pages.count === 0) return "";
  let common = parentOf(pages.key(0));
  for (let page = 1; page < pages.count && common !== ""; page++) {
    const key = pages.key(page);
    while (common !== "" && !key.startsWith(`${common}/`)) common = parentOf(common);
  }
  return common;
}
