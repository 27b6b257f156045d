import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { CorpusSink } from "../../core/corpus/corpus.ts";
import type { DataFinding, Dataset, DatasetContext } from "../../core/dataset.ts";
import { CONTAINER_DOCUMENT, nodeIdOf } from "../../core/ids.ts";
import { readOptions } from "../parsing/options.ts";
import { sourceFacts } from "../parsing/sources.ts";
import { type Navigation, navigationOf, type ProductToc } from "./navigation.ts";
import { loadPages, type StoredPages } from "./page-store.ts";
import { pageNames, rawPages } from "./pages.ts";
import { findPortalFiles, nestedToc, type PortalFiles } from "./portal-files.ts";
import { type GoldPage, questionOf, questionsPath, readQuestionRows } from "./questions.ts";
import { sitemapUrls } from "./sitemap.ts";
import { readToc } from "./toc.ts";

const NAME = "entqabench";

const optionShape = {
  /** JSON Lines file of questions, absolute or relative to the data set's folder. */
  questionsFile: z.string().optional(),
};

interface Setup {
  files: PortalFiles;
  questions: string | undefined;
}

async function setup(context: DatasetContext): Promise<Setup> {
  const { questionsFile } = readOptions(NAME, optionShape, context.options);
  const files = await findPortalFiles(context.folder);
  return { files, questions: questionsPath(context.folder, questionsFile, files.questions) };
}

/** A documentation portal: one tree, one node a page. See this folder's README. */
export const entqabench: Dataset = {
  name: NAME,
  title: "EntQABench",
  version: 1,
  singleTree: true,
  splits: ["product", "pages"],
  fetchFiles: [],
  unreleased:
    "EntQABench and its pages (EntDocs) are not released. Put a portal's pages.jsonl (or a folder of Markdown or HTML " +
    "pages), its toc.yaml, toc.yml or sitemap.xml, and questions.jsonl into a folder, and bring it with " +
    "`ritbench data import <folder> --name entqabench`; the layouts are in datasets/entqabench/README.md.",

  async sources(context) {
    const { files, questions } = await setup(context);
    const navigation = [...files.tocs, ...files.keyrefs].map(({ path }) => path);
    const pages = files.records === undefined ? files.pages : [files.records];
    return sourceFacts(context.folder, [
      ...pages,
      ...navigation,
      ...files.sitemaps,
      ...(questions === undefined ? [] : [questions]),
    ]);
  },

  async writeCorpus(sink, context) {
    await withPortal(context, (pages, navigation) => writePortal(sink, pages, navigation));
  },

  async questions(context) {
    const { files, questions } = await setup(context);
    if (questions === undefined) return [];
    const rows = await readQuestionRows(questions, context.signal);
    const wanted = new Set(rows.flatMap((row) => row.pages.map((page) => page.toLowerCase())));
    const pages = await findGoldPages(context, files, wanted);
    return rows.map((row) => questionOf(row, NAME, pages));
  },

  async findings(context) {
    const findings: DataFinding[] = [];
    await withPortal(context, (_, navigation) => {
      for (const path of new Set(navigation.absent)) {
        findings.push({
          kind: "document_missing",
          subject: path,
          detail: "the navigation names a page that is not among the pages",
        });
      }
    });
    return findings;
  },
};

/** Reads pages and navigation; what is set aside on disk goes when `use` is done. */
async function withPortal(
  context: DatasetContext,
  use: (pages: StoredPages, navigation: Navigation) => void,
): Promise<void> {
  const { files } = await setup(context);
  const pages = await loadPages(context, files);
  try {
    const tocs = await readTocs(context.folder, files);
    use(pages, await navigationOf(pages, tocs, sitemapPages(context, files)));
  } finally {
    pages.dispose();
  }
}

async function* sitemapPages(context: DatasetContext, files: PortalFiles): AsyncGenerator<string> {
  for (const path of files.sitemaps) yield* sitemapUrls(join(context.folder, path), context.signal);
}

/** Navigation files that no other one includes. */
async function readTocs(folder: string, files: PortalFiles): Promise<ProductToc[]> {
  const nested = new Set<string>();
  const tocs: (ProductToc & { path: string })[] = [];
  for (const { path, base } of files.tocs) {
    const where = join(folder, path);
    const toc = await readToc(await readFile(where, "utf8"), where, base, async (wanted) => {
      const found = await nestedToc(folder, files, wanted);
      if (found === undefined || found.path === path) return undefined;
      nested.add(found.path);
      return found;
    });
    tocs.push({ path, base, toc });
  }
  return tocs.filter(({ path }) => !nested.has(path));
}

/** One pass over the pages' heads, for the gold pages alone. */
async function findGoldPages(
  context: DatasetContext,
  files: PortalFiles,
  wanted: ReadonlySet<string>,
): Promise<Map<string, GoldPage>> {
  const found = new Map<string, GoldPage>();
  if (wanted.size === 0) return found;
  const names = pageNames();
  for await (const raw of rawPages(context.folder, files, context.signal)) {
    const page = names.name(raw);
    if (page === undefined) continue;
    for (const name of [raw.key.toLowerCase(), page.id.toLowerCase()]) {
      if (wanted.has(name) && !found.has(name)) found.set(name, page);
    }
  }
  return found;
}

function writePortal(sink: CorpusSink, pages: StoredPages, navigation: Navigation): void {
  const { tree } = navigation;
  const groupNumbers = numberGroups(navigation);
  const nodeId = (node: number) => {
    const page = tree.page(node);
    return page === -1
      ? nodeIdOf(CONTAINER_DOCUMENT, groupNumbers.get(node) ?? 0)
      : nodeIdOf(pages.id(page), 0);
  };
  let linked = 0;
  tree.walk(
    (node) => {
      const page = tree.page(node);
      if (page === -1) {
        sink.open({ title: tree.title(node), documentId: CONTAINER_DOCUMENT });
        return;
      }
      const { id, title, text, url } = pages.page(page);
      const crossLinks = tree.crossLinks(page).map(nodeId);
      if (crossLinks.length > 0) linked++;
      sink.document({ id, title, treeKind: "portal", ...(url !== undefined && { url }) });
      sink.open({
        title,
        text,
        documentId: id,
        ...((crossLinks.length > 0 || url !== undefined) && {
          attributes: {
            ...(crossLinks.length > 0 && { crossLinks }),
            ...(url !== undefined && { url }),
          },
        }),
      });
    },
    () => sink.close(),
  );
  const { absent, unlisted } = navigation;
  if (linked > 0) sink.note(`${linked} pages have further parents, kept as cross-links.`);
  if (unlisted > 0)
    sink.note(`${unlisted} pages stand in no navigation file and lie right below their product.`);
  if (absent.length > 0) sink.note(`${new Set(absent).size} pages of the navigation do not exist.`);
  if (pages.repeats > 0)
    sink.note(`${pages.repeats} pages repeat the place of another and were left out.`);
  const empty = tree.emptyGroups();
  if (empty > 0) sink.note(`${empty} groups of the navigation hold no page and were left out.`);
}

/** Numbers the groups as the corpus will: in document order among the containers. */
function numberGroups({ tree }: Navigation): Map<number, number> {
  const numbers = new Map<number, number>();
  tree.walk(
    (node) => {
      if (tree.page(node) === -1) numbers.set(node, numbers.size);
    },
    () => {},
  );
  return numbers;
}
