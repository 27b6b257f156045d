import { beforeEach, describe, expect, it } from "vitest";
import { cli } from "../support/cli.ts";
import { goodReply, isJudge, type ModelLab, modelLab, questionOf } from "../support/model-lab.ts";

interface JudgedRow {
  name: string;
  judged: number;
  kept: number;
  unscored: object;
  firstFailure?: string;
}

let lab: ModelLab;
let second: string;

async function judge(...argv: string[]) {
  const result = await cli(lab.home, ["judge", "lab", ...argv, "--json"]);
  const rows = result.stdout === "" ? [] : result.json<{ rows: JudgedRow[] }>().rows;
  return { ...result, rows };
}

async function accuracy(): Promise<unknown> {
  const { json } = await cli(lab.home, ["report", "lab", "--json"]);
  return json<{ rows: object[] }>().rows[0];
}

beforeEach(async () => {
  lab = await modelLab({ questions: 5, yaml: "limits: {maxRetries: 0}\n" });
  second = `openai-compatible:second@${lab.server.openaiUrl}`;
  await lab.run();
});

describe("judging stored answers", () => {
  it("lets several judges vote, scorers of the run without a voice", async () => {
    lab.server.answer(({ body }) => ({ text: body.model === "judge" ? "True" : "False" }));
    const judges = ["--judge", `${lab.judgeModel},${second},offline:lexical`];
    const { code, rows } = await judge(...judges);
    expect(code).toBe(0);
    expect(rows.at(-1)).toMatchObject({ name: "panel:majority", judged: 5, unscored: {} });
    expect(await accuracy()).toMatchObject({ accuracy: 1, nScored: 5, nTotal: 5 });
    const all = await judge(...judges, "--vote", "unanimity");
    expect(all.rows.at(-1)).toMatchObject({ name: "panel:unanimity", unscored: {} });
    expect(await accuracy()).toMatchObject({ accuracy: 0, nScored: 5 });
    expect(lab.server.calls.length).toBe(5 + 10);
  });

  it("is the same panel whatever else is scored", async () => {
    const judges = ["--judge", `${lab.judgeModel},offline:lexical`];
    const one = (await judge(...judges)).rows.at(-1);
    const other = (await judge(...judges, "--scorers", "token-recall")).rows.at(-1);
    expect(other).toMatchObject({ ...one, judged: 0, kept: 5 });
  });

  it("leaves unreadable verdicts unscored, says how many were scored, and ends with 3", async () => {
    lab.server.answer((call) =>
      isJudge(call) && ["q02", "q04"].includes(questionOf(call))
        ? { text: "True or False, hard to say" }
        : goodReply(call),
    );
    const { code, rows, stderr } = await judge("--judge", lab.judgeModel);
    expect(code).toBe(3);
    expect(rows[0]).toMatchObject({ name: "binary", judged: 5, unscored: { parse: 2 } });
    expect(await accuracy()).toMatchObject({ accuracy: 1, nScored: 3, nTotal: 5 });
    expect(stderr).toContain("exit 3: 2 of 5 are unscored, more than limits.maxErrorShare");
    const { stdout } = await cli(lab.home, ["report", "lab"]);
    expect(stdout).toContain("3/5");
    expect(stdout).toContain("parse 2");
  });

  it("says why a judge that cannot be reached gave no verdict, and ends with 3", async () => {
    lab.server.answer(() => ({ status: 401, message: "no such key" }));
    const { code, rows, stderr } = await judge("--judge", lab.judgeModel);
    expect(code).toBe(3);
    expect(rows[0]).toMatchObject({ judged: 5, unscored: { judge_error: 5 } });
    expect(rows[0]?.firstFailure).toContain("401 no such key");
    expect(stderr).toContain("binary: 5 x judge_error, first: E_MODEL_AUTH: 401 no such key");
    lab.server.answer(goodReply);
    expect(await judge("--judge", lab.judgeModel)).toMatchObject({ code: 0 });
    expect(await accuracy()).toMatchObject({ nScored: 5 });
  });

  it("stops at its cap with what is judged so far", async () => {
    // A verdict costs less than its worst case of $0.00135 (350 tokens in, 100 out), but five cost more than this.
    const { code, stderr } = await judge("--judge", lab.judgeModel, "--max-cost-usd", "0.002");
    expect(code).toBe(4);
    expect(stderr).toContain("a higher --max-cost-usd continues");
    const calls = lab.judgeCalls().length;
    expect(calls).toBeLessThan(5);
    expect((await judge("--judge", lab.judgeModel, "--max-cost-usd", "1")).code).toBe(0);
    expect(lab.judgeCalls()).toHaveLength(5);
    expect(lab.answerCalls()).toHaveLength(5);
  });
});
