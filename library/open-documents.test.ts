import { cpSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Embeddings } from "@langchain/core/embeddings";
import { describe, expect, it } from "vitest";
import { RitbenchRetriever } from "../index.ts";
import { samplesFolder } from "../tests/support/cli.ts";
import { temporaryFolder } from "../tests/support/temporary-folder.ts";
import { openDocuments } from "./open-documents.ts";

function myDocs(): string {
  const folder = join(temporaryFolder(), "docs");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.md"), "# Kettle\n\n## Warranty\n\nTwelve months.\n");
  writeFileSync(join(folder, "b.md"), "# Toaster\n\n## Warranty\n\nThree years.\n");
  return folder;
}

/** Counts what it is asked; a query is encoded unlike a passage. */
class LetterEmbeddings extends Embeddings {
  model = "letters";
  asked: string[] = [];

  constructor() {
    super({});
  }

  override async embedDocuments(texts: string[]): Promise<number[][]> {
    this.asked.push(...texts);
    return texts.map((text) => ["k", "t", "w"].map((letter) => text.split(letter).length));
  }

  override async embedQuery(text: string): Promise<number[]> {
    this.asked.push(`query: ${text}`);
    return ["k", "t", "w"].map((letter) => text.split(letter).length + 1);
  }
}

describe("openDocuments", () => {
  it("reads a folder into trees, chunks and a retriever, and leaves the folder alone", async () => {
    const [folder, home] = [join(temporaryFolder(), "own"), temporaryFolder()];
    cpSync(join(samplesFolder, "own"), folder, { recursive: true });
    const before = readdirSync(folder, { recursive: true }).sort();
    const lines: string[] = [];
    const documents = await openDocuments(folder, {
      home,
      embeddings: "offline:hashing",
      progress: (line) => lines.push(line),
    });
    const [hit] = await documents.retriever.search("deposit for a loan", 1);
    expect(documents.chunks.text(hit!.chunk)).toMatch(/deposit/i);
    expect(documents.corpus.documentCount).toBeGreaterThan(4);
    expect(lines.some((line) => /^vectors: \d+ of \d+ texts$/.test(line))).toBe(true);
    await documents.close();
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before);
  });

  it("encodes nothing twice: not at a second call, and only what is new after a change", async () => {
    const [folder, home] = [myDocs(), temporaryFolder()];
    const embeddings = new LetterEmbeddings();
    await (await openDocuments(folder, { home, embeddings })).close();
    const passages = embeddings.asked.length;
    expect(embeddings.asked).toEqual(expect.arrayContaining(["Twelve months.", "Three years."]));
    await (await openDocuments(folder, { home, embeddings: new LetterEmbeddings() })).close();
    expect(embeddings.asked).toHaveLength(passages);
    writeFileSync(join(folder, "c.md"), "# Lamp\n\nFive weeks.\n");
    const third = new LetterEmbeddings();
    await (await openDocuments(folder, { home, embeddings: third })).close();
    expect(third.asked).toEqual(["Five weeks."]);
  });

  it("asks LangChain embeddings for queries as queries", async () => {
    const embeddings = new LetterEmbeddings();
    const documents = await openDocuments(myDocs(), { home: temporaryFolder(), embeddings });
    await documents.retriever.search("warranty", 1, { mode: "dense" });
    expect(embeddings.asked).toContain("query: warranty");
    await documents.close();
  });

  it("wants a name for embeddings that do not say which model they are", async () => {
    const embeddings = Object.assign(new LetterEmbeddings(), { model: undefined });
    const home = temporaryFolder();
    const folder = myDocs();
    await expect(openDocuments(folder, { home, embeddings })).rejects.toMatchObject({
      code: "E_EMBEDDINGS_ID",
    });
    const documents = await openDocuments(folder, { home, embeddings, embeddingsId: "mine-1" });
    expect(documents.embedder.id).toBe("mine-1");
    await documents.close();
  });

  it("serves a LangChain retriever and may be open twice at once", async () => {
    const [folder, home] = [myDocs(), temporaryFolder()];
    const options = { home, embeddings: "offline:hashing" };
    const [first, second] = await Promise.all([
      openDocuments(folder, options),
      openDocuments(folder, options),
    ]);
    await first.close();
    const { corpus, chunks, retriever } = second;
    const found = await new RitbenchRetriever({ corpus, chunks, retriever, k: 1 }).invoke(
      "toaster three years",
    );
    expect(found[0]).toMatchObject({
      pageContent: "Three years.",
      metadata: { documentId: "b.md", titlePath: ["Toaster", "Warranty"] },
    });
    await second.close();
  });
});
