import type { DataFinding, Dataset, DatasetContext } from "../../core/dataset.ts";
import type { QuestionId } from "../../core/ids.ts";
import type { Question } from "../../core/question.ts";
import { sourceFacts } from "../parsing/sources.ts";
import { findPaperFiles, type Split } from "./files.ts";
import { goldFindings, goldOf } from "./gold.ts";
import type { Paper, PaperQuestion } from "./paper.ts";
import { NAME, papersOf, type Selection, select } from "./selection.ts";
import { type PaperTree, paperTree } from "./tree.ts";

interface Entry {
  paper: Paper;
  tree: PaperTree;
  question: PaperQuestion;
  /** The source's id, with `~2` and so on where it has been used before. */
  id: string;
  split: Split;
}

/** Questions of the chosen splits in file order. */
async function* entriesOf(selection: Selection, context: DatasetContext): AsyncGenerator<Entry> {
  const uses = new Map<string, number>();
  for await (const { paper, file, repeated } of papersOf(selection, context)) {
    if (repeated || !selection.questionSplits.has(file.split)) continue;
    const tree = paperTree(paper);
    for (const question of paper.questions) {
      const count = (uses.get(question.id) ?? 0) + 1;
      uses.set(question.id, count);
      const id = count === 1 ? question.id : `${question.id}~${count}`;
      yield { paper, tree, question, id, split: file.split };
    }
  }
}

function hasText(paper: Paper): boolean {
  return (
    paper.abstract.trim() !== "" ||
    paper.sections.some(({ paragraphs }) => paragraphs.some((text) => text.trim() !== ""))
  );
}

/** QASPER v0.3: questions on papers, in the original and the columnar layout. See this folder's README. */
export const qasper: Dataset = {
  name: NAME,
  title: "QASPER",
  version: 1,
  singleTree: false,
  splits: ["answerType", "evidence", "split"],

  async sources(context) {
    const { files } = await select(context);
    return sourceFacts(
      context.folder,
      files.flatMap((file) => [file.path, ...file.companions]),
    );
  },

  async writeCorpus(sink, context) {
    const selection = await select(context);
    let addedParents = 0;
    let untitled = 0;
    let empty = 0;
    let repeats = 0;
    for await (const { paper, file, repeated } of papersOf(selection, context)) {
      if (repeated) {
        repeats++;
        continue;
      }
      const built = paperTree(paper);
      addedParents += built.addedParents;
      untitled += built.untitled;
      if (!hasText(paper)) empty++;
      sink.document({
        id: paper.id,
        title: paper.title,
        treeKind: file.kind === "guessed" ? "sections-guessed" : "sections",
        ...(/^\d{4}\.\d{4,5}$/.test(paper.id) && { url: `https://arxiv.org/abs/${paper.id}` }),
      });
      sink.tree(built.tree);
    }
    if (addedParents > 0)
      sink.note(
        `${addedParents} headings stand only in the names of their sub-sections and became nodes without text.`,
      );
    if (untitled > 0) sink.note(`${untitled} sections have no name in the source.`);
    if (empty > 0) sink.note(`${empty} papers have no text.`);
    if (repeats > 0)
      sink.note(`${repeats} papers stand in more than one file; the first was taken.`);
  },

  async questions(context) {
    const selection = await select(context);
    const questions: Question[] = [];
    for await (const { paper, tree, question, id, split } of entriesOf(selection, context)) {
      const gold = goldOf(question, paper, tree);
      if (!gold.answerable && !selection.withUnanswerable) continue;
      questions.push({
        id: id as QuestionId,
        dataset: NAME,
        text: `According to the paper ${paper.title}, ${question.question.trim()}`,
        goldAnswers: gold.answers,
        evidence: gold.evidence,
        answerable: gold.answerable,
        split,
        ...(!hasText(paper) && { notRunnable: `paper ${paper.id} has no text` }),
        meta: { split, answerType: gold.type, evidence: gold.evidenceKind, paper: paper.id },
      });
    }
    return questions;
  },

  async findings(context) {
    const selection = await select(context);
    const findings: DataFinding[] = [];
    for await (const { paper, tree, question, id } of entriesOf(selection, context)) {
      if (id !== question.id) {
        findings.push({
          kind: "duplicate_question",
          subject: question.id,
          detail: `the id stands for several questions; this one, of ${paper.id}, is called ${id}`,
        });
      }
      findings.push(...goldFindings(question, paper, tree));
    }
    return findings;
  },

  async besidePaper(context) {
    const paper = "the paper asks 1,372 answerable of 1,451 test questions (A13)";
    const files = await findPaperFiles(context.folder, context.signal);
    if (!files.some(({ split, kind }) => split === "test" && kind !== "guessed")) {
      return [`Not checkable here: ${paper}, and the complete test split is absent.`];
    }
    const options = { ...context.options, split: "test", all: true };
    const questions = await qasper.questions({ ...context, options });
    const answerable = questions.filter((question) => question.answerable).length;
    return [
      `Test split: ${answerable} answerable of ${questions.length} questions (at least one annotator answers); ${paper}.`,
    ];
  },

  fetchFiles: [
    {
      url: "https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-train-dev-v0.3.tgz",
      path: "qasper-train-dev-v0.3.tgz",
      sha256: "a28fdf966db827bcee3d873107d6b6669864fb7ca8fbf73a192f5e39191bdb5a",
      bytes: 10_835_856,
      unpack: ["qasper-train-v0.3.json", "qasper-dev-v0.3.json"],
    },
    {
      url: "https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-test-and-evaluator-v0.3.tgz",
      path: "qasper-test-and-evaluator-v0.3.tgz",
      sha256: "72a52a41193e2838b8074f80ac074b94f956b84886c36a61c58a7df4171bdd72",
      bytes: 3_865_061,
      unpack: ["qasper-test-v0.3.json"],
    },
  ],
};
