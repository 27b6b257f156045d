import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Json } from "../../core/json.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import { toyModel } from "../../tests/support/run-fixture.ts";
import { type StoredRunOptions, storedRun } from "../../tests/support/stored-run.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { csvTable } from "../table/csv.ts";
import { latexTable } from "../table/latex.ts";
import { markdownTable } from "../table/markdown.ts";
import type { PaperInput } from "./candidates.ts";
import { comparePaper, type PaperComparison } from "./compare-paper.ts";
import { readPaperValues } from "./expected.ts";
import { longTable, rowOf, wideTable } from "./paper-tables.ts";

const values = readPaperValues();
const HAIKU = "anthropic:claude-haiku-4-5";
const config = {
  datasets: [{ name: "wixqa", options: { split: "expert" } }],
  methods: ["vanilla", "rit-rag"],
  models: [HAIKU],
  embeddings: "e",
  retrieval: {},
  judge: "offline:lexical",
  parameters: {},
  sampling: {},
};

/** A stored run of WixQA's size, answered by a model of the paper; 150 of 200 right. */
async function run(more: Partial<StoredRunOptions> = {}) {
  const { folder } = await storedRun({
    runsFolder: join(temporaryFolder(), "runs"),
    name: "ours",
    count: 200,
    outcome: (i) => (i <= 150 ? "right" : "wrong"),
    dataset: "wixqa",
    method: "vanilla",
    model: toyModel(HAIKU),
    config,
    ...more,
  });
  return openRun(folder);
}

async function compared(
  runs: readonly Awaited<ReturnType<typeof run>>[],
  more: Partial<PaperInput> = {},
) {
  const fingerprint = runs[0]?.manifest.methods[0]?.fingerprint ?? "";
  const protocol = (name: string) => ({
    name,
    config: config as unknown as Json,
    methods: { vanilla: fingerprint },
  });
  return comparePaper({
    values,
    runs,
    protocols: new Map(["table-1-wixqa", "table-8-wixqa"].map((name) => [name, protocol(name)])),
    facts: {
      corpora: new Map([["corpus-1", { documents: 6221, nodes: 9, maxDepth: 2 }]]),
      chunks: new Map(),
      builds: [],
      models: {},
    },
    canonicalModel: (id) => id,
    ...more,
  });
}

function cell({ tables }: PaperComparison, table: number, measure: string) {
  return tables
    .find((one) => one.table.id === table)!
    .cells.find(
      (one) =>
        one.method === "vanilla" &&
        one.dataset === "wixqa" &&
        (one.model ?? "haiku") === "haiku" &&
        one.measure === measure,
    )!;
}

describe("comparePaper", () => {
  it("lays a run of the protocol beside the printed number, with Wilson's interval", async () => {
    const comparison = await compared([await run()]);
    // 150 of 200: 75.0%, Wilson 68.6 to 80.5, which holds the paper's 79.5.
    expect(cell(comparison, 1, "accuracy")).toMatchObject({
      paper: 79.5,
      basis: "protocol",
      source: "ours",
      inside: true,
      deviations: [],
      ours: { value: 75, n: 200, interval: "Wilson" },
    });
    expect(cell(comparison, 1, "accuracy").ours!.low).toBeCloseTo(68.57, 1);
    expect(cell(comparison, 1, "accuracy").ours!.high).toBeCloseTo(80.48, 1);
    // One call of 1 cent per question, all alike: an interval of no width that misses the paper's 0.2.
    expect(cell(comparison, 8, "costCents")).toMatchObject({ inside: false });
    expect(cell(comparison, 8, "costCents").ours!.value).toBeCloseTo(1, 9);
  });

  it("never counts a run that departs from the protocol, and names every departure", async () => {
    const judge = { ...config, judge: "other", embeddings: "hash" };
    const comparison = await compared([
      await run({ count: 30, config: judge, corpus: "corpus-2" }),
    ]);
    const { basis, deviations } = cell(comparison, 1, "accuracy");
    expect(basis).toBe("differs");
    expect(deviations).toEqual([
      "embeddings: hash, not e",
      "30 questions, not 200",
      "the corpus is no longer in the home folder",
    ]);
  });

  it("leaves an offline model aside unless it is asked for, and then marks it", async () => {
    const offline = await run({ model: toyModel("offline:extractive", true) });
    const without = await compared([offline]);
    expect(cell(without, 1, "accuracy").ours).toBeUndefined();
    expect(without.offlineRuns).toEqual(["ours"]);
    const marked = await compared([offline], { standIn: "offline:extractive" });
    expect(cell(marked, 1, "accuracy")).toMatchObject({ basis: "stand-in" });
    const notes = wideTable(marked.tables[0]!, values).notes.join(" ");
    expect(notes).toContain("0 of 63 printed numbers are measured as the paper measured them");
    expect(notes).toContain("say nothing of the paper's");
  });

  it("prefers the run with the fewest departures, whatever the order", async () => {
    const [all, part] = [await run(), await run({ name: "part", count: 30 })];
    for (const runs of [
      [all, part],
      [part, all],
    ]) {
      expect(cell(await compared(runs), 1, "accuracy").source).toBe("ours");
    }
  });

  it("says which command fills a gap and what it would cost by Table 8", async () => {
    const { tables } = await compared([]);
    const [fill] = tables.find(({ table }) => table.id === 8)!.fill;
    expect(fill).toMatchObject({
      command: "ritbench run configs/paper/table-8-wixqa.yaml",
      cells: 21,
    });
    // 200 x (0.2 + 2.6 + 6.2 + 1.0 + 2.8 + 7.7 + 4.9) cents.
    expect(fill!.answerUsd).toBeCloseTo(50.8, 6);
    // Builds on WixQA: 85.9 + 106.6 + 15.5, which RIT-RAG and PageIndex share.
    expect(fill!.buildUsd).toBeCloseTo(208, 6);
  });

  it("asks for a score where only that is missing", async () => {
    const ours = await run();
    const methods = { vanilla: ours.manifest.methods[0]!.fingerprint };
    const comparison = await compared([ours], {
      protocols: new Map([
        ["table-10", { name: "table-10", config: config as unknown as Json, methods }],
      ]),
    });
    const table = comparison.tables.find((one) => one.table.id === 10)!;
    const [score, rest] = table.fill;
    expect(score).toMatchObject({ command: "ritbench judge ours --scorers g-e", cells: 7 });
    expect(rest?.command).toContain("ritbench run configs/paper/table-10.yaml");
    // Token recall was scored by rule, so it is there.
    expect(cell(comparison, 10, "tokenRecall")).toMatchObject({ basis: "protocol" });
  });
});

describe("golden files", () => {
  it("are the same bytes whatever the concurrency of the run", async () => {
    for (const concurrency of [1, 7]) {
      const comparison = await compared([await run({ concurrency })]);
      const table = comparison.tables.find((one) => one.table.id === 8)!;
      const rows = table.cells.map((one) => rowOf(one, values));
      const columns = Object.keys(rows[0]!).map((key) => ({ key, label: key }));
      const long = longTable(table, values, false);
      const wide = wideTable(table, values);
      await expect(csvTable({ ...long, rows, columns })).toMatchFileSnapshot("golden/table-8.csv");
      await expect(markdownTable(wide)).toMatchFileSnapshot("golden/table-8.md");
      await expect(latexTable(wide)).toMatchFileSnapshot("golden/table-8.tex");
    }
  });
});
