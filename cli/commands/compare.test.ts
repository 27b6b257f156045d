import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import { createLexicalJudge } from "../../judges/lexical/lexical.ts";
import { type StoredRunOptions, storedRun } from "../../tests/support/stored-run.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { testIo } from "../../tests/support/test-io.ts";
import { runCli } from "../program.ts";

const GATE = `schema: ritbench.gate/1
accuracy: { allowedLossPoints: 3 }
`;

/** Two stored runs of 40 questions in a home of their own, compared by the command. */
async function compare(
  next: Partial<StoredRunOptions> & Pick<StoredRunOptions, "outcome">,
  flags: readonly string[] = ["--gate", "gate.yaml"],
) {
  const home = temporaryFolder();
  const runsFolder = join(home, "runs");
  writeFileSync(join(home, "gate.yaml"), GATE);
  await storedRun({ runsFolder, name: "base", count: 40, outcome: () => "right" });
  await storedRun({ runsFolder, name: "new", count: 40, ...next });
  const io = testIo({ env: { RITBENCH_HOME: home }, cwd: home, columns: 200 });
  const code = await runCli(["compare", "base", "new", ...flags], io);
  return { code, io };
}

describe("ritbench compare", () => {
  it("exits 0 when nothing was lost", async () => {
    const { code, io } = await compare({ outcome: () => "right" });
    expect(io.stdout).toContain("Gate: fine: of 3 checks 3 fine");
    expect(code).toBe(0);
  });

  it("exits 2 when a run is worse", async () => {
    const { code, io } = await compare({ outcome: (i) => (i <= 8 ? "wrong" : "right") });
    expect(io.stdout).toContain("worse: toy / m / toy:model, accuracy: -20.0 points");
    expect(code).toBe(2);
  });

  it("exits 3 when questions broke", async () => {
    const { code } = await compare({ outcome: (i) => (i === 1 ? "error" : "right") });
    expect(code).toBe(3);
  });

  it("exits 5 when the questions are too few to tell", async () => {
    const { code, io } = await compare({ outcome: (i) => (i <= 2 ? "wrong" : "right") });
    expect(io.stdout).toContain("cannot tell: toy / m / toy:model, accuracy");
    expect(code).toBe(5);
  });

  it("exits 1 when the runs were judged by different rules, and says what to do", async () => {
    const judge = { ...createLexicalJudge(), fingerprint: fingerprint("other rules") };
    const { code, io } = await compare({ outcome: () => "right", judge });
    expect(code).toBe(1);
    expect(io.stderr).toContain("E_COMPARE_JUDGES");
    expect(io.stderr).toContain("ritbench judge");
  });

  it("exits 0 without a gate, whatever was lost", async () => {
    const { code } = await compare({ outcome: () => "wrong" }, []);
    expect(code).toBe(0);
  });

  it("prints one JSON document with the pairs as rows and the gate's checks", async () => {
    const { io } = await compare({ outcome: (i) => (i <= 8 ? "wrong" : "right") }, [
      "--gate",
      "gate.yaml",
      "--json",
    ]);
    const document = JSON.parse(io.stdout);
    expect(document).toMatchObject({
      schema: "ritbench.compare/1",
      rows: [{ mcnemar: { onlyBase: 8, onlyNew: 0 } }],
      gate: { verdict: "worse" },
    });
  });

  it("writes Markdown for a job summary", async () => {
    const { io } = await compare({ outcome: () => "right" }, ["--markdown"]);
    expect(io.stdout).toMatch(/^### new against base/);
    expect(io.stdout).toContain("| toy |");
  });
});
