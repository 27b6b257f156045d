import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { datasetContext, loadCorpus, outlineOf } from "../../tests/support/load-dataset.ts";
import { describeRealData } from "../../tests/support/real-data.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { wixqa } from "./index.ts";

function write(folder: string, path: string, rows: unknown[]): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const content = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, path), path.endsWith(".gz") ? gzipSync(content) : content);
}

function article(id: string, title: string, html: string, type = "article") {
  const url = `https://help.example/en/article/${title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return { id, url, title, contents: `${title}\nplain`, html_content: html, article_type: type };
}

function officialFolder(): string {
  const folder = temporaryFolder();
  write(folder, "wix_kb_corpus/wix_kb_corpus.jsonl", [
    article("a1", "Acme Stores: Adding Tax", "<p>Intro.&nbsp;Go.</p><h2>Rates</h2><p>7%</p>"),
    article(
      "b1",
      "Acme Domains: Moving",
      "<h1>Acme Domains: Moving</h1><p>Wait.</p>",
      "known_issue",
    ),
    article("a2", "Acme Stores: Gift\u00a0Cards", "<h2>Limits</h2><h3>Daily</h3><p>Ten.</p>"),
    article("a1", "Acme Stores: Twice", "<p>again</p>"),
  ]);
  write(folder, "wixqa_expertwritten/test.jsonl", [
    { question: " How much tax? ", answer: "7%\n", article_ids: ["a1", "a2", "a1"] },
    { question: "Which stone?", answer: "Not told.", article_ids: [] },
  ]);
  write(folder, "wixqa_simulated/test.jsonl.gz", [
    { question: "how long", answer: "Wait.", article_ids: "['b1', 'zz']" },
  ]);
  return folder;
}

test("builds a forest of families, products, articles and headings", async () => {
  const corpus = await loadCorpus(wixqa, datasetContext(officialFolder()));
  expect(outlineOf(corpus)).toEqual([
    "Stores and selling",
    ".Acme Stores",
    "..Acme Stores: Adding Tax *",
    "...Rates *",
    "..Acme Stores: Gift Cards",
    "...Limits",
    "....Daily *",
    "Domains",
    ".Acme Domains",
    "..Acme Domains: Moving *",
  ]);
  expect(corpus.summary).toMatchObject({ documentCount: 3, treeCount: 2 });
  expect(corpus.summary.notes).toContainEqual(expect.stringContaining("1 rows repeat"));
  const tax = corpus.findDocument("a1")!;
  expect(corpus.text(tax.root)).toBe("Intro. Go.");
  expect(tax.url).toBe("https://help.example/en/article/acme-stores-adding-tax");
});

test("questions carry all gold articles; absent ones and none at all are told apart", async () => {
  const questions = await wixqa.questions(datasetContext(officialFolder(), { split: "all" }));
  expect(questions.map(({ id, answerable, notRunnable }) => [id, answerable, notRunnable])).toEqual(
    [
      ["expert-0001", true, undefined],
      ["expert-0002", false, undefined],
      ["simulated-0001", true, "article zz is not in the corpus"],
    ],
  );
  expect(questions[0]).toMatchObject({
    text: "How much tax?",
    goldAnswers: ["7%"],
    evidence: [
      {
        units: [
          { kind: "document", documentId: "a1" },
          { kind: "document", documentId: "a2" },
        ],
      },
    ],
    meta: { split: "expert", articles: "2", product: "Acme Stores", articleType: "article" },
  });
  expect(questions[2]!.meta).toMatchObject({ product: "Acme Domains", articleType: "known_issue" });
});

test("families come from the file in the folder, or the one that the option names", async () => {
  const folder = officialFolder();
  writeFileSync(
    join(folder, "families.yaml"),
    "families: {Everything: [Acme Stores, Acme Domains]}",
  );
  const roots = async (options: { [key: string]: string }) =>
    outlineOf(await loadCorpus(wixqa, datasetContext(folder, options))).filter(
      (line) => !line.startsWith("."),
    );
  expect(await roots({})).toEqual(["Everything"]);
  const other = join(temporaryFolder(), "mine.yaml");
  writeFileSync(other, "families: {Names: [Acme Domains]}");
  expect(await roots({ familiesFile: other })).toEqual(["Names", "General help"]);
});

test("a split that is absent names the command that brings it", async () => {
  const context = datasetContext(officialFolder(), { split: "synthetic" });
  await expect(wixqa.questions(context)).rejects.toMatchObject({
    code: "E_DATA_MISSING",
    details: { next: "ritbench data fetch wixqa" },
  });
  await expect(wixqa.sources(datasetContext(temporaryFolder()))).rejects.toMatchObject({
    code: "E_DATA_MISSING",
  });
});

test("articles beside their questions serve as corpus, plain text without its title line", async () => {
  const folder = temporaryFolder();
  const context = { id: "a1", url: "", title: "Acme: Tax", text: "Acme: Tax\n7%\u00a0flat" };
  write(folder, "rows.jsonl.gz", [
    { question: "?", answer: "7%", article_ids: ["a1"], contexts: [context] },
    { question: "??", answer: "7%", article_ids: ["a1"], contexts: [context] },
  ]);
  const corpus = await loadCorpus(wixqa, datasetContext(folder));
  expect(outlineOf(corpus)).toEqual(["General help", ".General", "..Acme: Tax *"]);
  expect(corpus.text(corpus.findDocument("a1")!.root)).toBe("7% flat");
  expect(await wixqa.questions(datasetContext(folder))).toHaveLength(2);
});

describeRealData("WixQA piece", "wixqa", (folder) => {
  test("160 questions over 173 articles, all runnable", async () => {
    const context = datasetContext(folder);
    const corpus = await loadCorpus(wixqa, context);
    expect(corpus.summary).toMatchObject({ documentCount: 173, readableCount: 173 });
    const questions = await wixqa.questions(context);
    expect(questions).toHaveLength(160);
    expect(questions.filter((question) => question.notRunnable !== undefined)).toEqual([]);
    const counts = ["1", "2", "3"].map(
      (articles) => questions.filter((question) => question.meta.articles === articles).length,
    );
    expect(counts).toEqual([116, 39, 5]);
  });
});
