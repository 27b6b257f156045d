import { nearMiss, RitbenchError } from "../core/errors.ts";
import type { Judge } from "../core/judge.ts";
import { createBinaryJudge } from "./binary/binary.ts";
import { createEvidenceJudge } from "./evidence/evidence.ts";
import { createGeJudge } from "./ge/g-e.ts";
import { createLexicalJudge } from "./lexical/lexical.ts";
import { createLexicalNuggetJudge, createNuggetJudge } from "./nuggets/nuggets.ts";
import {
  createExactMatchJudge,
  createTokenF1Judge,
  createTokenRecallJudge,
} from "./text/answer-overlap.ts";

/** All judges and scorers by name: one line each. */
export const judgeFactories = {
  binary: () => createBinaryJudge(),
  "offline:lexical": createLexicalJudge,
  "token-recall": createTokenRecallJudge,
  "token-f1": createTokenF1Judge,
  "exact-match": createExactMatchJudge,
  evidence: createEvidenceJudge,
  "g-e": () => createGeJudge("ritrag"),
  "g-e:hypergraphrag": () => createGeJudge("hypergraphrag"),
  nuggets: createNuggetJudge,
  "nuggets:lexical": createLexicalNuggetJudge,
} as const satisfies { readonly [name: string]: () => Judge };

export type JudgeName = keyof typeof judgeFactories;

/** Scorers that call no model and so run after every run. */
export const freeScorers: readonly JudgeName[] = ["token-recall", "evidence"];

/** @throws RitbenchError E_JUDGE_UNKNOWN with the nearest name. */
export function createJudge(name: string): Judge {
  if (Object.hasOwn(judgeFactories, name)) return judgeFactories[name as JudgeName]();
  const names = Object.keys(judgeFactories);
  const near = nearMiss(name, names);
  throw new RitbenchError("E_JUDGE_UNKNOWN", `there is no judge ${name}`, {
    expected: `one of ${names.join(", ")}`,
    got: name,
    next: near === undefined ? "choose one of these" : `did you mean ${near}?`,
  });
}
