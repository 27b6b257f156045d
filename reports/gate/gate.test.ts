import { describe, expect, it } from "vitest";
import { openRun } from "../../core/run-folder/open-run.ts";
import { type StoredRunOptions, storedRun } from "../../tests/support/stored-run.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { compareRuns } from "../compare/compare-runs.ts";
import { applyGate } from "./gate.ts";
import { comparisonMarkdown } from "./gate-table.ts";
import { pairedBounds, questionsNeeded } from "./paired-bounds.ts";
import { parseGate } from "./rules.ts";

const rules = (accuracy: number, more: object = {}) =>
  parseGate(
    { schema: "ritbench.gate/1", accuracy: { allowedLossPoints: accuracy }, ...more },
    "gate.yaml",
  );

/** Both runs over `count` questions; the first `lost` are right only in the base, the next `won` only in the new one. */
async function compared(
  count: number,
  lost: number,
  won: number,
  more: Partial<StoredRunOptions> = {},
) {
  const runsFolder = temporaryFolder();
  const base = await storedRun({
    runsFolder,
    name: "base",
    count,
    outcome: (i) => (i > lost && i <= lost + won ? "wrong" : "right"),
  });
  const next = await storedRun({
    runsFolder,
    name: "new",
    count,
    outcome: (i) => (i <= lost ? "wrong" : "right"),
    ...more,
  });
  return compareRuns(openRun(base.folder), openRun(next.folder), { resamples: 200 });
}

describe("applyGate", () => {
  it("lets a run pass that lost nothing", async () => {
    const gate = applyGate(await compared(40, 0, 2), rules(1));
    expect(gate.verdict).toBe("fine");
    expect(gate.checks.find(({ check }) => check === "accuracy")?.sentence).toBe(
      "+5.0 points on 40 questions, -1.0 points allowed; no question was lost",
    );
  });

  it("calls a loss worse that is both larger than allowed and beyond chance", async () => {
    // 8 lost, none won: exact McNemar p = 2 / 2^8 = 0.0078.
    const gate = applyGate(await compared(40, 8, 0), rules(3));
    expect(gate.verdict).toBe("worse");
    expect(gate.checks.find(({ check }) => check === "accuracy")?.sentence).toBe(
      "-20.0 points on 40 questions, -3.0 points allowed; the loss stands (p = 0.008)",
    );
  });

  it("cannot tell where the loss may be chance, and says how many questions would tell", async () => {
    // 3 lost, 1 won: p = 0.625. Share of changed sides 0.1; 1.645^2 * 0.1 / 0.03^2 = 300.6.
    const gate = applyGate(await compared(40, 3, 1), rules(3));
    expect(gate.verdict).toBe("cannot_tell");
    expect(gate.checks.find(({ check }) => check === "accuracy")?.sentence).toContain(
      "about 301 questions would tell",
    );
  });

  it("passes the same loss when it is allowed with room for chance", async () => {
    expect(applyGate(await compared(40, 3, 1), rules(20)).verdict).toBe("fine");
  });

  it("decides nothing on few questions, but sees a collapse even there", async () => {
    expect(applyGate(await compared(10, 0, 0), rules(3)).verdict).toBe("cannot_tell");
    expect(applyGate(await compared(10, 10, 0), rules(3)).verdict).toBe("worse");
  });

  it("puts broken questions above everything else", async () => {
    const comparison = await compared(40, 8, 0, {
      outcome: (i) => (i <= 8 ? "error" : "right"),
    });
    const gate = applyGate(comparison, rules(3));
    expect(gate.verdict).toBe("errors");
    expect(gate.checks[0]?.sentence).toBe(
      "8 of 40 questions broke now and not before (allowed 0.0%)",
    );
  });

  it("counts answers without a verdict", async () => {
    const comparison = await compared(40, 0, 0, {
      judge: {
        name: "offline:lexical",
        fingerprint: (await import("../../judges/lexical/lexical.ts")).createLexicalJudge()
          .fingerprint,
        needsModel: false,
        judge: async (question) =>
          Number(question.id.slice(1)) <= 4
            ? { value: { kind: "unscored", reason: "parse" } }
            : { value: { kind: "verdict", correct: true } },
      },
    });
    expect(applyGate(comparison, rules(3)).verdict).toBe("errors");
    expect(applyGate(comparison, rules(3, { errors: { maxUnscoredShare: 0.1 } })).verdict).toBe(
      "fine",
    );
  });

  it("judges measures relative to the base", async () => {
    const comparison = await compared(40, 8, 0);
    const recall = { measures: { tokenRecall: { allowedWorsening: 0.05 } } };
    const check = (allowed: number) =>
      applyGate(
        comparison,
        rules(100, { measures: { tokenRecall: { allowedWorsening: allowed } } }),
      ).checks.find((one) => one.check === "token recall");
    expect(check(0.05)?.verdict).toBe("worse");
    expect(check(0.9)?.verdict).toBe("fine");
    expect(applyGate(comparison, rules(100, recall)).verdict).toBe("worse");
  });

  it("cannot tell where a measure is on one side only", async () => {
    const gate = applyGate(
      await compared(40, 0, 0),
      rules(100, { measures: { recall: { allowedWorsening: 0.05 } } }),
    );
    expect(gate.checks.at(-1)).toMatchObject({
      verdict: "cannot_tell",
      sentence: "evidence recall is not measured on both sides",
    });
  });

  it("summarises in Markdown with nothing that could act in a page", async () => {
    const comparison = await compared(40, 8, 0);
    const markdown = comparisonMarkdown(comparison, applyGate(comparison, rules(3)));
    expect(markdown).toContain("### Gate: worse: of 3 checks 1 worse, 2 fine");
    expect(markdown).toContain("### new against base");
    expect(markdown).not.toMatch(/<[a-z]/i);
  });
});

describe("gate files", () => {
  it("names a field that does not fit and a measure that is not there", () => {
    const fault = (value: object) => {
      try {
        parseGate({ schema: "ritbench.gate/1", ...value }, "gate.yaml");
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(fault({ acuracy: {} })).toMatchObject({ code: "E_GATE_FILE" });
    expect(fault({ measures: { toolCalls: { allowedWorsening: 1 } } })).toMatchObject({
      code: "E_GATE_FILE",
      details: { where: "gate.yaml: measures.toolCalls" },
    });
  });
});

describe("pairedBounds", () => {
  it("equals the hand-worked interval", () => {
    // n 40, lost 3, won 1: (1.5 - 3.5) / 42 = -0.0476; variance (5 - 4/42) / 42^2; z 1.6449.
    const { low, high } = pairedBounds({ n: 40, onlyBase: 3, onlyNew: 1 }, 0.05);
    expect(low).toBeCloseTo(-0.13435, 4);
    expect(high).toBeCloseTo(0.0391, 4);
  });

  it("has a width where nothing changed sides", () => {
    const { low, high } = pairedBounds({ n: 20, onlyBase: 0, onlyNew: 0 }, 0.05);
    expect(high).toBeCloseTo(1.6449 / 22, 4);
    expect(low).toBeCloseTo(-1.6449 / 22, 4);
  });

  it("asks for more questions as the margin shrinks", () => {
    expect(questionsNeeded(0.1, 0.03, 0.05)).toBe(301);
    expect(questionsNeeded(0.1, 0.015, 0.05)).toBe(1203);
  });
});
