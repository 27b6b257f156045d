import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fingerprint } from "../../core/fingerprint.ts";
import type { Judge } from "../../core/judge.ts";
import { seededRandom } from "../../core/statistics/random.ts";
import { scriptedModel } from "../../tests/support/scripted-model.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { createBinaryJudge } from "../binary/binary.ts";
import { createLexicalJudge } from "../lexical/lexical.ts";
import { checkJudge } from "./check-judge.ts";
import { appendDrift, driftSentence, readDrift } from "./drift.ts";
import { readLabelledSet } from "./labelled.ts";

const labelled = readLabelledSet();
const labelOf = new Map(labelled.cases.map(({ id, correct }) => [id, correct]));

/** A judge that decides by a case's id and the number of times it was asked. */
function scripted(decide: (id: string, asked: number) => boolean | null): Judge {
  const asked = new Map<string, number>();
  return {
    name: "scripted",
    fingerprint: fingerprint("scripted"),
    needsModel: false,
    async judge({ id }) {
      const times = asked.get(id) ?? 0;
      asked.set(id, times + 1);
      const correct = decide(id, times);
      return {
        value:
          correct === null ? { kind: "unscored", reason: "parse" } : { kind: "verdict", correct },
      };
    },
  };
}

describe("labelled set", () => {
  it("holds at least 120 cases over four styles, right, wrong and borderline, each with a reason", () => {
    const { cases } = labelled;
    expect(cases.length).toBeGreaterThanOrEqual(120);
    for (const style of ["wixqa", "qasper", "financebench", "entqabench"]) {
      const own = cases.filter((one) => one.style === style);
      expect(own.length).toBeGreaterThanOrEqual(30);
      for (const correct of [true, false]) {
        expect(own.filter((one) => one.correct === correct).length).toBeGreaterThanOrEqual(12);
      }
      expect(own.some(({ borderline }) => borderline)).toBe(true);
    }
    for (const { reason } of cases) expect(reason).not.toBe("");
  });

  it("names file, line and field of a faulty set", () => {
    const path = join(temporaryFolder(), "mine.jsonl");
    writeFileSync(path, `${JSON.stringify({ ...labelled.cases[0], correct: "yes" })}\n`);
    expect(() => readLabelledSet(path)).toThrow(
      expect.objectContaining({
        code: "E_LABELLED_SET",
        details: expect.objectContaining({ where: `${path}:1`, expected: "correct: boolean" }),
      }),
    );
  });
});

describe("checkJudge", () => {
  it("gives a perfect judge 1 and kappa 1", async () => {
    const check = await checkJudge(scripted((id) => labelOf.get(id)!));
    expect(check).toMatchObject({
      accuracy: { estimate: 1, n: 128 },
      agreement: { kappa: 1 },
      selfConsistency: 1,
      differing: [],
    });
  });

  it("gives a constant judge kappa 0 and the base rate", async () => {
    const check = await checkJudge(scripted(() => true));
    expect(check.agreement.kappa).toBe(0);
    expect(check.accuracy.estimate).toBe(check.baseRate);
    expect(check.selfConsistency).toBe(1);
    expect(check.total).toMatchObject({ trueNegatives: 0, falseNegatives: 0 });
    expect(check.byKind.find(({ name }) => name === "near-miss")).toMatchObject({
      truePositives: 0,
    });
  });

  it("finds a random judge near kappa 0 and inconsistent", async () => {
    const random = seededRandom(3);
    const check = await checkJudge(scripted(() => random.below(2) === 1));
    expect(Math.abs(check.agreement.kappa!)).toBeLessThan(0.25);
    expect(check.selfConsistency!).toBeGreaterThan(0.3);
    expect(check.selfConsistency!).toBeLessThan(0.7);
  });

  it("counts what a judge could not decide beside the share, by kind", async () => {
    const check = await checkJudge(
      scripted((id) => (id.startsWith("qasper") ? null : labelOf.get(id)!)),
    );
    expect(check.accuracy).toMatchObject({
      n: 96,
      total: 128,
      estimate: 1,
      unscored: { parse: 32 },
    });
    expect(check.byStyle.find(({ name }) => name === "qasper")).toMatchObject({
      n: 32,
      unscored: 32,
    });
    expect(check.differing).toHaveLength(32);
  });

  it("keeps going when a judge throws", async () => {
    const broken = scripted(() => {
      throw new Error("no");
    });
    const check = await checkJudge(broken, { repeats: 1 });
    expect(check).toMatchObject({
      accuracy: { estimate: null, unscored: { judge_error: 128 } },
      agreement: { kappa: null },
      selfConsistency: null,
    });
  });

  it("asks a model of its own for each repeat", async () => {
    const models = [0, 1].map((repeat) =>
      scriptedModel(() => ({ content: repeat === 0 ? "True" : "False" })),
    );
    const check = await checkJudge(createBinaryJudge(), { modelFor: (repeat) => models[repeat]! });
    expect(models.map(({ requests }) => requests.length)).toEqual([128, 128]);
    expect(check).toMatchObject({
      model: "scripted:test",
      selfConsistency: 0,
      agreement: { kappa: 0 },
    });
  });

  it("shows what the offline judge is worth: better than chance, not perfect, and steady", async () => {
    const check = await checkJudge(createLexicalJudge());
    expect(check.selfConsistency).toBe(1);
    expect(check.agreement.kappa!).toBeGreaterThan(0.4);
    expect(check.clearCases.estimate!).toBeGreaterThan(0.75);
    expect(check.differing.length).toBeGreaterThan(0);
  });
});

describe("drift history", () => {
  it("compares with the last check of the same judge, model and set, case by case", async () => {
    const path = join(temporaryFolder(), "history", "drift.jsonl");
    const perfect = await checkJudge(scripted((id) => labelOf.get(id)!));
    const worse = await checkJudge(
      scripted((id) => (id.startsWith("wixqa") ? !labelOf.get(id) : labelOf.get(id)!)),
    );
    const first = appendDrift(path, perfect, new Date("2026-01-01T00:00:00Z"));
    expect(driftSentence(readDrift(path).entries, first)).toBeUndefined();
    const second = appendDrift(path, worse, new Date("2026-01-02T00:00:00Z"));
    expect(driftSentence(readDrift(path).entries, second)).toBe(
      "since 2026-01-01T00:00:00.000Z the same judge went from 100.0% to 75.0% (-25.0 points; 0 cases won, 32 lost; exact McNemar p < 0.001)",
    );
    const third = appendDrift(path, worse, new Date("2026-01-03T00:00:00Z"));
    appendFileSync(path, "torn");
    const { entries, unreadable } = readDrift(path);
    expect([entries.length, unreadable]).toEqual([3, 1]);
    expect(driftSentence(entries, third)).toMatch(/^no drift since 2026-01-02/);
  });
});
