import { expect, test } from "vitest";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { RitbenchRetriever } from "./langchain-retriever.ts";

test("gives LangChain documents with exact text and where they come from", async () => {
  const { retriever, corpus, chunks } = await toyCorpus();
  const langchain = new RitbenchRetriever({ retriever, corpus, chunks, k: 2 });
  const documents = await langchain.invoke("How long does the warranty of the Kettle Two last?");
  expect(documents).toHaveLength(2);
  const [first] = documents;
  expect(first!.pageContent).toBe("The warranty of the Kettle Two lasts 36 months.");
  const { metadata } = first!;
  expect(metadata.documentId).toBe("kettle-2");
  expect(metadata.titlePath).toEqual(["Kettles", "Kettle Two", "Care", "Warranty"]);
  expect(metadata.chunkId).toBe(`${metadata.nodeId}#0`);
  expect(first!.id).toBe(metadata.chunkId);
  const node = corpus.findNode(metadata.nodeId)!;
  expect(corpus.text(node).slice(metadata.start, metadata.end)).toBe(first!.pageContent);
  expect(metadata.rank).toBe(1);
  expect(() => structuredClone(metadata)).not.toThrow();
});

test("passes mode and filter on", async () => {
  const { retriever, corpus, chunks } = await toyCorpus();
  const only = corpus.findDocument("kettle-1")!.index;
  const langchain = new RitbenchRetriever({
    retriever,
    corpus,
    chunks,
    search: { mode: "bm25", filter: { include: [only] } },
  });
  const documents = await langchain.invoke("warranty of the kettle");
  expect(documents.length).toBeGreaterThan(0);
  for (const { metadata } of documents) expect(metadata.documentId).toBe("kettle-1");
});
