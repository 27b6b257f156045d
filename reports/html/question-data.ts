import type { Corpus } from "../../core/corpus/corpus.ts";
import { createEvidenceMatcher, type EvidenceMatcher } from "../../core/evidence/matcher.ts";
import type { EvidenceUnit, Question } from "../../core/question.ts";
import type { RunRecord } from "../../core/record.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import type { ReadItem, Trace } from "../../core/trace.ts";
import { createNodeTable } from "./node-table.ts";
import type { GoldUnit, QuestionData, RecordData } from "./page-data.ts";
import { pageEvents } from "./page-events.ts";
import type { QuestionGroup } from "./question-groups.ts";
import type { RunJudgements } from "./run-judgements.ts";

/** The corpus a data set of the run was asked on; undefined where it is no longer at hand. */
export type CorpusOf = (dataset: string) => Corpus | undefined;

/** Makes the pages' data of one question after the other. */
export interface QuestionPages {
  of(group: QuestionGroup): QuestionData;
}

/** Questions after which looked-up evidence is forgotten, so that memory does not grow with the run. */
const MATCHER_QUESTIONS = 100;

export function createQuestionPages(
  run: StoredRun,
  judgements: RunJudgements,
  corpusOf: CorpusOf,
): QuestionPages {
  let matcher: { dataset: string; matcher: EvidenceMatcher; uses: number } | undefined;

  function matcherOf(dataset: string, corpus: Corpus): EvidenceMatcher {
    if (matcher === undefined || matcher.dataset !== dataset || matcher.uses >= MATCHER_QUESTIONS)
      matcher = { dataset, matcher: createEvidenceMatcher(corpus), uses: 0 };
    matcher.uses++;
    return matcher.matcher;
  }

  return {
    of({ dataset, questionId, keys }) {
      const question = run.question(dataset, questionId);
      const corpus = corpusOf(dataset);
      const gold = goldUnits(
        question,
        corpus === undefined ? undefined : matcherOf(dataset, corpus),
      );
      const parts = keys.map((key) => {
        const record = run.record(key)!;
        const trace = run.trace(record);
        return { record, trace, ...seen(record, trace) };
      });
      const table = createNodeTable(corpus);
      for (const { nodes } of gold) for (const id of nodes) table.add(id);
      for (const { shown, read } of parts) {
        for (const ids of shown) for (const id of ids) table.add(id);
        for (const id of read.keys()) table.add(id);
      }
      const { nodes, indexOf } = table.finish();
      const at = (id: string): number => indexOf(id)!;
      return {
        schema: "ritbench.html-question/1",
        dataset,
        id: questionId,
        text: question?.text ?? null,
        goldAnswers: question?.goldAnswers ?? [],
        answerable: question?.answerable ?? true,
        meta: question?.meta ?? {},
        evidence: gold.map((unit) => ({ ...unit, nodes: unit.nodes.map(at) })),
        titled: corpus !== undefined,
        nodes,
        records: parts.map(({ record, trace, shown, selected, read }) => ({
          ...recordData(run, record, judgements),
          shown: shown.map((ids) => ids.map(at)),
          selected: selected.map(at),
          read: [...read].map(([id, tokens]) => ({ node: at(id), tokens })),
          events: trace === undefined ? null : pageEvents(trace, indexOf),
        })),
      };
    },
  };
}

interface Seen {
  /** Node ids laid before the model, a list for each time. */
  shown: string[][];
  selected: string[];
  /** Tokens read of each node. */
  read: ReadonlyMap<string, number>;
}

/** From the trace; where it is missing, from what the record keeps. */
function seen(record: RunRecord, trace: Trace | undefined): Seen {
  const events = trace?.events ?? [];
  const shown = events.filter((event) => event.type === "shown");
  const read = readNodes(record.reads);
  if (trace === undefined) {
    const all = record.shownNodes.length === 0 ? [] : [[...record.shownNodes]];
    return { shown: all, selected: [], read };
  }
  return {
    shown: shown.map(({ nodes }) => [...new Set<string>(nodes)]),
    selected: [...new Set<string>(shown.flatMap(({ selected }) => selected))].filter((id) =>
      shown.some(({ nodes }) => (nodes as readonly string[]).includes(id)),
    ),
    read,
  };
}

/** Tokens by node; a page that several nodes own counts for each of them by its share of the text. */
function readNodes(reads: readonly ReadItem[]): Map<string, number> {
  const tokens = new Map<string, number>();
  for (const item of reads) {
    const spans = item.spans.length > 0 ? item.spans : [{ nodeId: item.id, start: 0, end: 1 }];
    const length = spans.reduce((sum, { start, end }) => sum + end - start, 0);
    for (const { nodeId, start, end } of spans) {
      const share = length === 0 ? 0 : (item.tokens * (end - start)) / length;
      tokens.set(nodeId, (tokens.get(nodeId) ?? 0) + share);
    }
  }
  return new Map([...tokens].map(([id, count]) => [id, Math.round(count)]));
}

type NamedGold = Omit<GoldUnit, "nodes"> & { nodes: readonly string[] };

function goldUnits(
  question: Question | undefined,
  matcher: EvidenceMatcher | undefined,
): NamedGold[] {
  return (question?.evidence ?? []).flatMap(({ annotator, units }, set) =>
    units.map((unit): NamedGold => {
      const place = { set, annotator: annotator ?? null, unit };
      if (matcher === undefined) {
        return { ...place, nodes: unit.kind === "node" ? [unit.nodeId] : [], unresolved: null };
      }
      // A whole document would mark all its nodes: its first stands for it.
      const resolution = matcher.resolve(unit);
      if (!resolution.resolved) return { ...place, nodes: [], unresolved: resolution.detail };
      const ids = [...new Set<string>(resolution.spans.map(({ nodeId }) => nodeId))];
      return {
        ...place,
        nodes: unit.kind === "document" ? ids.slice(0, 1) : ids,
        unresolved: null,
      };
    }),
  );
}

type RecordFacts = Omit<RecordData, "shown" | "selected" | "read" | "events">;

function recordData(run: StoredRun, record: RunRecord, judgements: RunJudgements): RecordFacts {
  const method = run.manifest.methods.find(({ name }) => name === record.method);
  return {
    method: record.method,
    title: method?.title ?? record.method,
    model: record.model,
    repeat: record.repeat,
    outcome: record.outcome,
    failure: judgements.failure(record),
    answer: record.answer,
    reasoning: record.reasoning,
    sources: record.sources,
    flags: record.flags,
    toolCalls: record.toolCalls,
    modelCalls: record.modelCalls,
    usage: record.usage,
    costAtHaikuUsd: record.costAtHaikuUsd ?? null,
    error: record.error ?? null,
    judgements: judgements.all(record).map(({ judge, value, reply }) => ({
      judge,
      value,
      reply: reply ?? null,
    })),
    units: unitsOf(judgements.evidence(record)?.details),
  };
}

function unitsOf(details: unknown): RecordData["units"] {
  const units = (details as { units?: unknown } | null | undefined)?.units;
  if (!Array.isArray(units)) return [];
  return (
    units as { unit: EvidenceUnit; retrieved?: boolean; shown: boolean; read: boolean }[]
  ).map(({ unit, retrieved, shown, read }) => ({
    unit,
    retrieved: retrieved ?? null,
    shown,
    read,
  }));
}
