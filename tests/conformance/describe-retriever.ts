import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import type { ChunkHandle } from "../../core/ids.ts";
import type { Chunks, Hit, Retriever, SearchMode, SearchOptions } from "../../core/retriever.ts";

/** A retriever over a corpus of at least two documents with text, and what belongs to it. */
export interface RetrieverCase {
  retriever: Retriever;
  corpus: Corpus;
  chunks: Chunks;
  close(): Promise<void> | void;
}

const ALL_MODES: readonly SearchMode[] = ["hybrid", "dense", "bm25"];
/** Of reciprocal rank fusion (App. B.1). */
const KAPPA = 60;

const hostileQueries: readonly string[] = [
  "\0\u0001\u007f",
  "\ud800 lone surrogate \udc00",
  "[CLS] [SEP] <|endoftext|> ##",
  "\u202Eright to left\u202C",
  '"quoted" AND (OR NOT *:* ~2 ^5 \\',
  "'; DROP TABLE chunks; --",
  "<script>alert(1)</script>",
  "__proto__ constructor toString hasOwnProperty",
  "漢字 かな 한국어 👩‍🚀 e\u0301",
  "a".repeat(5_000),
  "word ".repeat(3_000),
];

/** What every retriever must keep to: the types in `core/retriever.ts` say how, this says what. */
export function describeRetriever(name: string, make: () => Promise<RetrieverCase>): void {
  describe(`retriever ${name}`, () => {
    let made: RetrieverCase;
    let queries: string[];
    beforeAll(async () => {
      made = await make();
      queries = queriesFrom(made);
    });
    afterAll(() => made.close());

    const search = (query: string, k: number, options?: SearchOptions): Promise<Hit[]> =>
      made.retriever.search(query, k, options);
    const documentOf = ({ chunk }: Hit): number =>
      made.corpus.documentIndex(made.chunks.node(chunk));
    const everyMode = async (check: (mode: SearchMode) => Promise<void>): Promise<void> => {
      for (const mode of made.retriever.modes) await check(mode);
    };

    function expectRanking(hits: readonly Hit[], k: number): void {
      expect(hits.length).toBeLessThanOrEqual(k);
      expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1));
      expect(new Set(hits.map(({ chunk }) => chunk)).size).toBe(hits.length);
      for (const [index, { chunk, score }] of hits.entries()) {
        expect(Number.isInteger(chunk) && chunk >= 0 && chunk < made.chunks.count).toBe(true);
        expect(Number.isFinite(score)).toBe(true);
        if (index > 0) expect(score).toBeLessThanOrEqual(hits[index - 1]!.score);
      }
    }

    it("serves at least one mode; the default is hybrid, else its first", async () => {
      const { modes } = made.retriever;
      expect(modes.length).toBeGreaterThan(0);
      const mode = modes.includes("hybrid") ? "hybrid" : modes[0]!;
      expect(await search(queries[0]!, 5)).toEqual(await search(queries[0]!, 5, { mode }));
    });

    it("finds a chunk by its own words", () =>
      everyMode(async (mode) => {
        for (let chunk = 0; chunk < made.chunks.count; chunk++) {
          const hits = await search(made.chunks.text(chunk as ChunkHandle), 10, { mode });
          expect(hits.map((hit) => hit.chunk)).toContain(chunk);
        }
      }));

    it("gives ranks from 1, falling scores and each chunk once", () =>
      everyMode(async (mode) => {
        for (const query of queries) expectRanking(await search(query, 7, { mode }), 7);
      }));

    it("ranks in one total order: a shorter list is the start of a longer one", () =>
      everyMode(async (mode) => {
        const depth = made.chunks.count;
        for (const query of queries) {
          const all = await search(query, depth, { mode, depth });
          for (const k of [1, 2, 5]) {
            expect(await search(query, k, { mode, depth })).toEqual(all.slice(0, k));
          }
        }
      }));

    it("takes a k larger than the corpus, gives nothing for k = 0, and refuses what is no count", () =>
      everyMode(async (mode) => {
        const hits = await search(queries[0]!, made.chunks.count + 1000, { mode });
        expect(hits.length).toBeGreaterThan(0);
        expectRanking(hits, made.chunks.count);
        expect(await search(queries[0]!, 0, { mode })).toEqual([]);
        for (const k of [-1, 1.5, Number.NaN]) {
          await expect(search(queries[0]!, k, { mode })).rejects.toThrow();
        }
      }));

    it("finds nothing for a query without words", () =>
      everyMode(async (mode) => {
        for (const query of ["", " ", "\n\t\u00a0"]) {
          expect(await search(query, 5, { mode })).toEqual([]);
        }
      }));

    it("survives hostile queries", () =>
      everyMode(async (mode) => {
        for (const query of hostileQueries) expectRanking(await search(query, 5, { mode }), 5);
      }));

    it("gives the same again, alone and among others", () =>
      everyMode(async (mode) => {
        const alone = await Promise.all(queries.map((query) => search(query, 9, { mode })));
        const reversed = [...queries].reverse();
        const among = await Promise.all(reversed.map((query) => search(query, 9, { mode })));
        expect(among.reverse()).toEqual(alone);
      }));

    it("filters documents before the cut", () =>
      everyMode(async (mode) => {
        for (const query of queries) {
          const all = await search(query, made.chunks.count, { mode, depth: made.chunks.count });
          const best = documentOf(all[0]!);
          const others = all.filter((hit) => documentOf(hit) !== best);
          const exclude = await search(query, 1, { mode, filter: { exclude: [best] } });
          expect(exclude).toHaveLength(Math.min(1, others.length));
          for (const hit of exclude) expect(documentOf(hit)).not.toBe(best);
          const include = await search(query, 50, { mode, filter: { include: [best] } });
          expect(include.length).toBeGreaterThan(0);
          for (const hit of include) expect(documentOf(hit)).toBe(best);
          if (mode === "hybrid") continue;
          const rest = await search(query, 50, { mode, filter: { exclude: [best] } });
          const bare = ({ chunk, score }: Hit) => ({ chunk, score });
          expect(rest.map(bare)).toEqual(others.slice(0, 50).map(bare));
        }
      }));

    it("lets exclude win over include, and knows empty and foreign filters", () =>
      everyMode(async (mode) => {
        const [query] = queries;
        const [top] = await search(query!, 1, { mode });
        const document = documentOf(top!);
        const documents = Array.from({ length: made.corpus.documentCount }, (_, i) => i);
        const filtered = (filter: NonNullable<SearchOptions["filter"]>) =>
          search(query!, 20, { mode, filter });
        expect(await filtered({ include: [document], exclude: [document] })).toEqual([]);
        for (const hit of await filtered({ include: documents, exclude: [document] })) {
          expect(documentOf(hit)).not.toBe(document);
        }
        expect(await filtered({ include: [] })).toEqual([]);
        expect(await filtered({ include: [made.corpus.documentCount + 5] })).toEqual([]);
        const unfiltered = await search(query!, 20, { mode });
        expect(await filtered({ exclude: [] })).toEqual(unfiltered);
        expect(await filtered({ include: documents })).toEqual(unfiltered);
      }));

    it("names the modes it has when asked for another", async () => {
      for (const mode of ALL_MODES) {
        if (made.retriever.modes.includes(mode)) continue;
        await expect(search(queries[0]!, 5, { mode })).rejects.toMatchObject({
          code: "E_SEARCH_MODE",
        });
      }
      await expect(search(queries[0]!, 5, { mode: "fuzzy" as SearchMode })).rejects.toMatchObject({
        code: "E_SEARCH_MODE",
      });
    });

    it("stops at an aborted signal", () =>
      everyMode(async (mode) => {
        const signal = AbortSignal.abort(new Error("enough"));
        await expect(search(queries[0]!, 5, { mode, signal })).rejects.toThrow("enough");
      }));

    it("tells the rank and score of each list, and they agree with the lists and the fusion", async () => {
      const { modes } = made.retriever;
      for (const query of queries) {
        const depth = 6;
        const lists = new Map<SearchMode, Hit[]>();
        for (const mode of modes) lists.set(mode, await search(query, depth, { mode }));
        for (const { rank, score, ...hit } of lists.get("bm25") ?? []) {
          expect(hit).toEqual({ chunk: hit.chunk, rankBm25: rank, scoreBm25: score });
        }
        for (const { rank, score, ...hit } of lists.get("dense") ?? []) {
          expect(hit).toEqual({ chunk: hit.chunk, rankDense: rank, scoreDense: score });
        }
        if (!modes.includes("hybrid")) continue;
        const fused = await search(query, 2 * depth, { mode: "hybrid", depth });
        const found = (mode: SearchMode, { chunk }: Hit) =>
          lists.get(mode)!.find((hit) => hit.chunk === chunk);
        for (const hit of fused) {
          const [bm25, dense] = [found("bm25", hit), found("dense", hit)];
          expect(hit.rankBm25).toBe(bm25?.rank);
          expect(hit.scoreBm25).toBe(bm25?.score);
          expect(hit.rankDense).toBe(dense?.rank);
          expect(hit.scoreDense).toBe(dense?.score);
          const part = (other: Hit | undefined) =>
            other === undefined ? 0 : 1 / (KAPPA + other.rank);
          expect(hit.score).toBeCloseTo(part(bm25) + part(dense), 15);
        }
        const both = [...lists.get("bm25")!, ...lists.get("dense")!];
        expect(fused.length).toBe(new Set(both.map(({ chunk }) => chunk)).size);
      }
    });
  });
}

/** First words of chunks all over the corpus. */
function queriesFrom({ chunks }: RetrieverCase): string[] {
  const step = Math.max(1, Math.floor(chunks.count / 6));
  const queries: string[] = [];
  for (let chunk = 0; chunk < chunks.count; chunk += step) {
    const words = chunks.text(chunk as ChunkHandle).match(/[\p{L}\p{N}]+/gu) ?? [];
    if (words.length > 0) queries.push(words.slice(0, 8).join(" "));
  }
  return queries;
}
