import { expect, it } from "vitest";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { describeSource } from "./source.ts";
import { buildCorpus } from "./writer.ts";

it("tells what a node, chunk, page or document id stands for, pages from 1", async () => {
  const corpus = await buildCorpus(
    { corporaFolder: temporaryFolder(), dataset: "t", singleTree: false },
    (sink) => {
      sink.document({ id: "manual.pdf", title: "Manual", pageCount: 9 });
      sink.tree({
        title: "Manual",
        documentId: "manual.pdf",
        attributes: { pages: [0, 8] },
        children: [
          {
            title: "Care",
            text: "first page. second page.",
            pageSpans: [
              { page: 2, start: 0, end: 12 },
              { page: 3, start: 12, end: 24 },
            ],
          },
        ],
      });
    },
  );
  const care = corpus.findNode("manual.pdf_0001")!;
  const chunk = { id: "manual.pdf_0001#1", node: care, start: 12, end: 24 };
  const chunks = {
    find: (id: string) => (id === chunk.id ? (0 as never) : undefined),
    get: () => chunk as never,
  };
  const place = { documentId: "manual.pdf", documentTitle: "Manual" };
  const of = (id: string) => describeSource({ corpus, chunks }, id);
  expect(of("manual.pdf_0001")).toEqual({
    id: "manual.pdf_0001",
    titlePath: ["Manual", "Care"],
    nodeId: "manual.pdf_0001",
    ...place,
    pages: [3, 4],
  });
  expect(of("manual.pdf_0001#1")).toMatchObject({ nodeId: "manual.pdf_0001", pages: [4, 4] });
  expect(of("manual.pdf_0000")).toMatchObject({ titlePath: ["Manual"], pages: [1, 9] });
  expect(of("manual.pdf p.7")).toEqual({
    id: "manual.pdf p.7",
    titlePath: ["Manual"],
    ...place,
    pages: [7, 7],
  });
  expect(of("manual.pdf")).toEqual({ id: "manual.pdf", titlePath: ["Manual"], ...place });
  expect(of("made up p.2")).toEqual({ id: "made up p.2", titlePath: [] });
  corpus.close();
});
