import type { Fingerprint } from "../fingerprint.ts";
import type { DocumentId, NodeHandle, NodeId } from "../ids.ts";

/** What the node-metadata build writes for a node with text (A29). */
export interface NodeMetadata {
  summary?: string;
  keywords?: readonly string[];
}

/** A piece of a node's own text that lies on one page: `[start, end)` in UTF-16 units of the node's text, page 0-based. */
export interface PageSpan {
  page: number;
  start: number;
  end: number;
}

/** One document of a corpus (A33): a filing, a paper, an article, a portal page. */
export interface CorpusDocument {
  id: DocumentId;
  index: number;
  title: string;
  /** First node of the document in document order. */
  root: NodeHandle;
  nodeCount: number;
  /** Pages of the source, where it has pages. */
  pageCount?: number;
  /** How the tree came about: `pageindex`, `outline`, `pages`, `induced`, `sections`, `html`, `markdown`, `toc`. */
  treeKind?: string;
  url?: string;
}

export interface CorpusSummary {
  /** Data set the corpus was read from. */
  dataset: string;
  /** Hash of all titles, texts, structure and ids; equal content gives an equal hash. */
  hash: Fingerprint;
  documentCount: number;
  nodeCount: number;
  readableCount: number;
  treeCount: number;
  /** Depth of the deepest node; a root has depth 0. */
  maxDepth: number;
  /** True where one document is a page of one big portal, so that choosing a single document makes no sense (A33). */
  singleTree: boolean;
  /** What the loader had to repair or leave out, one sentence each with a count. */
  notes: readonly string[];
}

/**
 * A forest of nodes, read from disk. Nodes are integers in document order (pre-order over the forest), so
 * ancestors come before their descendants and siblings keep their order. A node owns only its own text.
 */
export interface Corpus {
  readonly summary: CorpusSummary;
  readonly nodeCount: number;
  readonly documentCount: number;

  /** Parent handle, or -1 for a root. */
  parent(node: NodeHandle): NodeHandle | -1;
  /** First handle after the node's sub-tree: its descendants are `node + 1 .. end - 1`. */
  subtreeEnd(node: NodeHandle): NodeHandle;
  /** Children in document order. */
  children(node: NodeHandle): NodeHandle[];
  /** Roots of the forest in document order. */
  roots(): NodeHandle[];
  /** Distance from the root of the node's tree. */
  depth(node: NodeHandle): number;
  /** From the root down to the parent; empty for a root. */
  ancestors(node: NodeHandle): NodeHandle[];

  nodeId(node: NodeHandle): NodeId;
  /** Handle of an id, or undefined for an id that is not in the corpus. */
  findNode(id: string): NodeHandle | undefined;
  title(node: NodeHandle): string;
  /** The node's own text; empty for a container. Read from disk at each call. */
  text(node: NodeHandle): string;
  /** Length of the own text in UTF-16 units, without reading it. */
  textLength(node: NodeHandle): number;
  /** True when the node has own text (design.md: `readable`). */
  readable(node: NodeHandle): boolean;
  metadata(node: NodeHandle): NodeMetadata | undefined;
  /** Page pieces of the own text in order; empty where the source has no pages. */
  pageSpans(node: NodeHandle): PageSpan[];
  /** Extra facts of the loader: `sharesPage`, `crossLinks`, heading line numbers; undefined where there are none. */
  attributes(node: NodeHandle): NodeAttributes | undefined;

  /** Index of the node's document; containers belong to the document `_c`. */
  documentIndex(node: NodeHandle): number;
  document(index: number): CorpusDocument;
  findDocument(id: string): CorpusDocument | undefined;
  /** Nodes of a document in document order. */
  documentNodes(index: number): NodeHandle[];

  close(): void;
}

export interface NodeAttributes {
  /** The page's text belongs to another node of the same page (A30). */
  sharesPage?: boolean;
  /** Further parents of a portal page (the navigation is a DAG; the first parent owns it). Node ids. */
  crossLinks?: readonly string[];
  /** 1-based line of the node's heading in its source file (Markdown and HTML trees). */
  line?: number;
  /** First and last page the tree assigns to the node, 0-based, inclusive. */
  pages?: readonly [number, number];
  url?: string;
}

/** What a loader says of a node as it streams the forest in document order. */
export interface NodeInput {
  title: string;
  /** Own text; absent or empty for a container. */
  text?: string;
  /** Document the node belongs to; absent = the parent's document, or `_c` for a root without one. */
  documentId?: string;
  metadata?: NodeMetadata;
  pageSpans?: readonly PageSpan[];
  attributes?: NodeAttributes;
}

/** Facts of a document, given once, before or at its first node. */
export interface DocumentInput {
  id: string;
  title: string;
  pageCount?: number;
  treeKind?: string;
  url?: string;
}

/** A small tree held in memory, for loaders that have a whole document at hand. */
export interface DocumentTree extends NodeInput {
  children?: readonly DocumentTree[];
}

/** Where a loader streams its forest to. Calls nest: `open` ... `close` around the children, in document order. */
export interface CorpusSink {
  /** Declares a document; nodes name it by id. */
  document(input: DocumentInput): void;
  open(node: NodeInput): void;
  close(): void;
  /** `open`, the children, `close`. */
  tree(tree: DocumentTree): void;
  /** A sentence for `CorpusSummary.notes`. */
  note(sentence: string): void;
}
