import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Fingerprint } from "../../core/fingerprint.ts";
import { readFileLines } from "../../core/run-folder/lines.ts";
import { exactMcNemar } from "../../core/statistics/mcnemar.ts";
import { percent, points, pValue } from "../../core/statistics/words.ts";
import type { JudgeCheck } from "./check-judge.ts";

/** One line of a judge's history. */
export interface DriftEntry {
  schema: "ritbench.judge-check/1";
  at: string;
  judge: string;
  model: string | null;
  fingerprint: Fingerprint;
  labelled: Fingerprint;
  n: number;
  scored: number;
  accuracy: number | null;
  kappa: number | null;
  selfConsistency: number | null;
  /** Cases it got wrong or could not judge, to compare case by case. */
  differing: readonly string[];
}

/** Appends a check to its history file. */
export function appendDrift(path: string, check: JudgeCheck, now: Date): DriftEntry {
  const entry: DriftEntry = {
    schema: "ritbench.judge-check/1",
    at: now.toISOString(),
    judge: check.judge,
    model: check.model,
    fingerprint: check.fingerprint,
    labelled: check.labelled.fingerprint,
    n: check.labelled.n,
    scored: check.accuracy.n,
    accuracy: check.accuracy.estimate,
    kappa: check.agreement.kappa,
    selfConsistency: check.selfConsistency,
    differing: check.differing.map(({ id }) => id),
  };
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, `${JSON.stringify(entry)}\n`);
  return entry;
}

/** The history in order; lines that cannot be read are counted. */
export function readDrift(path: string): { entries: DriftEntry[]; unreadable: number } {
  const entries: DriftEntry[] = [];
  let unreadable = 0;
  for (const { bytes } of readFileLines(path)) {
    try {
      const entry = JSON.parse(bytes.toString("utf8")) as DriftEntry;
      if (entry.schema === "ritbench.judge-check/1" && Array.isArray(entry.differing))
        entries.push(entry);
      else unreadable++;
    } catch {
      unreadable++;
    }
  }
  return { entries, unreadable };
}

/** How a check compares with the last one of the same judge and model over the same set; undefined for the first. */
export function driftSentence(
  entries: readonly DriftEntry[],
  current: DriftEntry,
): string | undefined {
  const before = entries.findLast(
    (entry) =>
      entry.judge === current.judge &&
      entry.model === current.model &&
      entry.labelled === current.labelled &&
      entry.at < current.at,
  );
  if (before === undefined || before.accuracy === null || current.accuracy === null)
    return undefined;
  const [was, is] = [new Set(before.differing), new Set(current.differing)];
  const lost = current.differing.filter((id) => !was.has(id)).length;
  const won = before.differing.filter((id) => !is.has(id)).length;
  const changed = before.fingerprint === current.fingerprint ? "the same judge" : "a changed judge";
  if (lost + won === 0) return `no drift since ${before.at}: ${changed} decides every case as then`;
  const p = exactMcNemar(lost, won);
  return `since ${before.at} ${changed} went from ${percent(before.accuracy)} to ${percent(current.accuracy)} (${points(current.accuracy - before.accuracy)}; ${won} cases won, ${lost} lost; exact McNemar ${pValue(p)})`;
}
