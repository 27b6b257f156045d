import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Corpus } from "../core/corpus/corpus.ts";
import { buildCorpus } from "../core/corpus/writer.ts";
import type { DocumentId, QuestionId } from "../core/ids.ts";
import type { EvidenceUnit, Question } from "../core/question.ts";
import { datasetStats } from "./stats.ts";
import { validateDataset } from "./validate.ts";

let folder: string;
let corpus: Corpus;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "validate-"));
  corpus = await buildCorpus(
    { corporaFolder: folder, dataset: "financebench", singleTree: false },
    (sink) => {
      sink.document({ id: "f", title: "f", pageCount: 3, treeKind: "pages" });
      sink.tree({
        title: "f",
        documentId: "f",
        children: [
          { title: "p. 1", text: "a b c d", pageSpans: [{ page: 0, start: 0, end: 7 }] },
          { title: "p. 2", text: "a b", pageSpans: [{ page: 1, start: 0, end: 3 }] },
          { title: "p. 3", text: "a", pageSpans: [{ page: 2, start: 0, end: 1 }] },
        ],
      });
    },
  );
});
afterAll(() => {
  corpus.close();
  rmSync(folder, { recursive: true, force: true });
});

function question(
  id: string,
  text: string,
  pages: number[],
  more: Partial<Question> = {},
): Question {
  const units = pages.map(
    (page): EvidenceUnit => ({ kind: "page", documentId: "f" as DocumentId, page }),
  );
  return {
    id: id as QuestionId,
    dataset: "financebench",
    text,
    goldAnswers: ["yes"],
    evidence: units.length === 0 ? [] : [{ units }],
    answerable: true,
    meta: {},
    ...more,
  };
}

it("counts what resolves and names what does not", () => {
  const questions = [
    question("q1", "One?", [0]),
    question("q2", "Two?", [1, 7]),
    question("q3", "Three?", [-1]),
    question("q4", "one? ", [0]),
    question("q5", "ONE?", [0], { goldAnswers: ["no"] }),
    question("q5", "Five?", []),
    question("q6", "Six?", [0], { notRunnable: "the filing is absent" }),
    question("q7", "Seven?", [0], { goldAnswers: [" "] }),
  ];
  const report = validateDataset(corpus, questions, "financebench", [
    { kind: "other", subject: "f", detail: "from the loader" },
  ]);
  expect(report.counts).toEqual({
    documents: 1,
    questions: 8,
    runnable: 7,
    notRunnable: 1,
    unanswerable: 0,
    withoutGoldAnswer: 0,
    withoutGoldEvidence: 1,
    evidenceUnits: 7,
    resolvedUnits: 5,
    fullyResolved: 4,
    partlyResolved: 1,
    unresolved: 1,
  });
  expect(report.findings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    "other f",
    "duplicate_question q5",
    "contradictory q7",
    "duplicate_question q4",
    "contradictory q5",
    "document_missing q6",
    "page_outside q2",
    "page_outside q3",
  ]);
  expect(report.findingCounts).toMatchObject({ page_outside: 2, duplicate_question: 2 });
  expect(report.paper).toEqual({ documents: 364, questions: 150 });
});

it("measures nodes with text, the paper's figures beside", () => {
  const words = (text: string) => text.split(" ").length;
  const stats = datasetStats(corpus, [question("q1", "One?", [0])], "financebench", {
    countTokens: words,
    tokenizer: "words",
    countChunks: (text) => Math.ceil(words(text) / 2),
  });
  expect(stats).toMatchObject({
    documents: 1,
    chunks: 4,
    tokens: 7,
    questions: 1,
    trees: 1,
    nodes: 4,
    readableNodes: 3,
    maxDepth: 1,
    nodeTokensMean: 7 / 3,
    nodeTokensMedian: 2,
    // Sizes 1, 2, 4: nine tenths of the way from the second to the third.
    nodeTokensP95: expect.closeTo(3.8),
    treeKinds: { pages: 1 },
    questionSplits: { all: 1 },
  });
  expect(stats.paper?.nodes).toBe(79_658);
  expect(datasetStats(corpus, [], "own", { countTokens: words, tokenizer: "w" })).toMatchObject({
    chunks: null,
    paper: null,
  });
});
