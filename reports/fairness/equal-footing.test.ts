import { expect, test } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import type { RunManifest } from "../../core/record.ts";
import { checkFooting, requireEqualFooting } from "./equal-footing.ts";

type Manifest = Pick<RunManifest, "id" | "datasets" | "methods" | "models">;

function manifest(id: string, methods: readonly string[], more: { [part: string]: string } = {}) {
  const own = (part: string) => fingerprint(more[part] ?? part);
  return {
    id,
    datasets: [
      {
        name: "wixqa",
        corpus: own("corpus"),
        chunks: own("chunks"),
        retriever: own("retriever"),
        embedder: "e",
        metadata: "titles",
        questions: { total: 1, runnable: 1, asked: 1, fingerprint: own("questions") },
      },
    ],
    methods: methods.map((name) => ({
      name,
      title: name.toUpperCase(),
      fingerprint: fingerprint(name),
      scoredReads: true,
      unfit: name === more.unfit ? { wixqa: "too large" } : {},
      ...(name === more.graph ? { ownChunking: "1200 tokens" } : {}),
    })),
    models: [{ id: more.model ?? "m", offline: true, fingerprint: own("generator"), resolved: [] }],
  } satisfies Manifest;
}

test("one run is on equal footing; several of the same parts too", () => {
  const equal = checkFooting([manifest("a", ["rit", "vanilla"]), manifest("b", ["agentic"])]);
  expect(equal).toEqual({ marks: [], differences: [], exceptions: [] });
  expect(() => requireEqualFooting(equal)).not.toThrow();
});

test.each(["corpus", "chunks", "retriever", "generator"])(
  "another %s marks the row, names the field, and strict refuses",
  (field) => {
    const other = manifest("b", ["agentic"], { [field]: "other" });
    const footing = checkFooting([manifest("a", ["rit", "vanilla"]), other]);
    expect(footing.marks).toEqual([
      { run: "b", dataset: "wixqa", method: "agentic", model: "m", fields: [field] },
    ]);
    expect(footing.differences).toEqual([
      expect.stringContaining(`agentic on wixqa (run b) has another ${field}`),
    ]);
    expect(() => requireEqualFooting(footing)).toThrow(
      expect.objectContaining({ code: "E_UNEQUAL_FOOTING" }),
    );
  },
);

test("several models are fair where each served every method, and marked where not", () => {
  const both = manifest("a", ["rit", "vanilla"]);
  const second = { id: "n", offline: true, fingerprint: fingerprint("n"), resolved: [] };
  expect(checkFooting([{ ...both, models: [...both.models, second] }]).marks).toEqual([]);
  const split = [manifest("a", ["rit"]), manifest("b", ["vanilla"], { model: "n" })];
  expect(checkFooting(split).marks).toMatchObject([{ run: "b", fields: ["generator"] }]);
});

test("a method with chunks of its own is a footnote, not a mark; other fields still count", () => {
  const graph = manifest("b", ["graph"], { graph: "graph", chunks: "own", retriever: "own" });
  const footing = checkFooting([manifest("a", ["rit"]), graph]);
  expect(footing.marks).toEqual([]);
  expect(footing.exceptions).toEqual([expect.stringMatching(/^GRAPH .*1200 tokens/)]);
  const elsewhere = manifest("b", ["graph"], { graph: "graph", corpus: "other" });
  expect(checkFooting([manifest("a", ["rit"]), elsewhere]).marks).toMatchObject([
    { method: "graph", fields: ["corpus"] },
  ]);
});

test("a method that does not fit has no row to compare", () => {
  const unfit = manifest("b", ["page-index"], { unfit: "page-index", corpus: "other" });
  expect(checkFooting([manifest("a", ["rit"]), unfit]).marks).toEqual([]);
});
