import { describe, expect, it } from "vitest";
import { cli, samplesFolder } from "../support/cli.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface QuickstartJson {
  unfit: { dataset: string; method: string }[];
  rows: { dataset: string; method: string; outcomes: string | null; nTotal: number | null }[];
  ledger: { role: string; model: string }[];
  offline: boolean;
}

const GRAPH_AND_PAGES = ["hypergraph-rag", "cog-rag", "page-index"];

describe("the quickstart", () => {
  it("runs all seven methods with their builds over the four sample corpora", async () => {
    const argv = [
      "run",
      "configs/quickstart.yaml",
      "--data",
      samplesFolder,
      "--limit",
      "2",
      "--json",
    ];
    const { code, json } = await cli(temporaryFolder(), argv);
    const { unfit, rows, ledger, offline } = json<QuickstartJson>();
    expect(code).toBe(0);
    expect(offline).toBe(true);
    expect(rows).toHaveLength(7 * 4);
    expect(unfit.map(({ dataset, method }) => [dataset, method])).toEqual(
      GRAPH_AND_PAGES.map((method) => ["entqabench", method]),
    );
    for (const { dataset, method, nTotal, outcomes } of rows) {
      const fits = dataset !== "entqabench" || !GRAPH_AND_PAGES.includes(method);
      expect([dataset, method, nTotal]).toEqual([dataset, method, fits ? 2 : null]);
      if (fits) expect(outcomes).not.toContain("error");
    }
    expect(ledger.map(({ role }) => role).sort()).toEqual(["answer", "build"]);
  });
});
