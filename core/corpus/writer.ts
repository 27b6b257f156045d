import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { RitbenchError } from "../errors.ts";
import type { Fingerprint } from "../fingerprint.ts";
import { CONTAINER_DOCUMENT } from "../ids.ts";
import { canonicalJson } from "../json.ts";
import { byteWriter, column } from "./columns.ts";
import type {
  Corpus,
  CorpusSink,
  CorpusSummary,
  DocumentInput,
  DocumentTree,
  NodeInput,
} from "./corpus.ts";
import { corpusFiles, openCorpus } from "./store.ts";

export interface BuildCorpusOptions {
  /** `<home>/corpora`; the corpus gets a folder named by its content hash in it. */
  corporaFolder: string;
  dataset: string;
  singleTree: boolean;
}

/**
 * Streams a forest to disk and opens it. The folder appears under its final name only when complete; if a
 * corpus of the same content is there already, that one is opened. Memory: about 50 bytes a node, plus one
 * text at a time.
 *
 * @throws RitbenchError E_CORPUS_EMPTY when the loader gives no node.
 */
export async function buildCorpus(
  options: BuildCorpusOptions,
  write: (sink: CorpusSink) => Promise<void> | void,
): Promise<Corpus> {
  clearAbandoned(options.corporaFolder);
  const temporary = join(options.corporaFolder, `${BUILDING}${process.pid}-${randomUUID()}`);
  mkdirSync(temporary, { recursive: true });
  try {
    const writer = corpusWriter(temporary, options);
    let summary: CorpusSummary;
    try {
      await write(writer.sink);
    } finally {
      summary = writer.finish();
    }
    if (summary.nodeCount === 0) {
      throw new RitbenchError("E_CORPUS_EMPTY", `${options.dataset} holds no documents`, {
        next: "check the data folder and the data set's options",
      });
    }
    const folder = join(options.corporaFolder, summary.hash);
    if (!existsSync(join(folder, corpusFiles.summary))) moveInto(temporary, folder);
    return openCorpus(folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

const BUILDING = ".building-";
/** Younger folders may belong to a process of another machine that shares the home folder. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Removes what killed processes left half-built. */
function clearAbandoned(corporaFolder: string): void {
  if (!existsSync(corporaFolder)) return;
  for (const name of readdirSync(corporaFolder)) {
    const pid = name.startsWith(BUILDING) ? Number.parseInt(name.slice(BUILDING.length), 10) : 0;
    if (!(pid > 0) || isRunning(pid)) continue;
    const folder = join(corporaFolder, name);
    const changed = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changed > ABANDONED_AFTER_MS) rmSync(folder, { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** Two processes may finish the same corpus at once: the later one keeps what is there. */
function moveInto(temporary: string, folder: string): void {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    if (!existsSync(join(folder, corpusFiles.summary))) throw error;
  }
}

interface OpenNode {
  handle: number;
  documentIndex: number;
  documentId: string;
}

function corpusWriter(
  folder: string,
  { dataset, singleTree }: BuildCorpusOptions,
): { sink: CorpusSink; finish(): CorpusSummary } {
  const file = (name: string): string => join(folder, name);
  const parents = column((n) => new Int32Array(n));
  const ends = column((n) => new Int32Array(n));
  const documents = column((n) => new Int32Array(n));
  const ordinals = column((n) => new Uint32Array(n));
  const textLengths = column((n) => new Uint32Array(n));
  const titles = growingStrings(file(corpusFiles.titles));
  const texts = growingStrings(file(corpusFiles.texts));
  const extras = growingStrings(file(corpusFiles.extras));
  const documentIds = growingStrings(file(corpusFiles.documentIds));
  const documentFacts = growingStrings(file(corpusFiles.documents));
  const documentNodeCounts = column((n) => new Uint32Array(n));
  const documentIndexes = new Map<string, number>();
  const declared = new Map<string, DocumentInput>();
  const notes: string[] = [];
  const stack: OpenNode[] = [];
  const hash = createHash("sha256").update(canonicalJson([dataset, singleTree]));
  let readableCount = 0;
  let treeCount = 0;
  let maxDepth = 0;

  function documentIndexOf(id: string, title: string, root: number): number {
    const known = documentIndexes.get(id);
    if (known !== undefined) return known;
    const facts: DocumentInput = declared.get(id) ?? {
      id,
      title: id === CONTAINER_DOCUMENT ? "" : title,
    };
    declared.delete(id);
    const index = documentIndexes.size;
    documentIndexes.set(id, index);
    documentIds.push(wellFormed(id));
    const line = canonicalJson({
      ...facts,
      id: wellFormed(id),
      title: wellFormed(facts.title),
      root,
    });
    documentFacts.push(line);
    documentNodeCounts.push(0);
    hash.update(line);
    return index;
  }

  function open(node: NodeInput): void {
    const parent = stack.at(-1);
    const handle = parents.length;
    const documentId = node.documentId ?? parent?.documentId ?? CONTAINER_DOCUMENT;
    const documentIndex = documentIndexOf(documentId, node.title, handle);
    const ordinal = documentNodeCounts.get(documentIndex);
    documentNodeCounts.set(documentIndex, ordinal + 1);
    const title = wellFormed(node.title);
    const text = wellFormed(node.text ?? "");
    const extra = extraJson(node);
    parents.push(parent?.handle ?? -1);
    ends.push(-1);
    documents.push(documentIndex);
    ordinals.push(ordinal);
    textLengths.push(text.length);
    titles.push(title);
    texts.push(text);
    extras.push(extra);
    hash.update(
      `\n${stack.length} ${documentIndex} ${text.length} ${title.length} ${title}\0${text}\0${extra}`,
    );
    if (text !== "") readableCount++;
    if (parent === undefined) treeCount++;
    maxDepth = Math.max(maxDepth, stack.length);
    stack.push({ handle, documentIndex, documentId });
  }

  function close(): void {
    const node = stack.pop();
    if (node === undefined) throw new Error("corpus sink: close without open");
    ends.set(node.handle, parents.length);
  }

  const sink: CorpusSink = {
    document(input) {
      if (!documentIndexes.has(input.id)) declared.set(input.id, input);
    },
    open,
    close,
    tree(tree: DocumentTree) {
      open(tree);
      for (const child of tree.children ?? []) sink.tree(child);
      close();
    },
    note(sentence) {
      notes.push(sentence);
    },
  };

  function finish(): CorpusSummary {
    for (const strings of [titles, texts, extras, documentIds, documentFacts]) strings.close();
    if (stack.length > 0) throw new Error(`corpus sink: ${stack.length} nodes left open`);
    const columns: [string, Int32Array | Uint32Array][] = [
      [corpusFiles.parents, parents.view()],
      [corpusFiles.ends, ends.view()],
      [corpusFiles.nodeDocuments, documents.view()],
      [corpusFiles.ordinals, ordinals.view()],
      [corpusFiles.textLengths, textLengths.view()],
      [corpusFiles.documentNodeCounts, documentNodeCounts.view()],
    ];
    for (const [name, view] of columns) writeFileSync(file(name), view);
    const summary: CorpusSummary = {
      dataset,
      hash: hash.digest("hex").slice(0, 16) as Fingerprint,
      documentCount: [...documentIndexes.keys()].filter((id) => id !== CONTAINER_DOCUMENT).length,
      nodeCount: parents.length,
      readableCount,
      treeCount,
      maxDepth,
      singleTree,
      notes,
    };
    writeFileSync(file(corpusFiles.summary), `${JSON.stringify(summary, null, 2)}\n`);
    return summary;
  }

  return { sink, finish };
}

/** Strings in one file of UTF-8 with a column of their byte offsets beside it. */
function growingStrings(path: string): { push(text: string): void; close(): void } {
  const writer = byteWriter(path);
  const offsets = column((n) => new Float64Array(n));
  offsets.push(0);
  return {
    push(text) {
      if (text !== "") writer.text(text);
      offsets.push(writer.bytesWritten);
    },
    close() {
      writer.close();
      writeFileSync(`${path}.offsets`, offsets.view());
    },
  };
}

function extraJson({ metadata, pageSpans, attributes }: NodeInput): string {
  const pages = pageSpans === undefined || pageSpans.length === 0 ? undefined : pageSpans;
  if (metadata === undefined && pages === undefined && attributes === undefined) return "";
  return canonicalJson({ metadata, pageSpans: pages, attributes });
}

/** Lone surrogates cannot be written as UTF-8; they become U+FFFD here, once, so that offsets stay true. */
function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
