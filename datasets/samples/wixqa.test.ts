import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { figures, repeated, sampleRows } from "./sample-files.ts";

interface Article {
  id: string;
  url: string;
  contents: string;
  title: string;
  html_content: string;
  article_type: string;
}
interface Row {
  question: string;
  answer: string;
  article_ids: string[] | string;
}

const articles = await sampleRows<Article>("wixqa/wix_kb_corpus/wix_kb_corpus.jsonl");
const expert = await sampleRows<Row>("wixqa/wixqa_expertwritten/test.jsonl");
const simulated = await sampleRows<Row>("wixqa/wixqa_simulated/test.jsonl");
const synthetic = await sampleRows<Row>("wixqa/wixqa_synthetic/test.jsonl");
const questions = [...expert, ...simulated, ...synthetic];
const byId = new Map(articles.map((article) => [article.id, article]));

function idsOf(row: Row): string[] {
  if (typeof row.article_ids !== "string") return row.article_ids;
  return JSON.parse(row.article_ids.replaceAll("'", '"')) as string[];
}

test("there are enough articles and questions, each once", () => {
  expect(articles.length).toBeGreaterThanOrEqual(30);
  expect(expert.filter((row) => idsOf(row).length > 0).length).toBeGreaterThanOrEqual(15);
  expect(repeated(articles.map((article) => article.id))).toEqual([]);
  expect(repeated(articles.map((article) => article.title))).toEqual([]);
  expect(repeated(questions.map((row) => row.question))).toEqual([]);
});

test("articles have the official fields", () => {
  for (const article of articles) {
    expect(article.id).toBe(createHash("sha256").update(article.url).digest("hex"));
    expect(article.contents.split("\n")[0]).toBe(article.title.replaceAll("\n", " "));
    expect(article.html_content).toMatch(/^<h1>[^\n]+<\/h1>/);
  }
  const kinds = new Set(articles.map((article) => article.article_type));
  expect([...kinds].sort()).toEqual(["article", "feature_request", "known_issue"]);
});

test("every article id of a question resolves", () => {
  for (const row of questions) for (const id of idsOf(row)) expect(byId.has(id)).toBe(true);
});

test("figures of gold answers stand in the gold articles, save for one sum", () => {
  const absent = questions.flatMap((row) => {
    const ids = idsOf(row);
    if (ids.length === 0) return [];
    const text = ids.map((id) => byId.get(id)?.contents).join("\n");
    return figures(row.answer).filter((figure) => !figures(text).includes(figure));
  });
  expect(absent).toEqual(["12"]);
});

test("planted: printed lists, two articles, no article, sections of the same name", () => {
  expect(questions.filter((row) => typeof row.article_ids === "string").length).toBeGreaterThan(0);
  expect(questions.filter((row) => idsOf(row).length === 2).length).toBeGreaterThan(0);
  const unanswerable = questions.filter((row) => idsOf(row).length === 0);
  expect(unanswerable).toHaveLength(1);
  expect(unanswerable[0]?.answer).toMatch(/cannot be answered/);
  const headings = (title: string) => {
    const article = articles.find((each) => each.title === title);
    return article?.html_content.match(/<h[23]>.*?<\/h[23]>/g);
  };
  const classic = headings("Pebblecart Stores: Limits of Stores Classic");
  expect(classic?.length).toBeGreaterThan(3);
  expect(headings("Pebblecart Stores: Limits of Stores Nova")).toEqual(classic);
});
