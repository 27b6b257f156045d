import type { Parsed } from "./parse.ts";

/** What can be wrong with a stored run without making it useless. */
export type RunProblemKind =
  | "other_version"
  | "torn_line"
  | "unreadable_line"
  | "missing_trace"
  | "unreadable_trace"
  | "no_gold"
  | "no_question"
  | "stale_judgement";

/** One fault, named: a file and line, or a question. */
export interface RunProblem {
  kind: RunProblemKind;
  where: string;
  detail: string;
}

const PHRASES: { readonly [kind in RunProblemKind]: string } = {
  other_version: "written by another version",
  torn_line: "torn last line (the writer died half way)",
  unreadable_line: "unreadable line",
  missing_trace: "record without its trace",
  unreadable_trace: "unreadable trace",
  no_gold: "question without gold answers",
  no_question: "record whose question is not stored with the run",
  stale_judgement: "judgement of an answer that has been replaced",
};

export interface ProblemCount {
  kind: RunProblemKind;
  count: number;
  /** The first place it was seen. */
  first: string;
  /** `3 x unreadable line (first: records.jsonl:7)`. */
  sentence: string;
}

/** Problems by kind, in the order in which the kinds first appear; the same place counts once. */
export function countProblems(problems: readonly RunProblem[]): ProblemCount[] {
  // Traces and judgements are read several times, and each time the same fault is named.
  const byKind = new Map<RunProblemKind, Set<string>>();
  for (const { kind, where } of problems) {
    const same = byKind.get(kind);
    if (same === undefined) byKind.set(kind, new Set([where]));
    else same.add(where);
  }
  return [...byKind].map(([kind, places]) => {
    const [first = ""] = places;
    const sentence = `${places.size} x ${PHRASES[kind]} (first: ${first})`;
    return { kind, count: places.size, first, sentence };
  });
}

/** A problem for a line that did not parse: torn when it is the unfinished end of the file. */
export function lineProblem(
  file: string,
  line: { number: number; terminated: boolean },
  parsed: Extract<Parsed<unknown>, { ok: false }>,
): RunProblem {
  const kind =
    parsed.reason === "version"
      ? "other_version"
      : parsed.reason === "json" && !line.terminated
        ? "torn_line"
        : "unreadable_line";
  return { kind, where: `${file}:${line.number}`, detail: parsed.got };
}
