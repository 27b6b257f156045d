import type {
  Corpus,
  CorpusDocument,
  CorpusSink,
  DocumentTree,
} from "../../../core/corpus/corpus.ts";
import { buildCorpus } from "../../../core/corpus/writer.ts";
import { assignPageText, type PageShare } from "../../../core/forest/page-ownership.ts";
import { CONTAINER_DOCUMENT, type NodeHandle } from "../../../core/ids.ts";
import type { OpenBuild } from "../stage/run-build.ts";
import { documentPages } from "./document-pages.ts";
import type { InducedStructure } from "./induce.ts";
import { markdownStructure } from "./markdown.ts";

/** Kinds of tree in `CorpusDocument.treeKind`. */
const INDUCED = "induced";
const FLAT = "pages";

export interface InducedCorpusOptions {
  /** `<home>/corpora`. */
  corporaFolder: string;
  /** Documents without pages whose tree is one node are split at their Markdown headings. */
  splitMarkdown: boolean;
}

/** A document's new tree and what became of its pages. */
export interface InducedDocument {
  tree: DocumentTree;
  share: PageShare;
  /** `induced`, or `pages` where the induction failed. */
  treeKind: string;
}

/** The tree of one document with the text of its pages, each piece in one node (A30). Without a structure, one node a page. */
export function inducedDocument(
  corpus: Corpus,
  document: CorpusDocument & { pageCount: number },
  structure: InducedStructure | undefined,
): InducedDocument {
  const pages = documentPages(corpus, document);
  const { children, share } = assignPageText(pages, structure?.trees ?? []);
  return {
    tree: { title: document.title, documentId: document.id, children },
    share,
    treeKind: structure === undefined || structure.trees.length === 0 ? FLAT : INDUCED,
  };
}

/**
 * The corpus with its documents' trees replaced by induced ones; everything else, the containers above documents among
 * it, is taken over. Documents whose induction failed get one node a page, and the corpus's notes say how many.
 * Summaries and keywords are left behind: they belong to the metadata build.
 */
export function writeInducedCorpus(
  source: Corpus,
  build: OpenBuild<InducedStructure>,
  { corporaFolder, splitMarkdown }: InducedCorpusOptions,
): Promise<Corpus> {
  const { dataset, singleTree } = source.summary;
  return buildCorpus({ corporaFolder, dataset, singleTree }, (sink) => {
    const tally = { induced: 0, flat: 0, pages: 0, shared: 0, split: 0 };
    const ends: NodeHandle[] = [];
    let document = source.document(source.documentIndex(0 as NodeHandle));
    for (let node = 0 as NodeHandle; node < source.nodeCount; ) {
      while (ends.length > 0 && ends.at(-1)! <= node) {
        ends.pop();
        sink.close();
      }
      const index = source.documentIndex(node);
      if (index !== document.index) document = source.document(index);
      const isRoot = document.root === node && document.id !== CONTAINER_DOCUMENT;
      const tree = isRoot ? newTree(source, document, build, splitMarkdown) : undefined;
      if (tree !== undefined) {
        declare(sink, document, tree.treeKind);
        sink.tree(tree.tree);
        count(tally, tree);
        node = source.subtreeEnd(node);
        continue;
      }
      if (isRoot) declare(sink, document, document.treeKind);
      const attributes = source.attributes(node);
      const text = source.text(node);
      sink.open({
        title: source.title(node),
        documentId: document.id,
        ...(text !== "" && { text }),
        pageSpans: source.pageSpans(node),
        ...(attributes !== undefined && { attributes }),
      });
      ends.push(source.subtreeEnd(node));
      node = (node + 1) as NodeHandle;
    }
    for (const _ of ends) sink.close();
    for (const note of source.summary.notes) sink.note(`Before the induction: ${note}`);
    sink.note(
      `${tally.induced} trees were induced by ${build.manifest.what.model.id}; ${tally.flat} documents whose induction failed have one node a page.`,
    );
    sink.note(
      `Of ${tally.pages} pages with text in them, ${tally.shared} are shared by several nodes and ${tally.split} of these were cut at every title.`,
    );
  });
}

function newTree(
  source: Corpus,
  document: CorpusDocument,
  build: OpenBuild<InducedStructure>,
  splitMarkdown: boolean,
): (Omit<InducedDocument, "share"> & { share?: PageShare }) | undefined {
  const { pageCount, root } = document;
  if (pageCount !== undefined && pageCount > 0) {
    const record = build.get(document.id);
    if (record === undefined) return undefined;
    return inducedDocument(source, { ...document, pageCount }, record.value);
  }
  if (!splitMarkdown || document.nodeCount > 1) return undefined;
  const tree = markdownStructure(source.text(root), { title: source.title(root) });
  return tree.children?.length
    ? { tree: { ...tree, documentId: document.id }, treeKind: "markdown" }
    : undefined;
}

function declare(sink: CorpusSink, document: CorpusDocument, treeKind: string | undefined): void {
  const { id, title, pageCount, url } = document;
  sink.document({
    id,
    title,
    ...(pageCount !== undefined && { pageCount }),
    ...(treeKind !== undefined && { treeKind }),
    ...(url !== undefined && { url }),
  });
}

function count(
  tally: { induced: number; flat: number; pages: number; shared: number; split: number },
  { share, treeKind }: { share?: PageShare; treeKind: string },
): void {
  if (share === undefined) return;
  if (treeKind === INDUCED) tally.induced++;
  else tally.flat++;
  tally.pages += share.pages;
  tally.shared += share.sharedPages;
  tally.split += share.splitPages;
}
