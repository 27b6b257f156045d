import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnalyzer } from "../analyzer/analyzer.ts";
import { buildBm25 } from "./build.ts";
import { idf } from "./scoring.ts";

/** Scores every chunk straight from the formula, without an index. */
function scoreAll(texts: readonly string[], query: string, k1: number, b: number): number[] {
  const { terms } = createAnalyzer();
  const documents = texts.map(terms);
  const total = documents.reduce((sum, words) => sum + words.length, 0);
  return documents.map((words) => {
    const norm = k1 * (1 - b + (b * words.length * documents.length) / Math.max(1, total));
    return terms(query).reduce((sum, term) => {
      const tf = words.filter((word) => word === term).length;
      const df = documents.filter((other) => other.includes(term)).length;
      return tf === 0 ? sum : sum + (idf(documents.length, df) * tf) / (tf + norm);
    }, 0);
  });
}

/** The same from term lists counted once, for corpora where the above would take minutes. */
function scoreMany(texts: readonly string[], queries: readonly string[]): number[][] {
  const documents = texts.map((text) => text.split(" "));
  const total = documents.reduce((sum, words) => sum + words.length, 0);
  const counts = documents.map((words) => {
    const count = new Map<string, number>();
    for (const word of words) count.set(word, (count.get(word) ?? 0) + 1);
    return count;
  });
  const frequency = new Map<string, number>();
  for (const word of counts.flatMap((count) => [...count.keys()])) {
    frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  return queries.map((query) =>
    counts.map((count, chunk) => {
      const norm = 1.5 * (0.25 + (0.75 * documents[chunk]!.length * documents.length) / total);
      return query.split(" ").reduce((sum, term) => {
        const tf = count.get(term) ?? 0;
        return sum + (idf(documents.length, frequency.get(term) ?? 0) * tf) / (tf + norm);
      }, 0);
    }),
  );
}

/** Pseudo-random texts with a few frequent and many rare words. */
function makeTexts(count: number, seed: number): string[] {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  return Array.from({ length: count }, () => {
    const length = 5 + Math.floor(random() * 60);
    return Array.from({ length }, () => `w${Math.floor(400 * random() ** 4)}`).join(" ");
  });
}

function expectRanking(
  { chunks, scores }: { chunks: Uint32Array; scores: Float64Array },
  truth: readonly number[],
  k: number,
  allowed?: Uint8Array,
): void {
  const eligible = truth.map((score, chunk) => ({ score, chunk }));
  const matching = eligible.filter(({ score, chunk }) => score > 0 && allowed?.[chunk] !== 0);
  matching.sort((a, b) => b.score - a.score);
  expect(chunks.length).toBe(Math.min(k, matching.length));
  expect(new Set(chunks).size).toBe(chunks.length);
  for (const [rank, chunk] of chunks.entries()) {
    expect(scores[rank]).toBeCloseTo(truth[chunk]!, 8);
    expect(scores[rank]).toBeCloseTo(matching[rank]!.score, 8);
    if (allowed !== undefined) expect(allowed[chunk]).toBe(1);
    if (rank === 0) continue;
    const before = scores[rank - 1]!;
    expect(before > scores[rank]! || (before === scores[rank] && chunks[rank - 1]! < chunk)).toBe(
      true,
    );
  }
}

describe("search", () => {
  it("gives the scores worked out by hand", async () => {
    const index = await buildBm25(["red apple", "green apple apple pear", "pear"]);
    const { chunks, scores } = index.search("apple", 10);
    // N = 3, df = 2, avgdl = 7/3: idf = ln(1 + 1.5/2.5) = 0.470004
    // chunk 0: tf 1, dl 2: norm = 1.5 (0.25 + 0.75 * 6/7)  = 1.339286 -> 0.470004 / 2.339286
    // chunk 1: tf 2, dl 4: norm = 1.5 (0.25 + 0.75 * 12/7) = 2.303571 -> 0.940007 / 4.303571
    expect(Array.from(chunks)).toEqual([1, 0]);
    expect(scores[0]).toBeCloseTo(0.2184249, 6);
    expect(scores[1]).toBeCloseTo(0.2009175, 6);
  });

  it("counts a repeated query term as often as it stands there", async () => {
    const index = await buildBm25(["red apple", "green pear"]);
    const once = index.search("apple", 1).scores[0]!;
    expect(index.search("apple Apple APPLE", 1).scores[0]).toBeCloseTo(3 * once, 9);
  });

  it("breaks ties by rising handle, also at the cut", async () => {
    const index = await buildBm25(Array.from({ length: 50 }, () => "same words here"));
    expect(Array.from(index.search("words same", 5).chunks)).toEqual([0, 1, 2, 3, 4]);
  });

  it.each([
    ["an empty query", ["a b"], ""],
    ["a query of unknown words", ["a b"], "zzz yyy"],
    ["an empty corpus", [], "a"],
    ["a corpus of empty texts", ["", "  ..."], "a"],
  ])("finds nothing for %s", async (_name, texts, query) => {
    const index = await buildBm25(texts);
    expect(index.search(query, 5).chunks).toHaveLength(0);
  });

  it("gives fewer than k where fewer match, and none for k = 0", async () => {
    const index = await buildBm25(["a", "b", "a b"]);
    expect(Array.from(index.search("a", 100).chunks)).toEqual([0, 2]);
    expect(index.search("a", 0).chunks).toHaveLength(0);
    expect(() => index.search("a", -1)).toThrow(RangeError);
  });

  it("stays exact over several windows, for short and long rankings, filtered or not", async () => {
    const texts = makeTexts(40_000, 7);
    const index = await buildBm25(texts);
    const allowed = Uint8Array.from(texts, (_, chunk) => (chunk % 7 === 0 ? 1 : 0));
    allowed.fill(0, 0, 17_000);
    const queries = ["w0 w1 w2 w3 w350", "w390 w391 w12", "w0", "w5 w5 w80 w0 w1 w4 w7 w200 w201"];
    for (const [i, truth] of scoreMany(texts, queries).entries()) {
      for (const k of [1, 10, 200]) {
        expectRanking(index.search(queries[i]!, k), truth, k);
        expectRanking(index.search(queries[i]!, k, allowed), truth, k, allowed);
      }
    }
  });

  it("agrees with the formula on any small corpus", async () => {
    const word = fc.constantFrom("a", "b", "c", "d", "É", "longer");
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { maxLength: 15 }),
        text,
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 3, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (texts, query, k, k1, b) => {
          const index = await buildBm25(texts, { parameters: { k1, b } });
          expectRanking(index.search(query, k), scoreAll(texts, query, k1, b), k);
        },
      ),
    );
  });
});
