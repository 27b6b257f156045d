import { expect, test } from "vitest";
import { countO200k } from "../../core/o200k.ts";
import { toyCorpus } from "../../tests/support/toy-corpus.ts";
import { countGraphChunks, graphChunks } from "./index.ts";

const words = (count: number, word: string) => Array(count).fill(word).join(" ");

test("a document is one text of titles and own texts, in windows of 1200 tokens with 100 repeated", async () => {
  const resources = await toyCorpus([
    {
      title: "Group",
      children: [
        {
          title: "Long",
          documentId: "long",
          text: words(1000, "one"),
          children: [
            { title: "Part", text: words(1500, "two") },
            { title: "End", text: "three" },
          ],
        },
        { title: "Short", documentId: "short", text: "four five" },
      ],
    },
  ]);
  const chunks = [...graphChunks("native1200", resources)];
  expect(chunks.map(({ id, nodes }) => [id, nodes])).toEqual([
    ["long~0000", ["long_0000", "long_0001"]],
    ["long~0001", ["long_0001"]],
    ["long~0002", ["long_0001", "long_0002"]],
    ["short~0000", ["short_0000"]],
  ]);
  expect(chunks.map(({ text }) => countO200k(text)).slice(0, 2)).toEqual([1200, 1200]);
  expect(chunks[0]!.text.startsWith("Long\none one")).toBe(true);
  // Two windows before the last one take 1100 new tokens each.
  const tokens = countO200k(
    `Long\n${words(1000, "one")}\n\nPart\n${words(1500, "two")}\n\nEnd\nthree`,
  );
  expect(countO200k(chunks[2]!.text)).toBe(tokens - 2 * 1100);
  expect(chunks[3]).toEqual({
    position: 3,
    id: "short~0000",
    documentId: "short",
    nodes: ["short_0000"],
    text: "Short\nfour five",
  });
  expect(countGraphChunks("native1200", resources)).toBe(4);
});

test("the run's own chunks serve as they are", async () => {
  const resources = await toyCorpus();
  const chunks = [...graphChunks("shared512", resources)];
  expect(chunks).toHaveLength(resources.chunks.count);
  expect(countGraphChunks("shared512", resources)).toBe(chunks.length);
  expect(chunks[0]).toEqual({
    position: 0,
    id: "kettle-1_0000#0",
    documentId: "kettle-1",
    nodes: ["kettle-1_0000"],
    text: "Kettle One is a kettle for the household.",
  });
});
