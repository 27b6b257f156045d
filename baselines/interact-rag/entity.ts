import type { Corpus } from "../../core/corpus/corpus.ts";
import { type ChunkHandle, CONTAINER_DOCUMENT } from "../../core/ids.ts";
import type { Chunks } from "../../core/retriever.ts";
import { headingOf } from "../../pipelines/passages/index.ts";

/** How often a text names an entity: case-folded, whole words, any blanks between its words. */
export type MentionCounter = (text: string) => number;

export function mentionCounter(entity: string): MentionCounter {
  const words = entity.trim().split(/\s+/).map(escapeRegExp);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("\\s+")}(?![\\p{L}\\p{N}])`, "giu");
  return (text) => text.match(pattern)?.length ?? 0;
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Mentions in a chunk's text and in the titles above it. */
export function mentionsOf(
  { corpus, chunks }: { corpus: Corpus; chunks: Chunks },
  chunk: ChunkHandle,
  count: MentionCounter,
): number {
  return count(chunks.text(chunk)) + count(headingOf(corpus, chunks.node(chunk)));
}

/** In larger corpora (portals, whose documents are pages) titles are looked at only on chunks a search has found. */
const MOST_TITLES = 100_000;

/** Indexes of the documents whose title names the entity. */
export function documentsTitled(corpus: Corpus, count: MentionCounter): number[] {
  if (corpus.documentCount > MOST_TITLES) return [];
  return Array.from({ length: corpus.documentCount }, (_, index) => index).filter((index) => {
    const { id, title } = corpus.document(index);
    return id !== CONTAINER_DOCUMENT && count(title) > 0;
  });
}
