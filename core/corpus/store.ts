import { closeSync, existsSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { RitbenchError } from "../errors.ts";
import {
  CONTAINER_DOCUMENT,
  type DocumentId,
  type NodeHandle,
  type NodeId,
  nodeIdOf,
} from "../ids.ts";
import { readBytes, readColumn } from "./columns.ts";
import type {
  Corpus,
  CorpusDocument,
  CorpusSummary,
  DocumentInput,
  NodeAttributes,
  NodeMetadata,
  PageSpan,
} from "./corpus.ts";
import { stringTable } from "./string-table.ts";

/** Names of the files of a corpus folder; `<name>.offsets` lies beside each file of strings. */
export const corpusFiles = {
  summary: "corpus.json",
  parents: "parents.i32",
  ends: "ends.i32",
  nodeDocuments: "node-documents.i32",
  ordinals: "ordinals.u32",
  textLengths: "text-lengths.u32",
  documentNodeCounts: "document-node-counts.u32",
  titles: "titles.utf8",
  texts: "texts.utf8",
  extras: "extras.jsonl",
  documentIds: "document-ids.utf8",
  documents: "documents.jsonl",
} as const;

interface Extra {
  metadata?: NodeMetadata;
  pageSpans?: PageSpan[];
  attributes?: NodeAttributes;
}

/**
 * Opens a corpus folder. Structure and titles are held in typed arrays; texts and page spans stay on disk and
 * are read one at a time.
 *
 * @throws RitbenchError E_CORPUS_MISSING when the folder holds no complete corpus.
 */
export function openCorpus(folder: string): Corpus {
  const file = (name: string): string => join(folder, name);
  if (!existsSync(file(corpusFiles.summary))) {
    throw new RitbenchError("E_CORPUS_MISSING", "no corpus here", {
      where: folder,
      next: "run the command again: the corpus is rebuilt from the data folder",
    });
  }
  const summary = JSON.parse(readFileSync(file(corpusFiles.summary), "utf8")) as CorpusSummary;
  const parents = readColumn(file(corpusFiles.parents), Int32Array);
  const ends = readColumn(file(corpusFiles.ends), Int32Array);
  const nodeDocuments = readColumn(file(corpusFiles.nodeDocuments), Int32Array);
  const ordinals = readColumn(file(corpusFiles.ordinals), Uint32Array);
  const textLengths = readColumn(file(corpusFiles.textLengths), Uint32Array);
  const documentNodeCounts = readColumn(file(corpusFiles.documentNodeCounts), Uint32Array);
  const strings = (name: string) =>
    stringTable(readBytes(file(name)), readColumn(file(`${name}.offsets`), Float64Array));
  const titles = strings(corpusFiles.titles);
  const documentIds = strings(corpusFiles.documentIds);
  const texts = diskStrings(file(corpusFiles.texts));
  const extras = diskStrings(file(corpusFiles.extras));
  const documents = diskStrings(file(corpusFiles.documents));
  const documentStarts = runningSum(documentNodeCounts);
  let nodesByDocument: Int32Array | undefined;

  const extra = (node: NodeHandle): Extra => {
    const line = extras.get(node);
    return line === "" ? {} : (JSON.parse(line) as Extra);
  };

  function nodesOf(document: number): Int32Array {
    nodesByDocument ??= groupByDocument(nodeDocuments, documentStarts);
    return nodesByDocument.subarray(documentStarts[document]!, documentStarts[document + 1]!);
  }

  function document(index: number): CorpusDocument {
    const { root, ...facts } = JSON.parse(documents.get(index)) as DocumentInput & { root: number };
    return {
      ...facts,
      id: facts.id as DocumentId,
      index,
      root: root as NodeHandle,
      nodeCount: documentNodeCounts[index]!,
    };
  }

  const corpus: Corpus = {
    summary,
    nodeCount: summary.nodeCount,
    documentCount: documentIds.count,
    parent: (node) => parents[node]! as NodeHandle | -1,
    subtreeEnd: (node) => ends[node]! as NodeHandle,
    children(node) {
      const found: NodeHandle[] = [];
      for (let child = node + 1; child < ends[node]!; child = ends[child]!) {
        found.push(child as NodeHandle);
      }
      return found;
    },
    roots() {
      const found: NodeHandle[] = [];
      for (let root = 0; root < summary.nodeCount; root = ends[root]!)
        found.push(root as NodeHandle);
      return found;
    },
    depth(node) {
      let depth = 0;
      for (let at = parents[node]!; at !== -1; at = parents[at]!) depth++;
      return depth;
    },
    ancestors(node) {
      const path: NodeHandle[] = [];
      for (let at = parents[node]!; at !== -1; at = parents[at]!) path.push(at as NodeHandle);
      return path.reverse();
    },
    nodeId: (node) => nodeIdOf(documentIds.get(nodeDocuments[node]!), ordinals[node]!),
    findNode(id) {
      const separator = id.lastIndexOf("_");
      const digits = id.slice(separator + 1);
      if (separator === -1 || !/^\d{4,10}$/.test(digits)) return undefined;
      const index = documentIds.indexOf(id.slice(0, separator));
      if (index === -1) return undefined;
      const node = nodesOf(index)[Number(digits)] as NodeHandle | undefined;
      return node !== undefined && corpus.nodeId(node) === (id as NodeId) ? node : undefined;
    },
    title: (node) => titles.get(node),
    text: (node) => texts.get(node),
    textLength: (node) => textLengths[node]!,
    readable: (node) => textLengths[node]! > 0,
    metadata: (node) => extra(node).metadata,
    pageSpans: (node) => extra(node).pageSpans ?? [],
    attributes: (node) => extra(node).attributes,
    documentIndex: (node) => nodeDocuments[node]!,
    document,
    findDocument(id) {
      const index = documentIds.indexOf(id);
      return index === -1 ? undefined : document(index);
    },
    documentNodes: (index) => Array.from(nodesOf(index)) as NodeHandle[],
    close() {
      for (const open of [texts, extras, documents]) open.close();
    },
  };
  return corpus;
}

/** Documents proper, without the containers' document. */
export function* realDocuments(corpus: Corpus): Generator<CorpusDocument> {
  for (let index = 0; index < corpus.documentCount; index++) {
    const document = corpus.document(index);
    if (document.id !== CONTAINER_DOCUMENT) yield document;
  }
}

/** Strings that stay on disk and are read one at a time. */
function diskStrings(path: string): { get(index: number): string; close(): void } {
  const offsets = readColumn(`${path}.offsets`, Float64Array);
  const file = openSync(path, "r");
  return {
    get(index) {
      const start = offsets[index]!;
      const length = offsets[index + 1]! - start;
      if (length === 0) return "";
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(file, bytes, done, length - done, start + done);
        if (read === 0) {
          throw new RitbenchError("E_CORPUS_CUT", "the corpus file ends too early", {
            where: path,
            next: "remove the corpus folder; it is rebuilt from the data folder",
          });
        }
        done += read;
      }
      return bytes.toString("utf8");
    },
    close: () => closeSync(file),
  };
}

function runningSum(counts: Uint32Array): Uint32Array {
  const starts = new Uint32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + counts[i]!;
  return starts;
}

/** Node handles grouped by document, in document order within each (counting sort). */
function groupByDocument(nodeDocuments: Int32Array, starts: Uint32Array): Int32Array {
  const next = starts.slice();
  const grouped = new Int32Array(nodeDocuments.length);
  for (let node = 0; node < nodeDocuments.length; node++) {
    grouped[next[nodeDocuments[node]!]!++] = node;
  }
  return grouped;
}
