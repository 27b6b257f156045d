import {
  addAll,
  addToFollowed,
  createScoreboard,
  drop,
  dropFiltered,
  follow,
  reachedBy,
  stretchOf,
} from "./kernels.ts";
import { idf } from "./scoring.ts";
import { createTermLists, type Postings, type TermList } from "./term-lists.ts";
import { createTopK, type Ranking } from "./top-k.ts";

/** A term of a query, with how often it stands there. */
export interface QueryTerm {
  term: number;
  count: number;
}

export type Searcher = (
  terms: readonly QueryTerm[],
  k: number,
  allowed: Uint8Array | undefined,
) => Ranking;

/** A clause of the query in hand. */
interface Clause {
  list: TermList;
  weight: number;
  /** The most it can add to a score in the current window. */
  bound: number;
}

/** Keeps an upper bound above every rounded contribution it stands for. */
const BOUND_SLACK = 1e-9;
/** 128 kB of scores and as much of length norms: both stay in a core's own cache. */
const MIN_WINDOW = 2 ** 14;
const MAX_WINDOWS = 256;
/** Looking one chunk up in a list costs about as much as adding this many postings of it. */
const LOOKUP_COST = 8;
/** Below every contribution: anything that matched at all. */
const ANY = 1e-10;

/**
 * Exact top k without scoring everything (MaxScore, Turtle and Flood 1995, term at a time in windows of
 * chunks). Each clause knows its peak per window. Windows are visited from the most promising one on,
 * until none can reach the k-th score. Within a window clauses are added from the strongest on; once
 * those left cannot reach the k-th score by themselves, only chunks that still can are followed.
 */
export function createSearcher(postings: Postings): Searcher {
  const { starts, norms } = postings;
  const chunkCount = norms.length;
  const windowSize = 2 ** Math.ceil(Math.log2(Math.max(MIN_WINDOW, chunkCount / MAX_WINDOWS)));
  const windowCount = Math.ceil(chunkCount / windowSize);
  const listOf = createTermLists(postings, windowSize);
  const board = createScoreboard(Math.min(windowSize, chunkCount));

  return (terms, k, allowed) => {
    const top = createTopK(Math.min(k, chunkCount));
    if (top.capacity === 0) return top.ranking();
    const clauses = terms.map(({ term, count }): Clause => {
      const weight = count * idf(chunkCount, starts[term + 1]! - starts[term]!);
      return { list: listOf(term), weight, bound: 0 };
    });
    const promise = promiseOf(clauses, windowCount);
    const order = Array.from(promise.keys()).filter((window) => promise[window]! > 0);
    order.sort((a, b) => promise[b]! - promise[a]! || a - b);

    for (const window of order) {
      if (promise[window]! < top.threshold) break;
      const base = window * windowSize;
      const size = Math.min(windowSize, chunkCount - base);
      const filter = allowed?.subarray(base, base + size);
      if (filter !== undefined && !filter.includes(1)) continue;

      let threshold = top.threshold;
      let left = promise[window]!;
      let followed = -1;
      for (const { list, weight, bound } of strongestFirst(clauses, window)) {
        const stretch = stretchOf(list, base, size);
        const postings = stretch.to - stretch.from;
        if (followed < 0 && postings * ESTIMATE_GAIN > size) {
          // A long list: worth finding out whether it can be avoided.
          if (left >= threshold && left < promise[window]! / 2) {
            threshold = Math.max(threshold, reachedBy(top.capacity, board, size, left, filter));
          }
          if (left < threshold) followed = follow(board, size, threshold - left);
        }
        if (followed >= 0 && followed * LOOKUP_COST < postings) {
          addToFollowed(board, followed, list, base, weight, norms);
        } else addAll(board.sums, stretch, weight, norms);
        left -= bound;
        if (followed >= 0) followed = drop(board, followed, threshold - left);
      }
      if (followed < 0) followed = follow(board, size, Math.max(ANY, threshold));
      if (filter !== undefined) followed = dropFiltered(board, followed, filter);
      for (let i = 0; i < followed; i++) {
        const offset = board.alive[i]!;
        top.offer(board.sums[offset]!, base + offset);
      }
      board.sums.fill(0, 0, size);
    }
    return top.ranking();
  };
}

/** A pass over the window costs as much as adding this part of as many postings. */
const ESTIMATE_GAIN = 4;

function strongestFirst(clauses: readonly Clause[], window: number): Clause[] {
  const active = clauses.filter(({ list }) => list.peaks[window]! > 0);
  for (const clause of active) clause.bound = boundOf(clause, window);
  return active.sort((a, b) => b.bound - a.bound);
}

function boundOf({ list, weight }: Clause, window: number): number {
  return weight * list.peaks[window]! + BOUND_SLACK;
}

/** The most that a chunk of each window can score; 0 where no clause occurs. */
function promiseOf(clauses: readonly Clause[], windowCount: number): Float64Array {
  const promise = new Float64Array(windowCount);
  for (const clause of clauses) {
    for (let window = 0; window < windowCount; window++) {
      if (clause.list.peaks[window]! > 0) promise[window]! += boundOf(clause, window);
    }
  }
  return promise;
}
