import { expect, test } from "vitest";
import { repeated, sampleRows, sampleText } from "./sample-files.ts";

interface Answer {
  unanswerable: boolean;
  extractive_spans: string[];
  yes_no: boolean | null;
  free_form_answer: string;
  evidence: string[];
}
interface Paper {
  title: string;
  abstract: string;
  full_text: { section_name: string | null; paragraphs: string[] }[];
  qas: { question: string; question_id: string; answers: { answer: Answer }[] }[];
  figures_and_tables: { file: string; caption: string }[];
}
interface ColumnarPaper {
  id: string;
  title: string;
  full_text: { section_name: (string | null)[]; paragraphs: string[][] };
  qas: { question_id: string[]; answers: { answer: Answer[] }[] };
}

async function split(name: string): Promise<[string, Paper][]> {
  const text = await sampleText(`qasper/qasper-${name}-v0.3.json`);
  return Object.entries(JSON.parse(text) as Record<string, Paper>);
}

const [train, dev, testSplit] = await Promise.all([split("train"), split("dev"), split("test")]);
const papers = [...train, ...dev, ...testSplit];
const answersOf = (paper: Paper) => paper.qas.map((qa) => qa.answers.map(({ answer }) => answer));
const sections = papers.flatMap(([, paper]) => paper.full_text);
const questions = papers.flatMap(([, paper]) => paper.qas);

test("there are enough papers and answerable test questions", () => {
  expect(papers.length).toBeGreaterThanOrEqual(25);
  const answerable = testSplit
    .flatMap(([, paper]) => answersOf(paper))
    .filter((answers) => answers.some((answer) => !answer.unanswerable));
  expect(answerable.length).toBeGreaterThanOrEqual(15);
  expect(repeated(papers.map(([id]) => id))).toEqual([]);
  expect(repeated(questions.map((qa) => qa.question_id))).toEqual([]);
});

test("evidence is a paragraph, a caption or a section name; one item is not, on purpose", () => {
  const unmatched = papers.flatMap(([, paper]) => {
    const known = new Set([
      ...paper.full_text.flatMap((section) => section.paragraphs),
      ...paper.full_text.map((section) => section.section_name),
      ...paper.figures_and_tables.map(({ caption }) => `FLOAT SELECTED: ${caption}`),
    ]);
    return answersOf(paper)
      .flat()
      .flatMap((answer) => answer.evidence)
      .filter((item) => !known.has(item));
  });
  expect(unmatched).toEqual(["DRAIN has five thousand questions (quoted from an earlier draft)."]);
});

test("an answer is of one kind, and its spans stand in its evidence", () => {
  for (const answer of papers.flatMap(([, paper]) => answersOf(paper).flat())) {
    const kinds = [
      answer.unanswerable,
      answer.extractive_spans.length > 0,
      answer.yes_no !== null,
      answer.free_form_answer !== "",
    ];
    expect(kinds.filter(Boolean)).toHaveLength(1);
    if (answer.evidence[0]?.includes(":::")) continue;
    for (const span of answer.extractive_spans)
      expect(answer.evidence.some((item) => item.includes(span.trim()))).toBe(true);
  }
});

test("planted: odd section names, empty paragraphs, missing parents, an empty paper", () => {
  const names = sections.map((section) => section.section_name);
  expect(names).toContain(null);
  expect(names).toContain(" ::: ");
  expect(names.some((name) => name?.split(" ::: ").length === 3)).toBe(true);
  expect(sections.some((section) => section.paragraphs.every((text) => text === ""))).toBe(true);
  const orphans = papers.filter(([, paper]) => {
    const own = new Set(paper.full_text.map((section) => section.section_name));
    return paper.full_text.some(({ section_name: name }) => {
      const at = name?.lastIndexOf(" ::: ") ?? -1;
      return at > 0 && !own.has(name?.slice(0, at) ?? null);
    });
  });
  expect(orphans.length).toBeGreaterThan(3);
  expect(papers.filter(([, paper]) => paper.full_text.length === 0)).toHaveLength(1);
});

test("planted: annotators who disagree, a no, a float, a question asked of two papers", () => {
  const sets = papers.flatMap(([, paper]) => answersOf(paper));
  const of = (set: Answer[], unanswerable: boolean) =>
    set.some((answer) => answer.unanswerable === unanswerable);
  expect(sets.filter((set) => of(set, true) && of(set, false)).length).toBeGreaterThan(1);
  expect(sets.filter((set) => !of(set, false)).length).toBeGreaterThan(2);
  expect(sets.flat().some((answer) => answer.yes_no === false)).toBe(true);
  expect(sets.flat().some((a) => a.evidence.some((e) => e.startsWith("FLOAT SELECTED")))).toBe(
    true,
  );
  expect(repeated(questions.map((qa) => qa.question)).length).toBeGreaterThanOrEqual(2);
  expect(questions.some((qa) => qa.question !== qa.question.trim())).toBe(true);
});

test("the columnar file holds the development papers", async () => {
  const rows = await sampleRows<ColumnarPaper>("qasper/columnar/qasper-dev.jsonl");
  expect(rows.map((row) => row.id)).toEqual(dev.map(([id]) => id));
  rows.forEach((row, index) => {
    const paper = dev[index]?.[1];
    expect(row.title).toBe(paper?.title);
    const zipped = row.full_text.section_name.map((name, at) => ({
      section_name: name,
      paragraphs: row.full_text.paragraphs[at],
    }));
    expect(zipped).toEqual(paper?.full_text);
    expect(row.qas.answers.map((each) => each.answer)).toEqual(paper && answersOf(paper));
  });
});
