import type { DatasetContext } from "../../core/dataset.ts";
import { textSpill } from "../parsing/text-spill.ts";
import type { Crumb } from "./html-page.ts";
import type { PageTable } from "./navigation.ts";
import { type Page, pageNames, pageOf, rawPages } from "./pages.ts";
import { loadKeyrefs, type PortalFiles } from "./portal-files.ts";

/** All pages of a portal: their places in memory, everything else set aside on disk. */
export interface StoredPages extends PageTable {
  id(page: number): string;
  page(page: number): Page;
  /** Pages left out because an earlier one has the same place. */
  readonly repeats: number;
  dispose(): void;
}

/** Texts a page: its head as JSON, its title, its text. */
const TEXTS_A_PAGE = 3;

/** Streams the pages once and sets them aside. Memory: the maps of places and ids, and 24 bytes a page. */
export async function loadPages(context: DatasetContext, files: PortalFiles): Promise<StoredPages> {
  const keyrefsOf = await loadKeyrefs(context.folder, files);
  const spill = textSpill(context.cacheFolder);
  const names = pageNames();
  let repeats = 0;
  try {
    for await (const raw of rawPages(context.folder, files, context.signal)) {
      context.signal.throwIfAborted();
      const name = names.name(raw);
      if (name === undefined) {
        repeats++;
        continue;
      }
      const page = pageOf(raw, name.id, keyrefsOf(raw.key));
      const { text, title, ...head } = page;
      spill.add(JSON.stringify(head));
      spill.add(title);
      spill.add(text);
      if (names.count % 1000 === 0) context.progress(`entqabench: ${names.count} pages read`);
    }
  } catch (error) {
    spill.dispose();
    throw error;
  }
  const head = (page: number) =>
    JSON.parse(spill.get(page * TEXTS_A_PAGE)) as Omit<Page, "title" | "text">;
  return {
    count: names.count,
    repeats,
    find: names.find,
    key: (page) => head(page).key,
    id: (page) => head(page).id,
    title: (page) => spill.get(page * TEXTS_A_PAGE + 1),
    crumbs: (page): readonly Crumb[] => head(page).crumbs,
    address(page) {
      const { url, key } = head(page);
      return url ?? `https://portal/${key}`;
    },
    page: (page) => ({
      ...head(page),
      title: spill.get(page * TEXTS_A_PAGE + 1),
      text: spill.get(page * TEXTS_A_PAGE + 2),
    }),
    dispose: () => spill.dispose(),
  };
}
