import { expect, it } from "vitest";
import { parsePageIndexTree } from "./pageindex-tree.ts";

it("counts pages from 0 and takes summaries for metadata", () => {
  const json = JSON.stringify({
    doc_name: "x.pdf",
    doc_description: "About x",
    structure: [
      { title: "A\n b", start_index: 1, end_index: 3, prefix_summary: "all", node_id: "0000" },
      { title: "C", start_index: 4, end_index: null, summary: "c", nodes: [{ title: "D" }] },
    ],
  });
  expect(parsePageIndexTree(json, "x")).toEqual({
    description: "About x",
    trees: [
      { title: "A b", start: 0, end: 2, children: [], metadata: { summary: "all" } },
      {
        title: "C",
        start: 3,
        end: null,
        metadata: { summary: "c" },
        children: [{ title: "D", start: null, end: null, children: [] }],
      },
    ],
  });
});

it("names the field that does not fit", () => {
  const json = '{"structure": [{"title": "A", "start_index": "one"}]}';
  expect(() => parsePageIndexTree(json, "tree.json")).toThrow(
    expect.objectContaining({
      code: "E_DATA_FORMAT",
      details: expect.objectContaining({ where: "tree.json field structure.0.start_index" }),
    }),
  );
  expect(() => parsePageIndexTree("[", "tree.json")).toThrow(
    expect.objectContaining({ code: "E_DATA_FORMAT" }),
  );
});
