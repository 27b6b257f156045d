import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { writeRunFolder } from "../../tests/support/written-run.ts";
import type { QuestionId } from "../ids.ts";
import type { Question } from "../question.ts";
import { firstQuestions } from "./first-questions.ts";
import { openRun } from "./open-run.ts";

function question(dataset: string, number: number): Question {
  return {
    id: `${dataset}-${number}` as QuestionId,
    dataset,
    text: "?",
    goldAnswers: ["gold"],
    evidence: [],
    answerable: true,
    meta: {},
  };
}

describe("firstQuestions", () => {
  it("keeps the first questions of each data set in file order, and all of their answers", () => {
    const folder = temporaryFolder();
    writeRunFolder({
      folder,
      methods: [
        { name: "a", title: "A" },
        { name: "b", title: "B" },
      ],
      questions: [question("toy", 1), question("toy", 2), question("toy", 3)],
      answer: () => ({ correct: true }),
    });
    const run = openRun(folder);
    const first = firstQuestions(run, 2);
    expect(first.keys.map(({ questionId, method }) => `${questionId} ${method}`)).toEqual([
      "toy-1 a",
      "toy-1 b",
      "toy-2 a",
      "toy-2 b",
    ]);
    expect([...first.records()]).toHaveLength(4);
    expect(first.questions().map(({ id }) => id)).toEqual(["toy-1", "toy-2"]);
    expect(first.manifest.datasets[0]!.questions.asked).toBe(2);
    expect(firstQuestions(run, undefined)).toBe(run);
    run.close();
  });
});
