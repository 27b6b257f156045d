import type { Corpus } from "../../core/corpus/corpus.ts";
import type { ChunkHandle } from "../../core/ids.ts";
import { canonicalJson } from "../../core/json.ts";
import type { Chunks, DocumentFilter } from "../../core/retriever.ts";

/** Which chunks a filter lets pass: 1 a chunk, or undefined when all do. */
export type DocumentMask = (filter: DocumentFilter | undefined) => Uint8Array | undefined;

/** Remembers the last filter: an agent's searches over one document share it. */
export function documentMask(corpus: Corpus, chunks: Chunks): DocumentMask {
  let documents: Int32Array | undefined;
  let last: { key: string; mask: Uint8Array } | undefined;

  function documentOfChunks(): Int32Array {
    const found = new Int32Array(chunks.count);
    for (let chunk = 0; chunk < chunks.count; chunk++) {
      found[chunk] = corpus.documentIndex(chunks.node(chunk as ChunkHandle));
    }
    return found;
  }

  return (filter) => {
    if (filter?.include === undefined && filter?.exclude === undefined) return undefined;
    const key = canonicalJson(filter);
    if (last?.key === key) return last.mask;
    documents ??= documentOfChunks();
    const allowed = new Uint8Array(corpus.documentCount).fill(filter.include === undefined ? 1 : 0);
    for (const document of filter.include ?? []) allowed[document] = 1;
    for (const document of filter.exclude ?? []) allowed[document] = 0;
    const mask = Uint8Array.from(documents, (document) => allowed[document]!);
    last = { key, mask };
    return mask;
  };
}
