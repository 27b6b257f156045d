import { type ChunkHandle, CONTAINER_DOCUMENT } from "../../core/ids.ts";
import type { MethodContext } from "../../core/method.ts";
import type { DocumentFilter, Hit, SearchMode } from "../../core/retriever.ts";
import { tracedSearch } from "../../pipelines/passages/index.ts";
import { documentsTitled, mentionCounter, mentionsOf } from "./entity.ts";
import { fuseLists, inOrder, type ScoredChunk, type Weights } from "./fuse.ts";

/** Length of each ranked list (notes 5.3). */
const DEPTH = 200;
/** Full-text matches of an entity that are looked through for real mentions. */
const ANCHOR_DEPTH = 1000;

/** One search, blanks and repeats removed: at least one of the first three is there. Documents by index. */
export interface InteractSearch {
  semanticQuery?: string;
  exactKeywords?: string;
  entity?: string;
  weights?: Weights;
  include?: readonly number[];
  exclude: readonly number[];
  includeMode: "restrict" | "pin";
  n: number;
}

export interface InteractResult {
  /** At most n, best first. */
  ranked: readonly ScoredChunk[];
  /** An entity was asked for and no chunk within reach names it: the ranking is the unanchored one. */
  anchorMissed: boolean;
}

type Context = Pick<MethodContext, "corpus" | "chunks" | "retriever" | "tracer" | "signal">;

/** The corpus interaction engine (notes 5.3): ranks, fuses, anchors, shapes and cuts. */
export async function interactSearch(
  context: Context,
  search: InteractSearch,
): Promise<InteractResult> {
  const filter: DocumentFilter = {
    exclude: search.exclude,
    ...(search.include !== undefined && search.includeMode === "restrict"
      ? { include: search.include }
      : {}),
  };
  const pinned =
    search.includeMode === "pin"
      ? (search.include ?? []).filter((document) => !search.exclude.includes(document))
      : [];
  const anchored =
    search.entity === undefined
      ? undefined
      : await anchoredRanking(context, search, search.entity, filter);
  const anchorMissed = anchored !== undefined && anchored.length === 0;
  const ranked =
    anchored === undefined || anchorMissed
      ? await plainRanking(context, search, [filter, ...pinFilter(pinned)])
      : anchored;
  return { ranked: cut(context, ranked, search.n, pinned), anchorMissed };
}

/** Pinned documents are searched by themselves too: they have to show up in the ranking. */
function pinFilter(pinned: readonly number[]): DocumentFilter[] {
  return pinned.length === 0 ? [] : [{ include: pinned }];
}

/** The fused ranking of the queries over the union of the filters. An entity alone is searched for by its name. */
async function plainRanking(
  context: Context,
  { semanticQuery, exactKeywords, entity, weights }: InteractSearch,
  filters: readonly DocumentFilter[],
): Promise<ScoredChunk[]> {
  const lists = async (mode: SearchMode, query: string | undefined): Promise<Hit[] | undefined> =>
    query === undefined ? undefined : union(context, mode, query, filters);
  const byName = semanticQuery === undefined && exactKeywords === undefined ? entity : undefined;
  return fuseLists(
    await lists("dense", semanticQuery ?? byName),
    await lists("bm25", exactKeywords),
    weights,
    context.chunks,
  );
}

async function union(
  context: Context,
  mode: SearchMode,
  query: string,
  filters: readonly DocumentFilter[],
): Promise<Hit[]> {
  const hits = new Map<ChunkHandle, Hit>();
  for (const filter of filters) {
    for (const hit of await tracedSearch(context, query, DEPTH, { mode, filter })) {
      hits.set(hit.chunk, hit);
    }
  }
  return [...hits.values()];
}

/**
 * Chunks whose text or titles name the entity. Full-text search and document titles say which documents do; the
 * queries then rank the chunks of these, and of what they find anywhere. Behind them, and where the entity is
 * all that is asked for, the other chunks that name it come by number of mentions, then by likeness to the name.
 */
async function anchoredRanking(
  context: Context,
  search: InteractSearch,
  entity: string,
  filter: DocumentFilter,
): Promise<ScoredChunk[]> {
  const { corpus, chunks } = context;
  const count = mentionCounter(entity);
  const mentions = new Map<ChunkHandle, number>();
  const names = (chunk: ChunkHandle): boolean => {
    const known = mentions.get(chunk) ?? mentionsOf(context, chunk, count);
    mentions.set(chunk, known);
    return known > 0;
  };
  const named = (
    await tracedSearch(context, entity, ANCHOR_DEPTH, { mode: "bm25", filter })
  ).filter(({ chunk }) => names(chunk));
  const documents = new Set([
    ...named.map(({ chunk }) => corpus.documentIndex(chunks.node(chunk))),
    ...documentsTitled(corpus, count),
  ]);
  const within: DocumentFilter = {
    ...filter,
    include: [...documents].filter((document) => filter.include?.includes(document) ?? true),
  };
  const filters = documents.size === 0 ? [filter] : [filter, within];
  const alone = search.semanticQuery === undefined && search.exactKeywords === undefined;
  if (!alone) {
    const ranked = await plainRanking(context, search, filters);
    const kept = ranked.filter(({ chunk }) => names(chunk));
    const seen = new Set(kept.map(({ chunk }) => chunk));
    const others = named.filter(({ chunk }) => !seen.has(chunk));
    return [...kept, ...byMentions(context, others, mentions, new Map(), 0)];
  }
  const alike = await union(context, "dense", entity, filters);
  const found = new Set([...named, ...alike].map(({ chunk }) => chunk));
  return byMentions(
    context,
    [...found].filter(names).map((chunk) => ({ chunk })),
    mentions,
    new Map(alike.map(({ chunk, score }) => [chunk, score])),
    1,
  );
}

/** Most mentions first, then the likest; the score is the share of the most mentions, times `scale`. */
function byMentions(
  { chunks }: Context,
  found: readonly { chunk: ChunkHandle }[],
  mentions: ReadonlyMap<ChunkHandle, number>,
  likeness: ReadonlyMap<ChunkHandle, number>,
  scale: 0 | 1,
): ScoredChunk[] {
  const mentionsOfChunk = (chunk: ChunkHandle): number => mentions.get(chunk) ?? 0;
  const most = found.reduce((max, { chunk }) => Math.max(max, mentionsOfChunk(chunk)), 1);
  const tied = inOrder(
    found.map(({ chunk }) => ({ chunk, score: likeness.get(chunk) ?? -1 })),
    chunks,
  );
  return tied
    .sort((a, b) => mentionsOfChunk(b.chunk) - mentionsOfChunk(a.chunk))
    .map(({ chunk }) => ({ chunk, score: (scale * mentionsOfChunk(chunk)) / most }));
}

/** The n best; every pinned document keeps the place of its best chunk, as far as there are places. */
function cut(
  { corpus, chunks }: Context,
  ranked: readonly ScoredChunk[],
  n: number,
  pinned: readonly number[],
): ScoredChunk[] {
  const documentOf = ({ chunk }: ScoredChunk): number => corpus.documentIndex(chunks.node(chunk));
  const held = new Set(
    pinned.flatMap((document) => ranked.find((entry) => documentOf(entry) === document) ?? []),
  );
  const places = new Set([...ranked.filter((entry) => held.has(entry)).slice(0, n)]);
  for (const entry of ranked) {
    if (places.size >= n) break;
    places.add(entry);
  }
  return ranked.filter((entry) => places.has(entry));
}

/** Indexes of documents by id, and the ids that no document has. */
export function documentIndexes(
  { corpus }: Pick<Context, "corpus">,
  ids: readonly string[],
): { known: number[]; unknown: string[] } {
  const known: number[] = [];
  const unknown: string[] = [];
  for (const id of ids) {
    const document = id === CONTAINER_DOCUMENT ? undefined : corpus.findDocument(id);
    if (document === undefined) unknown.push(id);
    else known.push(document.index);
  }
  return { known, unknown };
}
