import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../core/record.ts";
import { goodReply, isJudge, type ModelLab, modelLab, questionOf } from "../support/model-lab.ts";

/** Questions whose answer is on disk, each once. */
function stored(lab: ModelLab): string[] {
  const keys = lab.records().map(keyOf);
  expect(new Set(keys).size).toBe(keys.length);
  return lab.records().map(({ questionId }) => questionId);
}

// Children of a busy machine start slowly.
describe("work that was paid for is kept", { timeout: 120_000 }, () => {
  it("asks exactly the 13 of 20 questions that kill -9 had left open", async () => {
    const lab = await modelLab();
    let hold = false;
    lab.server.answer((call) => {
      if (lab.answerCalls().length > 7) hold = true;
      return hold ? { fault: "hang" } : goodReply(call);
    });
    const { child, ended } = lab.spawnRun("--concurrency", "1");
    while (lab.records().length < 7 && child.exitCode === null) await sleep(20);
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(stored(lab)).toHaveLength(7);
    const before = lab.answerCalls().length;
    lab.server.answer(goodReply);
    const { code, stderr } = await lab.run();
    expect(code).toBe(0);
    expect(stderr).toContain("continuing lab");
    expect(lab.answerCalls().length - before).toBe(13);
    expect(stored(lab)).toHaveLength(20);
  });

  it("makes no generator call after a judge that failed on question 5", async () => {
    const lab = await modelLab({ questions: 8, yaml: "limits: {maxRetries: 0}\n" });
    const judged = ["--judge", lab.judgeModel, "--json"];
    lab.server.answer((call) =>
      isJudge(call) && questionOf(call) === "q05"
        ? { status: 500, message: "the judge fell over" }
        : goodReply(call),
    );
    const first = await lab.run(...judged);
    expect(first.json<{ rows: object[] }>().rows[0]).toMatchObject({ nScored: 7, nTotal: 8 });
    expect(lab.answerCalls()).toHaveLength(8);
    lab.server.answer(goodReply);
    const judgedBefore = lab.judgeCalls().length;
    const second = await lab.run(...judged);
    expect(second.code).toBe(0);
    expect(second.json<{ rows: object[] }>().rows[0]).toMatchObject({ nScored: 8, nTotal: 8 });
    expect(lab.answerCalls()).toHaveLength(8);
    expect(lab.judgeCalls().length - judgedBefore).toBe(1);
  });

  it("keeps every old row when --retry-errors is killed half way", async () => {
    const lab = await modelLab({ questions: 10, yaml: "limits: {maxRetries: 0}\n" });
    lab.server.answer((call) =>
      Number(questionOf(call).slice(1)) > 6 ? { status: 500 } : goodReply(call),
    );
    const first = await lab.run();
    expect(first.code).toBe(3);
    expect(stored(lab)).toHaveLength(10);
    let retried = 0;
    lab.server.answer((call) => (++retried > 2 ? { fault: "hang" } : goodReply(call)));
    const { child, ended } = lab.spawnRun("--retry-errors", "--concurrency", "1");
    while (lab.records().length < 12 && child.exitCode === null) await sleep(20);
    child.kill("SIGKILL");
    await ended;
    const { json } = await lab.run("--json");
    expect(json()).toMatchObject({ planned: 10, kept: 10, executed: 0 });
    expect(json<{ rows: { errors: number }[] }>().rows[0]?.errors).toBe(2);
  });
});
