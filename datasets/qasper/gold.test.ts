import { expect, test } from "vitest";
import { goldFindings, goldOf } from "./gold.ts";
import type { AnnotatorAnswer, Paper } from "./paper.ts";
import { paperTree } from "./tree.ts";

const paper: Paper = {
  id: "2001.00001",
  title: "Maps",
  abstract: "We draw maps.",
  sections: [{ name: "Rivers ::: Names", paragraphs: ["Two rivers have names."] }],
  questions: [],
};
const tree = paperTree(paper);

function answer(fields: Partial<AnnotatorAnswer>): AnnotatorAnswer {
  return { unanswerable: false, spans: [], freeForm: "", yesNo: null, evidence: [], ...fields };
}
const gold = (...answers: AnnotatorAnswer[]) =>
  goldOf({ id: "q", question: "?", answers }, paper, tree);
const findings = (...answers: AnnotatorAnswer[]) =>
  goldFindings({ id: "q", question: "?", answers }, paper, tree);

test("false is an answer and null is none", () => {
  expect(gold(answer({ yesNo: false }))).toMatchObject({ answers: ["No"], type: "boolean" });
  expect(gold(answer({ yesNo: true })).answers).toEqual(["Yes"]);
  expect(gold(answer({ yesNo: null }))).toMatchObject({ answerable: false, type: "empty" });
});

test("gold answers are those of every annotator who answers, trimmed and each once", () => {
  const result = gold(
    answer({ annotator: "w1", spans: [" two ", "three "] }),
    answer({ annotator: "w2", unanswerable: true }),
    answer({ annotator: "w3", freeForm: " Two or three. " }),
    answer({ annotator: "w4", spans: ["two", "three"] }),
  );
  expect(result.answers).toEqual(["two, three", "Two or three."]);
  expect(result.answerable).toBe(true);
  expect(result.type).toBe("extractive");
});

test("a question that nobody answers says so; one whose gold is not at hand stays open", () => {
  expect(gold(answer({ unanswerable: true }), answer({ unanswerable: true }))).toMatchObject({
    answerable: false,
    answers: ["Unanswerable"],
    type: "unanswerable",
    evidence: [],
  });
  expect(gold()).toMatchObject({ answerable: true, answers: [], type: "unknown" });
});

test("figures and tables are no text evidence; a section's name stands for its node", () => {
  const result = gold(
    answer({
      annotator: "w1",
      freeForm: "x",
      evidence: [
        "Two rivers have names. ",
        "Two rivers have names.",
        "FLOAT SELECTED: Table 1: Rivers.",
        "Rivers ::: Names",
        "",
      ],
    }),
    answer({ annotator: "w2", freeForm: "y", evidence: ["FLOAT SELECTED: Table 1: Rivers."] }),
  );
  expect(result.evidence).toEqual([
    {
      annotator: "w1",
      units: [
        { kind: "paragraph", documentId: "2001.00001", text: "Two rivers have names." },
        { kind: "node", nodeId: "2001.00001_0003" },
      ],
    },
  ]);
  expect(result.evidenceKind).toBe("text+float");
  expect(gold(answer({ freeForm: "y", evidence: ["FLOAT SELECTED: T"] })).evidenceKind).toBe(
    "float",
  );
});

test("findings name rows that contradict themselves and evidence that is nowhere", () => {
  expect(
    findings(answer({ freeForm: "x", evidence: ["We draw maps.", "Rivers ::: Names"] })),
  ).toEqual([]);
  expect(
    findings(
      answer({ annotator: "w1", unanswerable: true, yesNo: false }),
      answer({ annotator: "w2" }),
      answer({ freeForm: "x", evidence: ["Three lakes."] }),
    ).map(({ kind, detail }) => [kind, detail]),
  ).toEqual([
    ["contradictory", expect.stringContaining("annotator w1 marks")],
    ["contradictory", expect.stringContaining("annotator w2 neither")],
    ["evidence_unresolved", expect.stringContaining("Three lakes.")],
  ]);
});
