import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { openRun } from "../../core/run-folder/open-run.ts";
import { forestRun, reportTrees } from "../../tests/support/forest-run.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import type { QuestionData, SummaryHead } from "./page-data.ts";
import { questionFile } from "./script-data.ts";
import { writeHtmlReport } from "./write-html-report.ts";

interface Made {
  folder: string;
  write(options?: { titled?: boolean; figures?: { path: string; title: string }[] }): string;
}

/** A run over one report of 13 nodes, and a function that writes its pages anew. */
async function made(words?: string): Promise<Made> {
  const home = temporaryFolder();
  const { folder, corpus } = await forestRun({
    folder: join(home, "run"),
    corporaFolder: join(home, "corpora"),
    trees: reportTrees(1, 2),
    ...(words === undefined ? {} : { words }),
  });
  return {
    folder,
    write({ titled = true, figures = [] } = {}) {
      const run = openRun(folder);
      try {
        const target = join(home, "report", "html");
        const corpusOf = () => (titled ? corpus : undefined);
        return writeHtmlReport(run, { folder: target, corpusOf, figures });
      } finally {
        run.close();
      }
    },
  };
}

function data<T>(page: string, name: string): T {
  const window: { ritbenchData?: { [name: string]: T } } = {};
  runInNewContext(readFileSync(join(dirname(page), "data", `${name}.js`), "utf8"), {
    window,
    JSON,
  });
  return JSON.parse(JSON.stringify(window.ritbenchData![name])) as T;
}

function contents(folder: string): [string, string][] {
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, "utf8")]);
}

describe("writeHtmlReport", () => {
  it("writes the summary that the page opens with", async () => {
    const page = (await made()).write();
    const summary = data<SummaryHead & { questions: unknown[]; records: unknown[] }>(
      page,
      "summary",
    );
    expect(summary.run).toMatchObject({ name: "plain words", status: "finished" });
    expect(summary.leaderboard.rows.map(({ accuracy }) => accuracy?.estimate)).toEqual([0, 1]);
    expect(summary.leaderboard.notes.join(" ")).toContain("corpus ");
    expect(summary.questions).toEqual([
      [questionFile("toy", "q1"), 0, "q1", "What was the revenue (q1)? plain words"],
      [questionFile("toy", "q2"), 0, "q2", "What was the revenue (q2)? plain words"],
    ]);
    const notRetrieved = summary.failures.indexOf("not_retrieved");
    expect(summary.records.slice(0, 2)).toEqual([
      [0, 0, 0, 0, 0, 0, notRetrieved, 1200, 80, 0.002, 900],
      [0, 1, 0, 0, 0, 1, summary.failures.indexOf("correct"), 1200, 80, 0.002, 900],
    ]);
  });

  it("gives a question its forest with shown, selected, read and gold", async () => {
    const page = (await made()).write();
    const question = data<QuestionData>(page, questionFile("toy", "q1"));
    expect(question.nodes.map(({ title, parent }) => [title, parent])).toEqual([
      ["Annual report of company 1", -1],
      ["Business", 0],
      ["Business, section 1", 1],
      ["Business, section 2", 1],
      ["Results", 0],
      ["Results, section 1", 4],
      ["Results, section 2", 4],
      ["Risks", 0],
      ["Risks, section 1", 7],
      ["Risks, section 2", 7],
      ["Statements", 0],
      ["Statements, section 1", 10],
      ["Statements, section 2", 10],
    ]);
    expect(question.evidence.map(({ nodes }) => nodes)).toEqual([[6]]);
    const [vanilla, ritRag] = question.records;
    expect(vanilla).toMatchObject({ shown: [], read: [{ node: 3, tokens: 21 }] });
    expect(ritRag!.shown).toEqual([question.nodes.map((_, node) => node)]);
    expect(ritRag!.read.map(({ node }) => node)).toEqual([3, 6, 11]);
    expect(ritRag!.judgements[0]).toMatchObject({
      value: { kind: "verdict", correct: true },
      reply: "The judge says: plain words",
    });
    expect(ritRag!.units).toMatchObject([{ retrieved: true, shown: true, read: true }]);
  });

  it("works without the corpus and without traces, with ids alone", async () => {
    const { folder, write } = await made();
    for (const name of readdirSync(join(folder, "traces"))) {
      writeFileSync(join(folder, "traces", name), "torn");
    }
    const page = write({ titled: false });
    const question = data<QuestionData>(page, questionFile("toy", "q1"));
    expect(question.titled).toBe(false);
    expect(question.nodes.every(({ title, parent }) => title === null && parent === -1)).toBe(true);
    expect(question.records.map(({ events }) => events)).toEqual([null, null]);
    expect(question.records[1]!.read).toHaveLength(3);
    expect(data<SummaryHead>(page, "summary").leaderboard.notes.join(" ")).toContain(
      "4 x unreadable trace",
    );
  });

  it("writes the same bytes again, and leaves nothing of an older report", async () => {
    const { write } = await made();
    const page = write();
    const before = contents(dirname(page));
    writeFileSync(join(dirname(page), "data", "q-0000000000000000.js"), "old");
    expect(write()).toBe(page);
    expect(contents(dirname(page))).toEqual(before);
    expect(readdirSync(dirname(dirname(page)))).toEqual(["html"]);
  });

  it("holds no times of the clock", async () => {
    const { write } = await made();
    const text = contents(dirname(write()))
      .filter(([path]) => path.includes("/data/"))
      .map(([, content]) => content)
      .join("");
    expect(text).not.toMatch(/atMs|wallMs|durationMs|startedAt|2026-01-01/);
  });

  it("keeps an old report when writing fails half way", async () => {
    const { write } = await made();
    const page = write();
    expect(() => write({ figures: [{ path: "/nowhere.svg", title: "gone" }] })).toThrow("ENOENT");
    expect(existsSync(page)).toBe(true);
    expect(readdirSync(dirname(dirname(page)))).toEqual(["html"]);
  });

  it("escapes the run's name in the page and copies figures under its own names", async () => {
    const { folder, write } = await made("</title><script>alert(1)</script>");
    mkdirSync(join(folder, "report"));
    const path = join(folder, "report", "pareto-cost.svg");
    writeFileSync(path, "<svg/>");
    const page = write({ figures: [{ path, title: "Accuracy against cost" }] });
    expect(readFileSync(page, "utf8")).not.toContain("<script>alert");
    expect(readFileSync(join(dirname(page), "figure-1.svg"), "utf8")).toBe("<svg/>");
    expect(data<SummaryHead>(page, "summary").figures).toEqual([
      { file: "figure-1.svg", title: "Accuracy against cost" },
    ]);
  });
});
