import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../core/model-error.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import {
  type Answering,
  bareResources,
  openToyStore,
  question,
  questions,
  type ToyRun,
  toyMethod,
  toyModel,
  toyPlan,
} from "../../tests/support/run-fixture.ts";
import { temporaryFolder } from "../../tests/support/temporary-folder.ts";
import { type ExecuteOptions, executeRun } from "./execute.ts";

async function runToy(folder: string, run: ToyRun = {}, options: Partial<ExecuteOptions> = {}) {
  const plan = toyPlan(run);
  const store = await openToyStore(folder, plan);
  try {
    const signal = new AbortController().signal;
    return await executeRun({ plan, store, concurrency: 4, signal, ...options });
  } finally {
    store.close();
  }
}

/** Answers that fail for some questions, and the ids asked. */
function failing(bad: (id: string) => unknown): { answering: Answering; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    answering: (id) => {
      asked.push(id);
      const error = bad(id);
      if (error !== undefined) throw error;
      return `gold ${id}`;
    },
  };
}

describe("executeRun", () => {
  it("stores one record and one trace per question, added up from the trace", async () => {
    const folder = temporaryFolder();
    const result = await runToy(folder);
    expect(result).toMatchObject({ status: "finished", planned: 4, executed: 4, kept: 0 });
    expect(result.outcomes).toEqual({ answered: 4 });
    expect(result.costUsd).toBeCloseTo(0.04, 12);
    const run = openRun(result.folder);
    expect(run.problems).toEqual([]);
    const [record] = [...run.records()];
    expect(record).toMatchObject({
      questionId: "q1",
      outcome: "answered",
      answer: "gold q1",
      shownNodes: ["d_0001"],
      toolCalls: { get_content: 1 },
      modelCalls: 1,
    });
    expect(record!.reads).toHaveLength(1);
    expect(run.trace(record!)?.events.map((event) => event.type)).toEqual([
      "shown",
      "read",
      "tool_call",
      "model_call",
    ]);
    expect(run.manifest.status).toBe("finished");
  });

  it("gives methods neither gold nor evidence", async () => {
    const method = toyMethod();
    const seen: unknown[] = [];
    const spying = {
      ...method,
      answer: (asked: never, context: never) => {
        seen.push(Object.keys(asked).sort());
        return method.answer(asked, context);
      },
    };
    await runToy(temporaryFolder(), { method: spying, count: 1 });
    expect(seen).toEqual([["id", "text"]]);
  });

  it("turns failures into outcomes and goes on", async () => {
    const { answering } = failing((id) =>
      id === "q1"
        ? new ModelError("context_overflow", "too long")
        : id === "q2"
          ? new ModelError("server", "503", {}, { ...usageOf(7) })
          : id === "q3"
            ? new TypeError("oops")
            : undefined,
    );
    const folder = temporaryFolder();
    const result = await runToy(folder, { method: toyMethod(answering) });
    const records = [...openRun(result.folder).records()];
    expect(records.map((record) => [record.outcome, record.error?.code])).toEqual([
      ["context_overflow", "E_MODEL_CONTEXT_OVERFLOW"],
      ["error", "E_MODEL_SERVER"],
      ["error", "E_CRASH"],
      ["answered", undefined],
    ]);
    expect(records[1]!.usage.outputTokens).toBe(7);
    const trace = openRun(result.folder).trace(records[2]!);
    expect(JSON.stringify(trace?.events.at(-1))).toContain("execute.test.ts");
  });

  it("calls a blank answer empty", async () => {
    const result = await runToy(temporaryFolder(), { method: toyMethod(() => "  "), count: 1 });
    expect(result.outcomes).toEqual({ empty: 1 });
  });

  it("resumes without asking anything twice", async () => {
    const folder = temporaryFolder();
    await runToy(folder, { limit: 2 });
    const { answering, asked } = failing(() => undefined);
    const result = await runToy(folder, { method: toyMethod(answering) });
    expect(asked.sort()).toEqual(["q3", "q4"]);
    expect(result).toMatchObject({ kept: 2, executed: 2, planned: 4 });
  });

  it("asks exactly the 13 missing of 20 questions after SIGKILL", () => {
    const folder = temporaryFolder();
    const worker = fileURLToPath(new URL("../../tests/support/run-worker.ts", import.meta.url));
    const start = (...rest: string[]) =>
      spawnSync(process.execPath, ["--import", "tsx", worker, folder, ...rest], {
        encoding: "utf8",
      });
    expect(start("7").signal).toBe("SIGKILL");
    const second = start();
    expect(second.stderr).toBe("");
    expect(second.status).toBe(0);
    const generations = readFileSync(join(folder, "generations.txt"), "utf8").trim().split("\n");
    expect(generations).toHaveLength(20);
    expect(new Set(generations).size).toBe(20);
    const run = openRun(join(folder, "toy-run"));
    expect(run.keys.map((key) => key.questionId)).toEqual(questions(20).map(({ id }) => id));
    expect(run.problems).toEqual([]);
  });

  it("cuts off a torn last line, says so, and asks that question again", async () => {
    const folder = temporaryFolder();
    const first = await runToy(folder, { count: 3 });
    const path = join(first.folder, "records.jsonl");
    const lines = readFileSync(path, "utf8").trim().split("\n");
    writeFileSync(path, `${lines[0]}\n${lines[1]}\n${lines[2]!.slice(0, 40)}`);
    const again = await runToy(folder, { count: 3 });
    expect(again).toMatchObject({ kept: 2, executed: 1 });
    expect(again.problems).toMatchObject([{ kind: "torn_line" }]);
    expect(openRun(first.folder).keys).toHaveLength(3);
  });

  it("names and counts a line in the middle that is no record", async () => {
    const folder = temporaryFolder();
    const { folder: run } = await runToy(folder, { limit: 2 });
    appendFileSync(join(run, "records.jsonl"), "not json\n");
    const result = await runToy(folder);
    expect(result).toMatchObject({ kept: 2, executed: 2 });
    expect(result.problems).toMatchObject([
      { kind: "unreadable_line", where: "records.jsonl:3", detail: "not json" },
    ]);
  });

  it("replaces errors only by successes", async () => {
    const folder = temporaryFolder();
    const down = failing((id) => (id === "q1" || id === "q2" ? new Error("down") : undefined));
    await runToy(folder, { method: toyMethod(down.answering) });
    const half = failing((id) => (id === "q2" ? new Error("still down") : undefined));
    expect((await runToy(folder, { method: toyMethod(half.answering) })).executed).toBe(0);
    const retry = await runToy(
      folder,
      { method: toyMethod(half.answering) },
      { retryErrors: true },
    );
    expect(half.asked.sort()).toEqual(["q1", "q2"]);
    expect(retry).toMatchObject({ executed: 1, retriesFailed: 1 });
    const run = openRun(retry.folder);
    expect([...run.records()].map((record) => record.error?.message ?? record.answer)).toEqual([
      "gold q1",
      "down",
      "gold q3",
      "gold q4",
    ]);
  });

  it("stops at the cap, keeps what is finished, and goes on after a raise", async () => {
    const folder = temporaryFolder();
    let calls = 0;
    const capped: Answering = (id) => {
      if (++calls > 2) throw new ModelError("budget", "cap of $0.02 reached");
      return `gold ${id}`;
    };
    const result = await runToy(
      folder,
      { method: toyMethod(capped), count: 6 },
      { concurrency: 1 },
    );
    expect(result).toMatchObject({ status: "budget", executed: 2, budget: "cap of $0.02 reached" });
    expect(calls).toBe(3);
    expect(openRun(result.folder).manifest.status).toBe("budget");
    expect(await runToy(folder, { count: 6 })).toMatchObject({ status: "finished", executed: 4 });
  });

  it("keeps finished records when it is stopped, also by a method that does not listen", async () => {
    const folder = temporaryFolder();
    const controller = new AbortController();
    const answering: Answering = async (id) => {
      if (id !== "q2") return `gold ${id}`;
      controller.abort();
      return new Promise<string>(() => {});
    };
    const result = await runToy(
      folder,
      { method: toyMethod(answering) },
      { concurrency: 1, signal: controller.signal },
    );
    expect(result).toMatchObject({ status: "interrupted", executed: 1 });
    expect(openRun(result.folder).keys.map((key) => key.questionId)).toEqual(["q1"]);
  });

  it("reads the same whatever the concurrency", async () => {
    const slow: Answering = async (id) => {
      await new Promise((resolve) => setTimeout(resolve, (Number(id.slice(1)) * 7) % 5));
      return `gold ${id}`;
    };
    const read = async (concurrency: number) => {
      const folder = temporaryFolder();
      const run = { method: toyMethod(slow), count: 12, repeats: 2 };
      const result = await runToy(folder, run, { concurrency, now: () => 0 });
      return [...openRun(result.folder).records()];
    };
    expect(await read(16)).toEqual(await read(1));
  });

  it("counts questions that cannot be run and never asks them", async () => {
    const { answering, asked } = failing(() => undefined);
    const method = toyMethod(answering);
    const all = [question("q1", { notRunnable: "filing absent" }), question("q2")];
    const dataset = { name: "toy", shared: bareResources(), questions: all, methods: [method] };
    const result = await runToy(temporaryFolder(), { datasets: [dataset] });
    expect(asked).toEqual(["q2"]);
    expect(result.notRunnable).toEqual({ toy: 1 });
  });

  it("leaves out methods that do not fit and says why", async () => {
    const unfit = {
      ...toyMethod(),
      name: "page-index",
      fits: () => ({ fits: false as const, reason: "a portal" }),
    };
    const dataset = {
      name: "toy",
      shared: bareResources(),
      questions: questions(2),
      methods: [toyMethod(), unfit],
    };
    const result = await runToy(temporaryFolder(), { datasets: [dataset] });
    expect(result.planned).toBe(2);
    expect(result.unfit).toEqual([{ dataset: "toy", method: "page-index", reason: "a portal" }]);
    const { manifest } = openRun(result.folder);
    expect(manifest.methods[1]).toMatchObject({ name: "page-index", unfit: { toy: "a portal" } });
  });

  it("refuses a run without a question", () => {
    expect(() => toyPlan({ count: 0 })).toThrow(
      expect.objectContaining({ code: "E_RUN_NO_QUESTIONS" }),
    );
    expect(() => toyPlan({ questionIds: ["q99"] })).toThrow(
      expect.objectContaining({ code: "E_QUESTION_UNKNOWN" }),
    );
  });

  it("prices offline models hypothetically, and only them", async () => {
    const price = { hypotheticalPrice: { inputUsdPerMillion: 0.76, outputUsdPerMillion: 3.8 } };
    const cost = async (offline: boolean) => {
      const run = { count: 1, models: [toyModel("toy:m", offline)] };
      const result = await runToy(temporaryFolder(), run, price);
      return [...openRun(result.folder).records()][0]!.costAtHaikuUsd;
    };
    // 1000 x 0.76 / 1e6 + 100 x 3.80 / 1e6
    expect(await cost(true)).toBeCloseTo(0.00114, 12);
    expect(await cost(false)).toBeUndefined();
  });

  it("builds each method once before its questions, and not when nothing is open", async () => {
    const folder = temporaryFolder();
    const order: string[] = [];
    const method = {
      ...toyMethod((id) => {
        order.push(id);
        return id;
      }),
      build: async () => {
        order.push("build");
      },
    };
    const dataset = {
      name: "toy",
      shared: bareResources(),
      questions: questions(2),
      methods: [method],
      buildContext: () => ({}) as never,
    };
    await runToy(folder, { datasets: [dataset] }, { concurrency: 1 });
    await runToy(folder, { datasets: [dataset] }, { concurrency: 1 });
    expect(order).toEqual(["build", "q1", "q2"]);
  });

  it("reports progress with money and an end in sight", async () => {
    const seen: string[] = [];
    let clock = 0;
    await runToy(
      temporaryFolder(),
      { count: 3 },
      {
        concurrency: 1,
        now: () => (clock += 250),
        onProgress: ({ done, total, etaSeconds, costUsd }) =>
          seen.push(`${done}/${total} ${etaSeconds === null ? "?" : "eta"} ${costUsd?.toFixed(2)}`),
      },
    );
    expect(seen).toEqual(["0/3 ? 0.00", "1/3 eta 0.01", "2/3 eta 0.02", "3/3 eta 0.03"]);
  });
});

function usageOf(outputTokens: number) {
  return {
    uncachedInputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens,
    reasoningTokens: 0,
    llmMs: null,
    waitMs: 0,
    replayed: false,
    attempts: 1,
    costUsd: null,
    cachedCostUsd: null,
  };
}
