import type { Corpus } from "../../core/corpus/corpus.ts";
import type { EvidenceMatcher, ReadExtent } from "../../core/evidence/matcher.ts";
import type { DocumentId, NodeId } from "../../core/ids.ts";
import type { EvidenceSet, EvidenceUnit } from "../../core/question.ts";
import type { ReadItem, TextSpan } from "../../core/trace.ts";

/** Precision and recall of what was read, at one granularity; null where it makes no sense there. */
export interface LevelScore {
  precision: number | null;
  recall: number | null;
}

/** How one gold unit was met. */
export interface UnitCoverage {
  unit: EvidenceUnit;
  read: boolean;
  /** Its node was laid before the model by title. */
  shown: boolean;
  /** It was read, or its node stands for another chunk in a ranking of the retriever; null without a trace. */
  retrieved: boolean | null;
}

export interface EvidenceScores {
  /** Which of the question's evidence sets was scored: the one with the best recall (A12). */
  set: number;
  annotator: string | null;
  units: readonly UnitCoverage[];
  /** Gold units that lie nowhere in the corpus: left out, since no method could read them. */
  unresolved: number;
  /** Distinct items as read against gold units as given (A11). */
  own: LevelScore;
  chunk: LevelScore;
  node: LevelScore;
  page: LevelScore;
  document: LevelScore;
  /** Share of gold units whose node was shown; null for methods that show nothing. */
  shownRecall: number | null;
  /** Gold tokens read / tokens read; null when nothing was read. */
  readEfficiency: number | null;
}

export interface EvidenceInput {
  reads: readonly ReadItem[];
  shownNodes: readonly string[];
  /** Nodes of the chunks that rankings held and that were not read as chunks; undefined without a trace. */
  retrievedNodes?: readonly string[];
  sets: readonly EvidenceSet[];
}

/** Scores against the annotator whose evidence was met best; undefined when no gold unit lies in the corpus. */
export function scoreEvidence(
  corpus: Corpus,
  matcher: EvidenceMatcher,
  input: EvidenceInput,
): EvidenceScores | undefined {
  const scored = input.sets.flatMap((set, index) => {
    const scores = scoreSet(corpus, matcher, input, set, index);
    return scores === undefined ? [] : [scores];
  });
  // Recall decides, then precision, then what was shown; a full tie goes to the first annotator.
  return scored.sort(
    (a, b) =>
      b.own.recall! - a.own.recall! ||
      b.own.precision! - a.own.precision! ||
      (b.shownRecall ?? 0) - (a.shownRecall ?? 0) ||
      a.set - b.set,
  )[0];
}

function scoreSet(
  corpus: Corpus,
  matcher: EvidenceMatcher,
  input: EvidenceInput,
  set: EvidenceSet,
  index: number,
): EvidenceScores | undefined {
  const gold = set.units.filter((unit) => matcher.resolve(unit).resolved);
  if (gold.length === 0) return undefined;
  const { reads } = input;
  const shown = wholeNodes(corpus, input.shownNodes);
  const retrieved =
    input.retrievedNodes === undefined ? undefined : wholeNodes(corpus, input.retrievedNodes);
  const units = gold.map((unit) => {
    const read = isCovered(matcher, reads, unit);
    const inRanking = read || retrieved?.some((node) => matcher.covers(node, unit));
    return {
      unit,
      read,
      shown: shown.some((node) => matcher.covers(node, unit)),
      retrieved: retrieved === undefined ? null : inRanking === true,
    };
  });
  const recall = share(units, ({ read }) => read)!;
  const hits = (items: readonly ReadExtent[]): LevelScore => ({
    precision: share(items, (item) => gold.some((unit) => matcher.covers(item, unit))) ?? 0,
    recall,
  });
  const nothing: LevelScore = { precision: null, recall: null };
  return {
    set: index,
    annotator: set.annotator ?? null,
    units,
    unresolved: set.units.length - gold.length,
    own: hits(reads),
    chunk: reads.every(({ kind }) => kind === "chunk") ? hits(reads) : nothing,
    node: hits(byNode(reads)),
    page: setScore(
      pagesRead(corpus, reads),
      gold.map((unit) => pagesOfUnit(corpus, matcher, unit)),
    ),
    document: setScore(
      new Set(reads.map(({ documentId }) => documentId)),
      gold.map((unit) => [matcher.documentOf(unit) as string]),
    ),
    shownRecall: input.shownNodes.length === 0 ? null : share(units, (unit) => unit.shown),
    readEfficiency: readEfficiency(matcher, reads, gold),
  };
}

/** A unit counts as read through one item, or through several that make it up together. */
function isCovered(
  matcher: EvidenceMatcher,
  reads: readonly ReadItem[],
  unit: EvidenceUnit,
): boolean {
  if (reads.some((item) => matcher.covers(item, unit))) return true;
  const documentId = matcher.documentOf(unit);
  if (documentId === undefined) return false;
  const spans = mergeSpans(
    reads.filter((item) => item.documentId === documentId).flatMap((item) => item.spans),
  );
  return spans.length > 0 && matcher.covers({ documentId, spans }, unit);
}

function wholeNodes(corpus: Corpus, ids: readonly string[]): ReadExtent[] {
  return ids.flatMap((id) => {
    const node = corpus.findNode(id);
    if (node === undefined) return [];
    const documentId = corpus.document(corpus.documentIndex(node)).id;
    const spans = [{ nodeId: id as NodeId, start: 0, end: corpus.textLength(node) }];
    return [{ documentId, spans }];
  });
}

/** What was read of each node, as one item per node. */
function byNode(reads: readonly ReadItem[]): ReadExtent[] {
  const nodes = new Map<NodeId, { documentId: DocumentId; spans: TextSpan[] }>();
  for (const { documentId, spans } of reads) {
    for (const span of spans) {
      const node = nodes.get(span.nodeId) ?? { documentId, spans: [] };
      node.spans.push(span);
      nodes.set(span.nodeId, node);
    }
  }
  return [...nodes.values()].map((node) => ({ ...node, spans: mergeSpans(node.spans) }));
}

/** Union of spans, so that text read twice counts once. */
export function mergeSpans(spans: readonly TextSpan[]): TextSpan[] {
  const sorted = [...spans].sort((a, b) =>
    a.nodeId === b.nodeId ? a.start - b.start : a.nodeId < b.nodeId ? -1 : 1,
  );
  const merged: TextSpan[] = [];
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && last.nodeId === span.nodeId && span.start <= last.end) {
      merged[merged.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}

/** Sets of things read and things gold: a gold unit counts as met when one of its things was read. */
function setScore(read: ReadonlySet<string>, gold: readonly (readonly string[])[]): LevelScore {
  if (gold.some((things) => things.length === 0)) return { precision: null, recall: null };
  const wanted = new Set(gold.flat());
  const distinct = new Map(gold.map((things) => [things.join("\n"), things]));
  return {
    precision: share([...read], (thing) => wanted.has(thing)) ?? 0,
    recall: share([...distinct.values()], (things) => things.some((thing) => read.has(thing))),
  };
}

function pagesRead(corpus: Corpus, reads: readonly ReadItem[]): Set<string> {
  return new Set(
    reads.flatMap((item) =>
      item.page === undefined
        ? pagesOfSpans(corpus, item.documentId, item.spans)
        : [`${item.documentId} p. ${item.page}`],
    ),
  );
}

function pagesOfUnit(corpus: Corpus, matcher: EvidenceMatcher, unit: EvidenceUnit): string[] {
  if (unit.kind === "page") return [`${unit.documentId} p. ${unit.page}`];
  const resolution = matcher.resolve(unit);
  if (unit.kind === "document" || !resolution.resolved) return [];
  return pagesOfSpans(corpus, resolution.documentId, resolution.spans);
}

function pagesOfSpans(
  corpus: Corpus,
  documentId: DocumentId,
  spans: readonly TextSpan[],
): string[] {
  return spans.flatMap((span) => {
    const node = corpus.findNode(span.nodeId);
    if (node === undefined) return [];
    return corpus
      .pageSpans(node)
      .filter((piece) => piece.start < span.end && span.start < piece.end)
      .map(({ page }) => `${documentId} p. ${page}`);
  });
}

/** Tokens spread evenly over an item's text; gold text read twice by two items counts in both, as its cost does. */
function readEfficiency(
  matcher: EvidenceMatcher,
  reads: readonly ReadItem[],
  gold: readonly EvidenceUnit[],
): number | null {
  const golden = mergeSpans(
    gold.flatMap((unit) => {
      const resolution = matcher.resolve(unit);
      return resolution.resolved ? resolution.spans : [];
    }),
  );
  let useful = 0;
  let all = 0;
  for (const { spans, tokens } of reads) {
    const own = mergeSpans(spans);
    const length = own.reduce((sum, { start, end }) => sum + end - start, 0);
    all += tokens;
    if (length === 0) continue;
    let inside = 0;
    for (const span of own) {
      for (const piece of golden) {
        if (piece.nodeId !== span.nodeId) continue;
        inside += Math.max(0, Math.min(piece.end, span.end) - Math.max(piece.start, span.start));
      }
    }
    useful += (tokens * inside) / length;
  }
  return all === 0 ? null : useful / all;
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number | null {
  return items.length === 0 ? null : items.filter(test).length / items.length;
}
