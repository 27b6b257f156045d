import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildCorpus } from "../../core/corpus/writer.ts";
import { openEmbedder } from "../../models/embeddings/open-embedder.ts";
import { type OpenIndexOptions, openIndex } from "../../retrievers/index-builder.ts";
import { bpeTokenizer } from "../../retrievers/tokenizer/bpe-tokenizer.ts";
import { toyForest } from "../support/toy-corpus.ts";
import { describeRetriever, type RetrieverCase } from "./describe-retriever.ts";

async function open(
  halves: { dense: boolean } & Pick<OpenIndexOptions, "bm25" | "hnswAboveChunks">,
): Promise<RetrieverCase> {
  const home = mkdtempSync(join(tmpdir(), "ritbench-"));
  const corpus = await buildCorpus(
    { corporaFolder: join(home, "corpora"), dataset: "toy", singleTree: false },
    (sink) => {
      for (const tree of toyForest) sink.tree(tree);
    },
  );
  const { dense, ...rest } = halves;
  const opened = dense ? await openEmbedder("offline:hashing", { home, offline: true }) : undefined;
  const index = await openIndex({
    corpus,
    home,
    tokenizer: bpeTokenizer(),
    embedder: opened?.embedder,
    chunks: { maxTokens: 40 },
    ...rest,
  });
  return {
    retriever: index.retriever,
    chunks: index.chunks,
    corpus,
    async close() {
      index.close();
      await opened?.close();
      corpus.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

describeRetriever("bm25 only", () => open({ dense: false }));
describeRetriever("dense only", () => open({ dense: true, bm25: false }));
describeRetriever("hybrid", () => open({ dense: true }));
describeRetriever("hybrid over hnsw", () => open({ dense: true, hnswAboveChunks: 0 }));
