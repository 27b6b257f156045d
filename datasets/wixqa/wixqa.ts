import { join, resolve } from "node:path";
import { z } from "zod";
import type { CorpusSink, DocumentTree } from "../../core/corpus/corpus.ts";
import type { Dataset, DatasetContext, FetchFile } from "../../core/dataset.ts";
import { RitbenchError } from "../../core/errors.ts";
import type { DocumentId, QuestionId } from "../../core/ids.ts";
import type { Question } from "../../core/question.ts";
import { htmlTree } from "../parsing/html.ts";
import { readOptions } from "../parsing/options.ts";
import { existingFile, sourceFacts } from "../parsing/sources.ts";
import { textSpill } from "../parsing/text-spill.ts";
import { type FamilyMap, familiesByRule, readFamilies } from "./families.ts";
import {
  type Article,
  findFiles,
  readArticles,
  readQuestions,
  SPLITS,
  type Split,
  type WixFiles,
} from "./files.ts";
import { productsOf } from "./products.ts";

const NAME = "wixqa";

const optionShape = {
  /** Which questions are asked; the paper tests on the expert-written ones. */
  split: z.enum([...SPLITS, "all"]).default("expert"),
  /** YAML file of product families; a path relative to the data set's folder, or absolute. */
  familiesFile: z.string().optional(),
};

/** The mapping file that counts when no option names one. */
const FAMILIES_FILE = "families.yaml";

interface Setup {
  files: WixFiles;
  splits: readonly Split[];
  /** Relative to the folder or absolute; undefined = families by rule. */
  familiesPath: string | undefined;
}

async function setup(context: DatasetContext): Promise<Setup> {
  const { split, familiesFile } = readOptions(NAME, optionShape, context.options);
  const files = await findFiles(context.folder, context.signal);
  const present = SPLITS.filter((name) => files.questions[name] !== undefined);
  if (split !== "all" && !present.includes(split)) {
    throw new RitbenchError("E_DATA_MISSING", `the ${split} questions of WixQA are absent`, {
      where: context.folder,
      ...(present.length > 0 && { expected: `split ${present.join(" or ")}, or their file` }),
      next: "ritbench data fetch wixqa",
    });
  }
  return {
    files,
    splits: split === "all" ? present : [split],
    familiesPath: familiesFile ?? (await existingFile(context.folder, [FAMILIES_FILE])),
  };
}

interface Listed extends Omit<Article, "html" | "text"> {
  product: string;
  /** Index of its HTML or text among the texts set aside. */
  body: number;
  isHtml: boolean;
}

/** Official rows of the hub's repository at one revision. */
function hubFile(path: string, pinned: Partial<FetchFile> = {}): FetchFile {
  const revision = "d662dc42479c14e202eccd832f8c4b66a035c4cc";
  return {
    url: `https://huggingface.co/datasets/Wix/WixQA/resolve/${revision}/${path}`,
    path,
    ...pinned,
  };
}

/** WixQA: questions on the articles of a help center. See this folder's README. */
export const wixqa: Dataset = {
  name: NAME,
  title: "WixQA",
  version: 1,
  singleTree: false,
  splits: ["split", "product", "articles", "articleType"],

  async sources(context) {
    const { files, splits, familiesPath } = await setup(context);
    const paths = new Set([files.corpus, ...splits.map((split) => files.questions[split]!)]);
    if (familiesPath !== undefined) paths.add(familiesPath);
    return sourceFacts(context.folder, [...paths]);
  },

  async writeCorpus(sink, context) {
    const { files, familiesPath } = await setup(context);
    const families =
      familiesPath === undefined
        ? familiesByRule()
        : await readFamilies(resolve(context.folder, familiesPath));
    const spill = textSpill(context.cacheFolder);
    try {
      const { articles, repeats } = await listArticles(context, files, (article) =>
        spill.add(article.html ?? article.text),
      );
      writeForest(sink, articles, families, (article) => spill.get(article.body));
      noteWhatIsOdd(sink, articles, repeats, families);
    } finally {
      spill.dispose();
    }
  },

  async questions(context) {
    const { files, splits } = await setup(context);
    const { articles } = await listArticles(context, files, () => 0);
    const byId = new Map(articles.map((article) => [article.id, article]));
    const questions: Question[] = [];
    for (const split of splits) {
      let number = 0;
      const path = join(context.folder, files.questions[split]!);
      for await (const row of readQuestions(path, context.signal)) {
        number++;
        questions.push(questionOf(row, `${split}-${String(number).padStart(4, "0")}`, split, byId));
      }
    }
    return questions;
  },

  fetchFiles: [
    hubFile("wix_kb_corpus/wix_kb_corpus.jsonl", {
      bytes: 53_743_863,
      sha256: "46b852c60b85fb1828e7c6118bb56ba796eba99120a6b69c6b984c06e1c5e1fe",
    }),
    hubFile("wixqa_expertwritten/test.jsonl", {
      bytes: 255_510,
      sha256: "a1bb6888a8394f980bc88f0d09b873fcd283ff4c9782600bc203f8103c2f1bad",
    }),
    hubFile("wixqa_simulated/test.jsonl"),
    hubFile("wixqa_synthetic/test.jsonl"),
  ],
};

async function listArticles(
  context: DatasetContext,
  files: WixFiles,
  setAside: (article: Article) => number,
): Promise<{ articles: Listed[]; repeats: number }> {
  const heads: Omit<Listed, "product">[] = [];
  const seen = new Set<string>();
  let repeats = 0;
  context.progress(`wixqa: reading ${files.corpus}`);
  for await (const article of readArticles(context.folder, files, context.signal)) {
    if (seen.has(article.id)) {
      repeats++;
      continue;
    }
    seen.add(article.id);
    const { html, text: _, ...head } = article;
    heads.push({ ...head, body: setAside(article), isHtml: html !== undefined });
  }
  const products = productsOf(heads);
  return { articles: heads.map((head, i) => ({ ...head, product: products[i]! })), repeats };
}

/** Family > product > article > headings; products and articles in the order of the file. */
function writeForest(
  sink: CorpusSink,
  articles: readonly Listed[],
  families: FamilyMap,
  bodyOf: (article: Listed) => string,
): void {
  const byFamily = new Map(families.names.map((name) => [name, new Map<string, Listed[]>()]));
  for (const article of articles) {
    const products = byFamily.get(families.familyOf(article.product, article.url))!;
    const list = products.get(article.product);
    if (list === undefined) products.set(article.product, [article]);
    else list.push(article);
  }
  for (const [family, products] of byFamily) {
    if (products.size === 0) continue;
    sink.open({ title: family });
    for (const [product, list] of products) {
      sink.open({ title: product });
      for (const article of list) {
        sink.document({
          id: article.id,
          title: article.title,
          treeKind: article.isHtml ? "html" : "text",
          ...(article.url !== "" && { url: article.url }),
        });
        sink.tree(articleTree(article, bodyOf(article)));
      }
      sink.close();
    }
    sink.close();
  }
}

function articleTree(article: Listed, body: string): DocumentTree {
  const { id: documentId, title } = article;
  if (article.isHtml) return { ...htmlTree(body, { title }), title, documentId };
  return { title, documentId, ...(body !== "" && { text: body }) };
}

function noteWhatIsOdd(
  sink: CorpusSink,
  articles: readonly Listed[],
  repeats: number,
  families: FamilyMap,
): void {
  sink.note(families.origin);
  const flat = articles.filter((article) => !article.isHtml).length;
  if (flat > 0) sink.note(`${flat} articles have no HTML and are one node each.`);
  if (repeats > 0) sink.note(`${repeats} rows repeat an article's id and were left out.`);
}

function questionOf(
  row: { question: string; answer: string; articleIds: readonly string[] },
  id: string,
  split: Split,
  articles: ReadonlyMap<string, Listed>,
): Question {
  const absent = row.articleIds.find((article) => !articles.has(article));
  const first = articles.get(row.articleIds[0] ?? "");
  return {
    id: id as QuestionId,
    dataset: NAME,
    text: row.question.trim(),
    goldAnswers: row.answer.trim() === "" ? [] : [row.answer.trim()],
    evidence:
      row.articleIds.length === 0
        ? []
        : [
            {
              units: row.articleIds.map((article) => ({
                kind: "document",
                documentId: article as DocumentId,
              })),
            },
          ],
    answerable: row.articleIds.length > 0,
    split,
    ...(absent !== undefined && { notRunnable: `article ${absent} is not in the corpus` }),
    meta: {
      split,
      articles: String(row.articleIds.length),
      product: first?.product ?? "unknown",
      articleType: first?.type ?? "unknown",
    },
  };
}
