import { expect, test } from "vitest";
import { sampleRows, sampleText } from "./sample-files.ts";

interface TreeNode {
  title: string;
  nodes?: TreeNode[];
}

const titles = async (path: string) =>
  (await sampleRows<{ title: string }>(path)).map((row) => row.title);

async function paperTitles(): Promise<string[]> {
  const papers = JSON.parse(await sampleText("qasper/qasper-test-v0.3.json")) as Record<
    string,
    { title: string; full_text: { section_name: string | null }[] }
  >;
  return Object.values(papers).flatMap((paper) => [
    paper.title,
    ...paper.full_text.map((section) => section.section_name ?? ""),
  ]);
}

async function filingTitles(): Promise<string[]> {
  const tree = JSON.parse(
    await sampleText("financebench/pageindex-trees/TIDEWHISTLE_2023_10K_structure.json"),
  ) as { structure: TreeNode[] };
  const flatten = (nodes: TreeNode[]): string[] =>
    nodes.flatMap((node) => [node.title, ...flatten(node.nodes ?? [])]);
  const source = await sampleText("pdf-sources/financebench/MOONMARSH_2023_10K.md");
  const outline = [...source.matchAll(/<!-- outline: (".*") -->/g)];
  return [
    ...flatten(tree.structure),
    ...outline.map((match) => JSON.parse(match[1] ?? '""') as string),
  ];
}

const hostile = {
  tag: /<(script|img)\b/,
  formula: /^=HYPERLINK\(/,
  pipe: /\|/,
  path: /\.\.\//,
  rightToLeft: /[\u0590-\u05ff]/,
};
const corpora = {
  wixqa: () => titles("wixqa/wix_kb_corpus/wix_kb_corpus.jsonl"),
  qasper: paperTitles,
  financebench: filingTitles,
  entqabench: () => titles("entqabench/pages.jsonl"),
};

test.each(Object.entries(corpora))("%s has hostile titles of every kind", async (_, read) => {
  const all = await read();
  for (const [kind, pattern] of Object.entries(hostile))
    expect(
      all.some((title) => pattern.test(title)),
      kind,
    ).toBe(true);
});

test("somewhere a title is a command, holds a line break or quotes, or is very long", async () => {
  const all = (await Promise.all(Object.values(corpora).map((read) => read()))).flat();
  for (const pattern of [/^\+cmd\|/, /\n/, /"/, /\u202e/])
    expect(all.some((title) => pattern.test(title))).toBe(true);
  expect(Math.max(...all.map((title) => title.length))).toBeGreaterThan(400);
});
