import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { RitbenchError } from "../../core/errors.ts";
import { readJsonl } from "../parsing/jsonl.ts";
import { existingFile } from "../parsing/sources.ts";

export const SPLITS = ["expert", "simulated", "synthetic"] as const;
export type Split = (typeof SPLITS)[number];

const CORPUS_FILE = "wix_kb_corpus/wix_kb_corpus.jsonl";
const QUESTION_FILES: Readonly<Record<Split, string>> = {
  expert: "wixqa_expertwritten/test.jsonl",
  simulated: "wixqa_simulated/test.jsonl",
  synthetic: "wixqa_synthetic/test.jsonl",
};

/** Where the articles and the questions of each split lie, relative to the data set's folder. */
export interface WixFiles {
  corpus: string;
  /** `contexts`: the corpus is no file of its own, the articles stand beside the questions that they answer. */
  layout: "official" | "contexts";
  questions: Partial<Record<Split, string>>;
}

export interface Article {
  id: string;
  url: string;
  title: string;
  type: string;
  /** HTML where the source has it. */
  html?: string;
  text: string;
}

export interface QuestionRow {
  question: string;
  answer: string;
  articleIds: string[];
}

/** `article_ids` is a list, or in some exports the printed form of a Python list. */
const articleIds = z.union([z.array(z.string()), z.string().transform(pythonList)]);
const questionRow = z.object({ question: z.string(), answer: z.string(), article_ids: articleIds });
const articleRow = z.object({
  id: z.string(),
  url: z.string().nullish(),
  title: z.string().nullish(),
  contents: z.string().nullish(),
  text: z.string().nullish(),
  html_content: z.string().nullish(),
  article_type: z.string().nullish(),
});
const rowWithContexts = z.object({ contexts: z.array(articleRow) });

/**
 * Finds the official layout, or else one file of expert-written questions with their articles in `contexts`.
 *
 * @throws RitbenchError E_DATA_MISSING without articles.
 */
export async function findFiles(folder: string, signal: AbortSignal): Promise<WixFiles> {
  const questions: WixFiles["questions"] = {};
  for (const split of SPLITS) {
    const path = await existingFile(folder, zippedToo(QUESTION_FILES[split]));
    if (path !== undefined) questions[split] = path;
  }
  const corpus = await existingFile(folder, zippedToo(CORPUS_FILE));
  if (corpus !== undefined) return { corpus, layout: "official", questions };
  const withContexts = await findContexts(folder, signal);
  if (withContexts !== undefined) {
    return { corpus: withContexts, layout: "contexts", questions: { expert: withContexts } };
  }
  throw new RitbenchError("E_DATA_MISSING", "the WixQA articles are absent", {
    where: folder,
    expected: CORPUS_FILE,
    next: "ritbench data fetch wixqa",
  });
}

async function findContexts(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [] as string[]);
  for (const name of names.filter((file) => /\.jsonl(\.gz)?$/.test(file)).sort()) {
    for await (const { value } of readJsonl(join(folder, name), z.looseObject({}), signal)) {
      if ("contexts" in value) return name;
      break;
    }
  }
  return undefined;
}

function zippedToo(path: string): string[] {
  return [path, `${path}.gz`];
}

/** Articles in file order; those of `contexts` each once. */
export async function* readArticles(
  folder: string,
  files: WixFiles,
  signal: AbortSignal,
): AsyncGenerator<Article> {
  const path = join(folder, files.corpus);
  if (files.layout === "official") {
    for await (const { value } of readJsonl(path, articleRow, signal)) yield articleOf(value);
    return;
  }
  const seen = new Set<string>();
  for await (const { value } of readJsonl(path, rowWithContexts, signal)) {
    for (const row of value.contexts) {
      if (!seen.has(row.id)) yield articleOf(row);
      seen.add(row.id);
    }
  }
}

export async function* readQuestions(
  path: string,
  signal: AbortSignal,
): AsyncGenerator<QuestionRow> {
  for await (const { value } of readJsonl(path, questionRow, signal)) {
    yield {
      question: value.question,
      answer: value.answer,
      articleIds: [...new Set(value.article_ids)],
    };
  }
}

function articleOf(row: z.infer<typeof articleRow>): Article {
  const title = foldBlanks(row.title ?? "");
  const body = (row.contents ?? row.text ?? "").replaceAll("\u00a0", " ");
  return {
    id: row.id,
    url: row.url ?? "",
    title: title || foldBlanks(body.split("\n")[0] ?? "") || row.id,
    type: row.article_type ?? "article",
    ...(row.html_content ? { html: row.html_content } : {}),
    text: withoutTitle(body, title),
  };
}

/** The plain text repeats the title as its first line. */
function withoutTitle(body: string, title: string): string {
  const end = body.indexOf("\n");
  const first = end < 0 ? body : body.slice(0, end);
  return (foldBlanks(first) === title ? body.slice(first.length) : body).trim();
}

/** Line ends, U+00A0 and runs of blanks become one blank. */
function foldBlanks(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function pythonList(printed: string): string[] {
  const quoted = [...printed.matchAll(/'([^']*)'|"([^"]*)"/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  const items = quoted.length > 0 ? quoted : printed.replace(/^\s*\[|\]\s*$/g, "").split(",");
  return items.map((item) => item.trim()).filter((item) => item !== "");
}
