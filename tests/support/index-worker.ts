import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openCorpus } from "../../core/corpus/store.ts";
import { fingerprint } from "../../core/fingerprint.ts";
import { cachedEmbedder } from "../../models/embeddings/cached-embedder.ts";
import { openVectorCache } from "../../models/embeddings/vector-cache.ts";
import { openIndex } from "../../retrievers/index-builder.ts";
import { bpeTokenizer } from "../../retrievers/tokenizer/bpe-tokenizer.ts";

/**
 * A process that opens an index with a slow encoder and writes one line to `log` for each text it encodes,
 * then prints the fingerprints. Arguments: home, corpus folder, log, ms a text.
 */
const [home, corpusFolder, log, pauseMs] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
];
const cache = openVectorCache(join(home, "cache", "embeddings"));
const embedder = await cachedEmbedder(
  {
    id: "slow",
    fingerprint: fingerprint("slow"),
    dimensions: 4,
    async encode(texts, onVector) {
      for (const [index, text] of texts.entries()) {
        await sleep(Number(pauseMs));
        appendFileSync(log, `${JSON.stringify(text)}\n`);
        onVector(index, Float32Array.from([1, text.length, text.charCodeAt(0), index % 7]));
      }
    },
    close: async () => {},
  },
  cache,
);
const corpus = openCorpus(corpusFolder);
const index = await openIndex({
  corpus,
  home,
  tokenizer: bpeTokenizer(),
  embedder,
  chunks: { maxTokens: 16 },
});
process.stdout.write(JSON.stringify(index.fingerprints));
index.close();
corpus.close();
await cache.close();
