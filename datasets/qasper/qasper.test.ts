import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { datasetContext, loadCorpus, outlineOf } from "../../tests/support/load-dataset.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { qasper } from "./index.ts";

function paper(title: string, ids: string[], unanswerable = false) {
  return {
    title,
    abstract: `About ${title}.`,
    full_text: [{ section_name: "Body", paragraphs: [`${title} is told here.`] }],
    qas: ids.map((question_id) => ({
      question: "What is told? ",
      question_id,
      answers: [
        {
          answer: {
            unanswerable,
            extractive_spans: unanswerable ? [] : [title],
            yes_no: null,
            free_form_answer: "",
            evidence: unanswerable ? [] : [`${title} is told here.`],
          },
          annotation_id: "a",
          worker_id: "w",
        },
      ],
    })),
  };
}

/** Train and test in the original layout, dev as a list of one paper a line. */
function officialFolder(): string {
  const folder = temporaryFolder();
  const write = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  write("qasper-train-v0.3.json", { "2001.00001": paper("Tides", ["t1"]) });
  write("qasper-dev-v0.3.jsonl", { id: "2001.00002", ...paper("Moss", ["d1"]) });
  write("qasper-test-v0.3.json", {
    "2001.00003": paper("Soot", ["s1", "s1"]),
    "2001.00004": paper("Fog", ["s2"], true),
    "2001.00001": paper("Tides again", ["s3"]),
  });
  write("qasper-test-questions.jsonl", { question_id: "s1", question: "What is told?" });
  write("notes.json", { title: "not a paper" });
  return folder;
}

test("indexes all splits and asks the questions of the test split, each with its paper's title", async () => {
  const context = datasetContext(officialFolder());
  const corpus = await loadCorpus(qasper, context);
  expect(outlineOf(corpus).filter((line) => !line.startsWith("."))).toEqual([
    "Tides",
    "Moss",
    "Soot",
    "Fog",
  ]);
  expect(corpus.summary.notes).toEqual([expect.stringContaining("1 papers stand in more than")]);
  expect(corpus.findDocument("2001.00003")).toMatchObject({
    treeKind: "sections",
    url: "https://arxiv.org/abs/2001.00003",
  });
  const questions = await qasper.questions(context);
  expect(questions.map(({ id, text }) => [id, text])).toEqual([
    ["s1", "According to the paper Soot, What is told?"],
    ["s1~2", "According to the paper Soot, What is told?"],
  ]);
  expect(await qasper.besidePaper?.(context)).toEqual([
    expect.stringMatching(/^Test split: \d+ answerable of \d+/),
  ]);
  expect(await qasper.findings?.(context)).toEqual([
    expect.objectContaining({ kind: "duplicate_question", subject: "s1" }),
  ]);
});

test("options choose the split, the indexed papers and the unanswerable questions", async () => {
  const folder = officialFolder();
  const ids = async (options: { [key: string]: string | boolean | string[] }) =>
    (await qasper.questions(datasetContext(folder, options))).map((question) => question.id);
  expect(await ids({ split: "validation" })).toEqual(["d1"]);
  expect(await ids({ split: "all" })).toEqual(["t1", "d1", "s1", "s1~2"]);
  expect(await ids({ all: true })).toEqual(["s1", "s1~2", "s2"]);
  expect(await ids({ indexSplits: ["train"] })).toEqual(["t1"]);
  const corpus = await loadCorpus(qasper, datasetContext(folder, { indexSplits: ["dev"] }));
  expect(corpus.documentCount).toBe(1);
});

test.each([
  [{ split: "test", indexSplits: ["train"] }, "E_OPTION"],
  [{ splitt: "test" }, "E_OPTION"],
  [{ papers: "guessed" }, "E_DATA_MISSING"],
])("refuses %j", async (options, code) => {
  await expect(qasper.questions(datasetContext(officialFolder(), options))).rejects.toMatchObject({
    code,
  });
});

test("a folder without papers names the command that brings them", async () => {
  await expect(qasper.sources(datasetContext(temporaryFolder()))).rejects.toMatchObject({
    code: "E_DATA_MISSING",
    details: { next: "ritbench data fetch qasper" },
  });
});

test("names file and reason of a torn JSON file", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "qasper-test-v0.3.json"), '{"2001.00001": {"title"');
  await expect(qasper.questions(datasetContext(folder))).rejects.toMatchObject({
    code: "E_DATA_FORMAT",
    details: { where: join(folder, "qasper-test-v0.3.json") },
  });
});

describeRealData("QASPER pieces", "qasper", (folder) => {
  test("ten complete papers: 138 sections, and 45 of 51 questions that somebody answers", async () => {
    const context = datasetContext(folder);
    const corpus = await loadCorpus(qasper, context);
    // 138 sections, 10 papers, 10 abstracts and 9 headings that only their sub-sections mention; 6 sections are blank.
    expect(corpus.summary).toMatchObject({ documentCount: 10, nodeCount: 167, readableCount: 142 });
    expect(await qasper.questions(context)).toHaveLength(45);
    expect(await qasper.besidePaper?.(context)).toEqual([expect.stringMatching(/^Not checkable/)]);
    const all = await qasper.questions(datasetContext(folder, { all: true }));
    expect(all).toHaveLength(51);
    expect(all.filter((question) => !question.answerable)).toHaveLength(6);
    const units = all.flatMap(({ evidence }) => evidence.flatMap((set) => set.units));
    expect(units.filter((unit) => unit.kind === "node")).toHaveLength(1);
    expect(await qasper.findings?.(context)).toEqual([]);
  });

  test("80 papers with guessed sections: one has no text, 84 of 270 questions have a gold answer", async () => {
    const context = datasetContext(folder, { papers: "guessed" });
    const corpus = await loadCorpus(qasper, context);
    expect(corpus.summary).toMatchObject({ documentCount: 80, nodeCount: 1311 });
    const questions = await qasper.questions(context);
    expect(questions).toHaveLength(270);
    expect(questions.filter(({ goldAnswers }) => goldAnswers.length > 0)).toHaveLength(84);
    expect(new Set(questions.flatMap(({ notRunnable }) => notRunnable ?? []))).toEqual(
      new Set(["paper 1612.03762 has no text"]),
    );
  });
});
