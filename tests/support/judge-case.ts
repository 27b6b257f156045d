import type { JudgeContext } from "../../core/judge.ts";
import type { RunRecord } from "../../core/record.ts";
import { oneCall } from "./run-fixture.ts";

export { question } from "./run-fixture.ts";

/** A stored record with an answer, for judges. */
export function record(answer: string, more: Partial<RunRecord> = {}): RunRecord {
  return {
    schema: "ritbench.record/1",
    dataset: "toy",
    method: "toy-method",
    model: "toy:model",
    questionId: "q1",
    repeat: 0,
    outcome: answer.trim() === "" ? "empty" : "answered",
    answer,
    reasoning: "",
    sources: [],
    flags: [],
    reads: [],
    shownNodes: [],
    toolCalls: {},
    modelCalls: 1,
    usage: oneCall,
    wallMs: 1,
    trace: "t.json",
    ...more,
  };
}

export function judgeContext(more: Partial<JudgeContext> = {}): JudgeContext {
  return { signal: new AbortController().signal, ...more };
}
