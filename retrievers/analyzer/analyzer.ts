import { createRequire } from "node:module";
import { type Fingerprint, fingerprint } from "../../core/fingerprint.ts";
import { LUCENE_33 } from "./stop-words.ts";
import { runsOf, wordsOfRun } from "./words.ts";

/** Raised whenever the same config would cut or change words differently than before. */
const ANALYZER_VERSION = 1;

/** How text becomes terms. Plain data: stored with an index and part of its fingerprint. */
export interface AnalyzerConfig {
  /** `unicode-word`: runs of letters, numbers and marks in any script, NFKC (see `words.ts`). */
  tokenizer: "unicode-word";
  lowercase: boolean;
  /** English Porter stems (1980 algorithm); absent = none. */
  stem?: "porter";
  /** Words left out, compared before stemming and without regard to case; absent = none. */
  stopWords?: "lucene-33";
}

/** Lower-case words, no stemming, no stop list (baselines note, A7). */
export const DEFAULT_ANALYZER: AnalyzerConfig = { tokenizer: "unicode-word", lowercase: true };

export interface Analyzer {
  readonly config: AnalyzerConfig;
  readonly version: number;
  readonly fingerprint: Fingerprint;
  /** True when every word is its own term: nothing is stemmed or left out. */
  readonly plain: boolean;
  /** Terms of a text in order, repeats kept. */
  terms(text: string): string[];
  /** Term of one word as cut by `wordsOfRun`, or undefined for a word that is left out. */
  term(word: string): string | undefined;
}

export function createAnalyzer(config: AnalyzerConfig = DEFAULT_ANALYZER): Analyzer {
  const stop = config.stopWords === "lucene-33" ? LUCENE_33 : undefined;
  const stem = config.stem === "porter" ? loadPorter() : undefined;
  const memo = new Map<string, string>();

  function term(word: string): string | undefined {
    if (stop?.has(word.toLowerCase())) return undefined;
    if (stem === undefined) return word;
    let stemmed = memo.get(word);
    if (stemmed === undefined) {
      // A stem may come out empty for odd input; the word itself is then the better term.
      stemmed = stem(word) || word;
      if (memo.size >= STEM_MEMO_LIMIT) memo.clear();
      memo.set(word, stemmed);
    }
    return stemmed;
  }

  return {
    config,
    version: ANALYZER_VERSION,
    fingerprint: fingerprint({ ...config, version: ANALYZER_VERSION }),
    plain: stop === undefined && stem === undefined,
    term,
    terms(text) {
      const terms: string[] = [];
      for (const run of runsOf(text)) {
        for (const word of wordsOfRun(run, config.lowercase)) {
          const found = term(word);
          if (found !== undefined) terms.push(found);
        }
      }
      return terms;
    },
  };
}

const STEM_MEMO_LIMIT = 1 << 18;

/** Only this module of `natural`: its main entry reads `.env` files and prints to stdout. */
function loadPorter(): (word: string) => string {
  const load = createRequire(import.meta.url);
  const stemmer = load("natural/lib/natural/stemmers/porter_stemmer.js") as {
    stem(word: string): string;
  };
  return (word) => stemmer.stem(word);
}
