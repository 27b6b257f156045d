import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Corpus } from "../../core/corpus/corpus.ts";
import { realDocuments } from "../../core/corpus/store.ts";
import { buildCorpus } from "../../core/corpus/writer.ts";
import type { DataFinding, Dataset, DatasetContext } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import type { NodeHandle } from "../../core/ids.ts";
import type { Json } from "../../core/json.ts";
import type { Question } from "../../core/question.ts";
import { validateDataset } from "../../datasets/validate.ts";

/** A data set over files at hand, and what is known of them. */
export interface DatasetCase {
  dataset: Dataset;
  folder: string;
  options?: { readonly [key: string]: Json };
  /** Questions in all, and those that can be run. */
  questions: { total: number; runnable: number };
  /** Gold units of runnable questions that lie nowhere in the corpus; they must be reported one by one. */
  unresolvedUnits?: number;
}

interface Load {
  corpus: Corpus;
  questions: Question[];
  findings: DataFinding[];
}

/** Texts shorter than this may stand in two nodes by chance (running heads, "None."). */
const TELLING_LENGTH = 80;

/** What every data set must keep to: the types in `core/dataset.ts` say how, this says what. */
export function describeDataset(
  name: string,
  { dataset, folder, options = {}, questions: expected, unresolvedUnits = 0 }: DatasetCase,
): void {
  describe(`data set ${name}`, () => {
    let home: string;
    let before: string[];
    let first: Load;
    let second: Load;

    const context = (more: Partial<DatasetContext> = {}): DatasetContext => ({
      folder,
      options,
      cacheFolder: join(home, "cache"),
      signal: new AbortController().signal,
      progress: () => {},
      ...more,
    });

    async function load(corporaFolder: string): Promise<Load> {
      const given = context();
      const corpus = await buildCorpus(
        { corporaFolder: join(home, corporaFolder), dataset: name, singleTree: dataset.singleTree },
        (sink) => dataset.writeCorpus(sink, given),
      );
      return {
        corpus,
        questions: await dataset.questions(given),
        findings: (await dataset.findings?.(given)) ?? [],
      };
    }

    beforeAll(async () => {
      home = mkdtempSync(join(tmpdir(), "describe-dataset-"));
      before = filesBelow(folder);
      first = await load("first");
      second = await load("second");
    }, 60_000);
    afterAll(() => {
      first?.corpus.close();
      second?.corpus.close();
      rmSync(home, { recursive: true, force: true });
    });

    it("gives the same corpus, questions and findings at every load", () => {
      expect(second.corpus.summary).toEqual(first.corpus.summary);
      expect(second.questions).toEqual(first.questions);
      expect(second.findings).toEqual(first.findings);
    });

    it("gives every node an id of its own, the same at every load", () => {
      const ids = nodesOf(first.corpus).map((node) => first.corpus.nodeId(node));
      expect(new Set(ids).size).toBe(ids.length);
      expect(nodesOf(second.corpus).map((node) => second.corpus.nodeId(node))).toEqual(ids);
      ids.forEach((id, node) => {
        if (first.corpus.findNode(id) !== node) expect.fail(`findNode(${id}) is not ${node}`);
      });
    });

    it("makes one tree or part of a tree of each document, rooted at its first node", () => {
      const { corpus } = first;
      const seen = new Set<string>();
      for (const document of realDocuments(corpus)) {
        expect(seen.has(document.id)).toBe(false);
        seen.add(document.id);
        expect(document.nodeCount).toBeGreaterThan(0);
        expect(corpus.documentNodes(document.index)[0]).toBe(document.root);
      }
      expect(seen.size).toBe(corpus.summary.documentCount);
    });

    it("gives each text to one node: no ancestor and no sibling before it repeats it", () => {
      const { corpus } = first;
      for (const node of nodesOf(corpus)) {
        const text = corpus.readable(node) ? corpus.text(node).trim() : "";
        if (text.length < TELLING_LENGTH) continue;
        const rivals = corpus.ancestors(node);
        const document = corpus.documentIndex(node);
        if (corpus.depth(node) > 0 && corpus.documentIndex((node - 1) as NodeHandle) === document) {
          rivals.push((node - 1) as NodeHandle);
        }
        for (const rival of rivals) {
          if (corpus.textLength(rival) > text.length && corpus.text(rival).includes(text)) {
            expect.fail(`${corpus.nodeId(rival)} holds the text of ${corpus.nodeId(node)}`);
          }
        }
      }
    });

    it("has page spans that lie in order inside text and document, and no page piece twice", () => {
      const { corpus } = first;
      for (const document of realDocuments(corpus)) {
        const pieces = new Map<number, string[]>();
        for (const node of corpus.documentNodes(document.index)) {
          let last = 0;
          const spans = corpus.pageSpans(node);
          const text = spans.length === 0 ? "" : corpus.text(node);
          for (const { page, start, end } of spans) {
            expect(start).toBeGreaterThanOrEqual(last);
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(text.length);
            expect(page).toBeLessThan(document.pageCount ?? 0);
            last = end;
            pieces.set(page, [...(pieces.get(page) ?? []), text.slice(start, end)]);
          }
        }
        for (const texts of pieces.values()) {
          const telling = texts.filter((text) => text.length >= TELLING_LENGTH);
          expect(new Set(telling).size).toBe(telling.length);
        }
      }
    });

    it("keys every question uniquely and counts those that cannot be run", () => {
      const { questions } = first;
      expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
      const runnable = questions.filter(({ notRunnable }) => notRunnable === undefined);
      expect({ total: questions.length, runnable: runnable.length }).toEqual(expected);
      for (const { id, text, meta, notRunnable } of questions) {
        expect(text.trim(), id).not.toBe("");
        expect(notRunnable, id).not.toBe("");
        for (const value of Object.values(meta)) expect(typeof value, id).toBe("string");
      }
    });

    it("can split its results by every column it names", () => {
      for (const column of dataset.splits) {
        if (first.questions.length === 0) continue;
        const values = first.questions.filter(({ meta }) => meta[column] !== undefined);
        expect(values.length, column).toBeGreaterThan(0);
      }
    });

    it("resolves its gold evidence, or reports each unit that does not", () => {
      const { counts, findings } = validateDataset(first.corpus, first.questions, dataset.name);
      expect(counts.evidenceUnits - counts.resolvedUnits).toBe(unresolvedUnits);
      const reported = findings.filter(({ detail }) => detail.startsWith("gold "));
      expect(reported).toHaveLength(unresolvedUnits);
    });

    it("lists the files it rests on with their sizes", async () => {
      const sources = await dataset.sources(context());
      expect(sources.length).toBeGreaterThan(0);
      expect(await dataset.sources(context())).toEqual(sources);
      expect(sources.every(({ bytes }) => bytes >= 0)).toBe(true);
    });

    it("stops when it is told to, and leaves no corpus behind", async () => {
      const controller = new AbortController();
      controller.abort();
      const given = context({ signal: controller.signal });
      const corporaFolder = join(home, "aborted");
      await expect(
        buildCorpus({ corporaFolder, dataset: name, singleTree: dataset.singleTree }, (sink) =>
          dataset.writeCorpus(sink, given),
        ),
      ).rejects.toMatchObject({ name: "AbortError" });
      expect(readdirSync(corporaFolder)).toEqual([]);
    });

    it("names the command that brings the files when they are absent", async () => {
      const given = context({ folder: join(home, "nothing here") });
      for (const read of [() => dataset.sources(given), () => dataset.questions(given)]) {
        const error = await read().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(RitbenchError);
        const { code, details } = error as RitbenchError;
        expect(code).toBe("E_DATA_MISSING");
        expect(details.next).toMatch(/ritbench data (fetch|import)/);
      }
    });

    it("refuses options it does not have", async () => {
      const given = context({ options: { ...options, noSuchOption: true } });
      await expect(dataset.sources(given)).rejects.toMatchObject({ code: "E_OPTION" });
    });

    it("writes nothing into its folder", () => {
      expect(filesBelow(folder)).toEqual(before);
    });
  });
}

function nodesOf(corpus: Corpus): NodeHandle[] {
  return Array.from({ length: corpus.nodeCount }, (_, node) => node as NodeHandle);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return `${path} ${size} ${mtimeMs}`;
    })
    .sort();
}
