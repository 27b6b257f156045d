import { expect, test } from "vitest";
import { paperOf } from "./paper.ts";

const answer = {
  unanswerable: false,
  extractive_spans: [" two rivers "],
  yes_no: null,
  free_form_answer: "",
  evidence: ["The map shows two rivers."],
  highlighted_evidence: [],
};
const yesNo = { ...answer, extractive_spans: [], yes_no: false, evidence: [] };

const rows = {
  title: "Maps of Nowhere",
  abstract: "We draw maps.",
  full_text: [
    { section_name: "Rivers", paragraphs: ["The map shows two rivers.", ""] },
    { section_name: null, paragraphs: ["No heading here."] },
  ],
  qas: [
    {
      question: "How many rivers? ",
      question_id: "q1",
      answers: [
        { answer, annotation_id: "a1", worker_id: "w1" },
        { answer: yesNo, annotation_id: "a2", worker_id: "w2" },
      ],
    },
    { question: "Who paid?", question_id: "q2", answers: [] },
  ],
};

const columns = {
  id: "2001.00001",
  title: "Maps of Nowhere",
  abstract: "We draw maps.",
  full_text: {
    section_name: ["Rivers", null],
    paragraphs: [["The map shows two rivers.", ""], ["No heading here."]],
  },
  qas: {
    question: ["How many rivers? ", "Who paid?"],
    question_id: ["q1", "q2"],
    answers: [
      { answer: [answer, yesNo], annotation_id: ["a1", "a2"], worker_id: ["w1", "w2"] },
      { answer: [], annotation_id: [], worker_id: [] },
    ],
  },
};

test("the original and the columnar layout give the same paper", () => {
  const paper = paperOf(rows, "test", "2001.00001");
  expect(paperOf(columns, "test")).toEqual(paper);
  expect(paper.questions[0]!.answers.map(({ annotator, yesNo }) => [annotator, yesNo])).toEqual([
    ["w1", null],
    ["w2", false],
  ]);
  expect(paper.sections[1]).toEqual({ name: null, paragraphs: ["No heading here."] });
});

test("a paper without a title goes by its id", () => {
  expect(paperOf({ ...rows, title: " " }, "test", "2001.00001").title).toBe("2001.00001");
});

test("a record without text or id is refused with its place", () => {
  expect(() => paperOf({ title: "x", qas: [] }, "papers.jsonl:7", "x")).toThrowError(
    expect.objectContaining({
      code: "E_DATA_FORMAT",
      details: expect.objectContaining({ where: expect.stringContaining("papers.jsonl:7") }),
    }),
  );
  expect(() => paperOf(rows, "papers.jsonl:8")).toThrowError(
    expect.objectContaining({ code: "E_DATA_FORMAT" }),
  );
});
