import pLimit from "p-limit";
import type { Corpus, CorpusDocument } from "../../../core/corpus/corpus.ts";
import type { ChatModel } from "../../../core/model.ts";
import type { BuildRequest, BuildRun, BuildUnit } from "../stage/request.ts";
import { buildFolder, describeBuild } from "../stage/what.ts";
import { documentPages, documentSize, pagedDocuments } from "./document-pages.ts";
import { type InducedStructure, induceStructure } from "./induce.ts";
import { defaultStructureSettings, type StructureSettings } from "./inducer.ts";
import { allStructurePrompts } from "./prompts.ts";

/** Raised when replies are read in another way. */
const VERSION = 1;

export interface StructureOptions {
  /** Documents with pages; any tree that they have is replaced. */
  corpus: Corpus;
  model: ChatModel;
  settings?: Partial<StructureSettings>;
  /** Documents whose tree is their own outline keep it, and cost no call. */
  keepOutlines: boolean;
}

/** A paged document as a unit. */
export interface StructureUnit extends BuildUnit {
  pages(): string[];
}

/** Documents that are to be induced. */
export function inducedDocuments({
  corpus,
  keepOutlines,
}: Pick<StructureOptions, "corpus" | "keepOutlines">): (CorpusDocument & { pageCount: number })[] {
  return [...pagedDocuments(corpus)].filter(
    ({ treeKind }) => !(keepOutlines && treeKind === "outline"),
  );
}

/**
 * Tables of contents for every document with pages; pass it to `runBuild` or `forecastBuild`, then stream the
 * result into a corpus with `writeInducedCorpus`. `concurrency` bounds model calls, over all documents together.
 */
export function structureRequest(
  home: string,
  options: StructureOptions,
  run: BuildRun,
): BuildRequest<StructureUnit, InducedStructure> {
  const { corpus, model, keepOutlines } = options;
  const settings = { ...defaultStructureSettings, ...options.settings };
  const documents = inducedDocuments(options);
  const what = describeBuild({
    kind: "structure",
    corpus: corpus.summary.hash,
    model,
    prompts: allStructurePrompts,
    parameters: { version: VERSION, keepOutlines, ...settings },
  });
  const limit = pLimit(run.concurrency);
  return {
    ...run,
    folder: buildFolder(home, what),
    what,
    model,
    unit: "document",
    total: documents.length,
    *units() {
      for (const document of documents) {
        const pages = () => documentPages(corpus, document);
        yield {
          key: document.id,
          size: documentSize(corpus, document.index),
          text: () => pages().join("\n"),
          pages,
        };
      }
    },
    async process(unit, context) {
      const pages = unit.pages();
      if (pages.every((page) => page.trim() === "")) {
        return { value: { mode: "pages", accuracy: 1, trees: [], warnings: [] }, records: 0 };
      }
      const limited: ChatModel = {
        ...context.model,
        call: (request) => limit(() => context.model.call(request)),
      };
      const value = await induceStructure(pages, limited, settings);
      return { value, records: value.trees.length };
    },
  };
}
