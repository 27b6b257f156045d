import { classifyFailure, type FailureKind } from "../../core/analysis/failure.ts";
import type { Judgement, JudgementValue, RunRecord } from "../../core/record.ts";
import type { JudgementTable } from "../../core/run-folder/judgements.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { verdictJudge } from "../leaderboard/summarise.ts";

/** All judgements of a run, opened once. */
export interface RunJudgements {
  verdict(record: RunRecord): JudgementValue | undefined;
  evidence(record: RunRecord): Judgement | undefined;
  failure(record: RunRecord): FailureKind;
  /** Every judge's judgement of a record: the verdict first, then by name. */
  all(record: RunRecord): Judgement[];
}

const EVIDENCE = "evidence";

export function openRunJudgements(run: StoredRun): RunJudgements {
  const verdictName = verdictJudge(run);
  const tables = new Map<string, JudgementTable>();
  for (const judge of run.judges()) tables.set(judge, run.judgements(judge));
  const first = verdictName === undefined ? undefined : tables.get(verdictName);
  const others = [...tables.values()].filter((table) => table !== first);
  const verdict = (record: RunRecord) => first?.get(record)?.value;
  const evidence = (record: RunRecord) => tables.get(EVIDENCE)?.get(record);
  return {
    verdict,
    evidence,
    failure: (record) =>
      classifyFailure({ record, verdict: verdict(record), evidence: evidence(record) }),
    all: (record) =>
      [...(first === undefined ? [] : [first]), ...others].flatMap(
        (table) => table.get(record) ?? [],
      ),
  };
}
