import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import { type Analyzer, type AnalyzerConfig, createAnalyzer } from "../analyzer/analyzer.ts";
import { createTermTable, type TermArrays } from "../analyzer/term-table.ts";
import { type Bm25Parameters, lengthNorms } from "./scoring.ts";
import { createSearcher, type QueryTerm } from "./search.ts";
import type { Ranking } from "./top-k.ts";

/** What a BM25 index consists of; the file holds the same, see README.md. */
export interface Bm25Data {
  analyzer: AnalyzerConfig;
  parameters: Bm25Parameters;
  /** Fingerprint of the texts the index was made from, when the caller gave one. */
  source?: string;
  /** Terms of each chunk, repeats counted. */
  lengths: Uint32Array;
  terms: TermArrays;
  /** Chunks that hold each term. */
  frequencies: Uint32Array;
  /** Postings by term, then chunk. */
  chunks: Uint32Array;
  tfs: Uint8Array;
  /** Term frequencies that do not fit a byte: term, chunk, frequency, ... */
  large: Uint32Array;
}

/** An index in memory. Chunks are integers in the order in which their texts were given. */
export interface Bm25Index {
  readonly chunkCount: number;
  /** Terms over all chunks, repeats counted. */
  readonly tokenCount: number;
  readonly termCount: number;
  readonly postingCount: number;
  readonly analyzer: Analyzer;
  readonly parameters: Bm25Parameters;
  readonly source: string | undefined;
  /** Analyzer, formula and parameters: everything that decides a score apart from the texts. */
  readonly fingerprint: Fingerprint;
  readonly data: Bm25Data;
  /**
   * The best `k` chunks that share a term with the text, best first, equal scores by rising handle; fewer
   * where fewer match, none for a text without known terms. A term that stands n times in the text counts
   * n times (as in Lucene's and bm25s's sums). `allowed[chunk] === 1` restricts the ranking before the cut;
   * document frequencies and lengths stay those of the whole index.
   */
  search(text: string, k: number, allowed?: Uint8Array): Ranking;
}

/** Settings of an index as one hash; the formula's name stands for `scoring.ts`. */
export function bm25Fingerprint(analyzer: Analyzer, parameters: Bm25Parameters): Fingerprint {
  return fingerprint({ analyzer: analyzer.fingerprint, formula: "lucene", ...parameters });
}

export function createBm25Index(data: Bm25Data): Bm25Index {
  const { parameters, lengths, frequencies, chunks, tfs } = data;
  const analyzer = createAnalyzer(data.analyzer);
  const terms = createTermTable(data.terms);
  const starts = new Float64Array(frequencies.length + 1);
  for (let term = 0; term < frequencies.length; term++) {
    starts[term + 1] = starts[term]! + frequencies[term]!;
  }
  const search = createSearcher({
    starts,
    chunks: new Int32Array(chunks.buffer, chunks.byteOffset, chunks.length),
    tfs,
    large: data.large,
    norms: lengthNorms(lengths, parameters),
  });

  return {
    chunkCount: lengths.length,
    tokenCount: lengths.reduce((total, length) => total + length, 0),
    termCount: frequencies.length,
    postingCount: chunks.length,
    analyzer,
    parameters,
    source: data.source,
    fingerprint: bm25Fingerprint(analyzer, parameters),
    data,
    search(text, k, allowed) {
      if (!Number.isInteger(k) || k < 0) throw new RangeError(`k must be a count, got ${k}`);
      if (allowed !== undefined && allowed.length !== lengths.length) {
        throw new RangeError(`a filter over ${allowed.length} of ${lengths.length} chunks`);
      }
      const counts = new Map<number, number>();
      for (const word of analyzer.terms(text)) {
        const term = terms.find(word);
        if (term >= 0) counts.set(term, (counts.get(term) ?? 0) + 1);
      }
      const query: QueryTerm[] = Array.from(counts, ([term, count]) => ({ term, count }));
      return search(query, k, allowed);
    },
  };
}
