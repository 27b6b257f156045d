import { resolve } from "node:path";
import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import { corpusMetadata } from "../core/corpus/corpus-metadata.ts";
import type { SharedResources } from "../core/method.ts";
import { loadDocuments } from "../datasets/load.ts";
import {
  DEFAULT_EMBEDDINGS,
  type OpenedEmbedder,
  openEmbedder,
} from "../models/embeddings/open-embedder.ts";
import { openLangChainEmbedder } from "../models/embeddings/open-langchain-embedder.ts";
import { openIndex } from "../retrievers/index-builder.ts";
import { tokenizerFor } from "../retrievers/tokenizer/tokenizer-for.ts";

export interface OpenDocumentsOptions {
  /** Folder of everything that is derived: corpus, index, vectors. Default `.ritbench` in the working folder. */
  home?: string;
  /**
   * LangChain embeddings, or `local:<folder or hub id>`, `openai:<model>`, `openai-compatible:<model>@<base URL>`,
   * `offline:hashing` (no semantic model: for trying things out). Default: the paper's encoder, fetched once.
   */
  embeddings?: string | EmbeddingsInterface;
  /** Name of LangChain embeddings under which their vectors are kept; needed where the object has no field `model`. */
  embeddingsId?: string;
  /** Key for `openai:` and `openai-compatible:`; the environment is not read. */
  apiKey?: string;
  signal?: AbortSignal;
  /** A line now and then while documents are read, an encoder is fetched or the index is built. */
  progress?: (line: string) => void;
}

/** A folder of documents, read and indexed: what methods, tools and retriever work on. */
export interface Documents extends SharedResources {
  /** Absolute path. Nothing is ever written there. */
  readonly folder: string;
  /** What had to be repaired or left out, one sentence each. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/**
 * Reads a folder of documents (Markdown, HTML, text, PDF) into section trees and indexes it: chunks, BM25 and exact
 * dense search. Everything derived is kept in the home folder, so a second call reads only what changed since.
 *
 * @throws RitbenchError E_DATA_MISSING without documents, E_HOME_INSIDE, E_EMBEDDINGS_UNKNOWN, E_EMBEDDINGS_ID.
 *
 * @example
 * const documents = await openDocuments("./my-docs", { embeddings: new OpenAIEmbeddings() });
 * try {
 *   console.log(await documents.retriever.search("warranty", 5));
 * } finally {
 *   await documents.close();
 * }
 */
export async function openDocuments(
  folder: string,
  options: OpenDocumentsOptions = {},
): Promise<Documents> {
  const home = resolve(options.home ?? ".ritbench");
  const { signal, progress = () => {} } = options;
  const loaded = await loadDocuments(folder, {
    home,
    progress,
    ...(signal === undefined ? {} : { signal }),
  });
  const { corpus } = loaded;
  let embedder: OpenedEmbedder | undefined;
  try {
    embedder = await openAnyEmbedder(home, options);
    const index = await openIndex({
      corpus,
      home,
      tokenizer: tokenizerFor(embedder),
      embedder: embedder.embedder,
      signal,
      progress: ({ part, done, total, unit }) => progress(`${part}: ${done} of ${total} ${unit}`),
    });
    return {
      folder: loaded.folder,
      notes: corpus.summary.notes,
      corpus,
      chunks: index.chunks,
      retriever: index.retriever,
      embedder: embedder.embedder,
      metadata: corpusMetadata(corpus),
      async close() {
        index.close();
        corpus.close();
        await embedder?.close();
      },
    };
  } catch (error) {
    corpus.close();
    await embedder?.close();
    throw error;
  }
}

function openAnyEmbedder(home: string, options: OpenDocumentsOptions): Promise<OpenedEmbedder> {
  const { embeddings = DEFAULT_EMBEDDINGS, embeddingsId, apiKey, signal, progress } = options;
  return typeof embeddings === "string"
    ? openEmbedder(embeddings, { home, offline: false, apiKey, signal, progress })
    : openLangChainEmbedder(embeddings, { home, id: embeddingsId, signal });
}
