import { join } from "node:path";
import type { Fingerprint } from "../fingerprint.ts";
import { type Judgement, keyOf, type RecordKey } from "../record.ts";
import { openLineReader, readFileLines } from "./lines.ts";
import { describeKey } from "./order.ts";
import { parseJudgementLine } from "./parse.ts";
import { judgementFileName, RUN_FILES } from "./paths.ts";
import { lineProblem, type RunProblem } from "./problem.ts";

/** What one judge said of the records of a run, by key. */
export interface JudgementTable {
  readonly judge: string;
  /** The fingerprint these judgements carry; undefined when there is none at all. */
  readonly fingerprint: Fingerprint | undefined;
  readonly size: number;
  /** The last judgement of a key, unless the answer it judged has been replaced since. */
  get(key: RecordKey): Judgement | undefined;
  close(): void;
}

/**
 * Opens `judgements/<judge>.jsonl`; an absent file gives an empty table.
 *
 * @param wanted fingerprint to read; absent = the one of the last line.
 * @param inputOf what a judge sees of a key now, to tell judgements of replaced answers.
 * @param numberOf number of the record with a key, so that a large table holds numbers instead of keys.
 */
export function openJudgements(
  folder: string,
  judge: string,
  wanted: Fingerprint | undefined,
  inputOf: (key: RecordKey) => Fingerprint | undefined,
  numberOf: (key: string) => number | undefined,
  problems: RunProblem[],
): JudgementTable {
  const name = judgementFileName(judge);
  const path = join(folder, RUN_FILES.judgements, name);
  const rowName = (key: RecordKey): number | string => {
    const text = keyOf(key);
    return numberOf(text) ?? text;
  };
  const offsets: number[] = [];
  const lengths: number[] = [];
  const rows = new Map<Fingerprint, Map<number | string, number>>();
  let last: Fingerprint | undefined;
  for (const line of readFileLines(path)) {
    const parsed = parseJudgementLine(line.bytes);
    if (!parsed.ok) {
      problems.push(lineProblem(`${RUN_FILES.judgements}/${name}`, line, parsed));
      continue;
    }
    last = parsed.value.judgeFingerprint;
    const table = rows.get(last) ?? new Map<number | string, number>();
    rows.set(last, table);
    table.set(rowName(parsed.value), offsets.length);
    offsets.push(line.offset);
    lengths.push(line.bytes.length);
  }
  const fingerprint = wanted ?? last;
  const table = (fingerprint && rows.get(fingerprint)) ?? new Map<number | string, number>();
  const reader = openLineReader(path);
  return {
    judge,
    fingerprint,
    size: table.size,
    get(key) {
      const row = table.get(rowName(key));
      if (row === undefined) return undefined;
      const bytes = reader.read(offsets[row]!, lengths[row]!);
      const judgement = JSON.parse(bytes.toString("utf8")) as Judgement;
      if (judgement.input === undefined || judgement.input === inputOf(key)) return judgement;
      problems.push({
        kind: "stale_judgement",
        where: `${describeKey(key)} by ${judge}`,
        detail: judge,
      });
      return undefined;
    },
    close: () => reader.close(),
  };
}

/** The judge a file of judgements belongs to: file names are not reversible, so its first line says. */
export function judgeOfFile(path: string): string | undefined {
  for (const line of readFileLines(path)) {
    const parsed = parseJudgementLine(line.bytes);
    if (parsed.ok) return parsed.value.judge;
  }
  return undefined;
}
