import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { buildBm25 } from "./build.ts";

interface Reference {
  parameters: { k1: number; b: number };
  documents: string[];
  queries: { query: string; scores: number[] }[];
}

const path = new URL("./fixtures/reference.json", import.meta.url);
const reference = JSON.parse(readFileSync(path, "utf8")) as Reference;

it.each(reference.queries)("scores as the reference does: $query", async ({ query, scores }) => {
  const index = await buildBm25(reference.documents, { parameters: reference.parameters });
  const ranking = index.search(query, reference.documents.length);
  const ours = new Float64Array(scores.length);
  for (const [rank, chunk] of ranking.chunks.entries()) ours[chunk] = ranking.scores[rank]!;
  const worst = Math.max(...scores.map((score, chunk) => Math.abs(score - ours[chunk]!)));
  expect(worst).toBeLessThan(1e-6);
  expect(ranking.chunks).toHaveLength(scores.filter((score) => score > 0).length);
});
