import type { ChatModel } from "../../core/model.ts";
import { inputTokens } from "../../core/usage.ts";
import type { ModelCatalog } from "../../models/catalog.ts";
import { type ForecastRow, forecast, type PlannedCalls } from "../../models/forecast.ts";
import type { Job, RunPlan } from "../../pipelines/run/plan.ts";
import { createTracer } from "../../pipelines/tracing/tracer.ts";
import { dollars, integer } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { Config } from "../config/schema.ts";
import { type ExitCode, exitCode, type Io } from "../io.ts";
import { printJson, printTable } from "../output.ts";
import { progressLine } from "../progress.ts";
import { judgeModels } from "./judges.ts";

export interface ForecastRequest {
  plan: RunPlan;
  config: Config;
  catalog: ModelCatalog;
  /** Counts tokens in place of the real model. */
  standIn: ChatModel;
  json: boolean;
}

/** Questions of each data set and method that the stand-in answers. */
const SAMPLE = 5;
/** Tokens of a judge call beside the answer: instructions, question, gold. */
const JUDGE_PROMPT_TOKENS = 700;
const JUDGE_REPLY_TOKENS = 5;

interface Cell extends Omit<ForecastRow, "inputTokens" | "outputTokens"> {
  /** null where nothing was sampled. */
  inputTokens: number | null;
  outputTokens: number | null;
  dataset: string;
  method: string;
  questions: number;
  sampled: number;
}

/**
 * What a run would cost, nothing sent: the offline stand-in answers a few questions of every data set and method
 * with the real prompts, tools and corpus, and its tokens are priced as the run's models. A language model may
 * take more or fewer turns.
 */
export async function forecastRun(io: Io, request: ForecastRequest): Promise<ExitCode> {
  const cells = await measure(io, request);
  const judging = judgeModels(request.config).map(
    (model): PlannedCalls => ({
      model,
      role: "judge",
      calls: request.plan.jobs.length,
      inputTokensPerCall: JUDGE_PROMPT_TOKENS,
      outputTokensPerCall: JUDGE_REPLY_TOKENS,
    }),
  );
  const judge = forecast(judging, request.catalog);
  const rows = [
    ...cells.map(
      ({
        dataset,
        method,
        model,
        role,
        questions,
        sampled,
        inputTokens: tokensIn,
        outputTokens,
        costUsd,
      }) => ({
        dataset,
        method,
        model,
        role,
        questions,
        sampled,
        inputTokens: tokensIn ?? "unknown",
        outputTokens: outputTokens ?? "unknown",
        costUsd: costUsd ?? "unknown",
      }),
    ),
    ...judge.rows.map((row) => ({
      dataset: "all",
      method: "judging",
      model: row.model,
      role: row.role,
      questions: row.calls,
      sampled: 0,
      inputTokens: row.inputTokens,
      outputTokens: row.outputTokens,
      costUsd: row.costUsd ?? "unknown",
    })),
  ];
  const known = rows.map(({ costUsd }) => costUsd);
  const total = known.includes("unknown")
    ? null
    : known.reduce<number>((sum, cost) => sum + Number(cost), 0);
  if (request.json)
    printJson(io, "run-forecast", {
      rows,
      totalUsd: total,
      fingerprints: { identity: request.plan.manifest.identity },
    });
  else printTable(io, forecastTable(rows, total));
  return exitCode.ok;
}

async function measure(io: Io, { plan, catalog, standIn }: ForecastRequest): Promise<Cell[]> {
  const groups = new Map<string, Job[]>();
  for (const job of plan.jobs) {
    const name = JSON.stringify([job.key.dataset, job.key.method, job.key.model]);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [job]);
    else group.push(job);
  }
  const line = progressLine(io);
  const cells: Cell[] = [];
  for (const jobs of groups.values()) {
    // Nothing can be measured of a method that answers from a build of its own.
    const sample = jobs[0]!.method.build === undefined ? jobs.slice(0, SAMPLE) : [];
    let tokensIn = 0;
    let tokensOut = 0;
    for (const job of sample) {
      const tracer = createTracer(() => 0);
      await job.method.answer(
        { id: job.question.id, text: job.question.text },
        { ...job.dataset.shared, model: standIn, tracer, signal: io.signal },
      );
      for (const event of tracer.events) {
        if (event.type !== "model_call") continue;
        tokensIn += inputTokens(event.usage);
        tokensOut += event.usage.outputTokens;
      }
    }
    const { dataset, method, model } = jobs[0]!.key;
    line.update(`forecast: ${dataset} ${method}`);
    const planned = {
      model,
      role: "answer" as const,
      calls: jobs.length,
      inputTokensPerCall: tokensIn / Math.max(1, sample.length),
      outputTokensPerCall: tokensOut / Math.max(1, sample.length),
    };
    const priced = forecast([planned], catalog).rows[0]!;
    const unknown = { inputTokens: null, outputTokens: null, costUsd: null };
    cells.push({
      ...priced,
      ...(sample.length === 0 && unknown),
      dataset,
      method,
      questions: jobs.length,
      sampled: sample.length,
    });
  }
  line.finish();
  return cells;
}

type ForecastLine = { readonly [key: string]: string | number };

function forecastTable(rows: readonly ForecastLine[], total: number | null): Table {
  const right = { align: "right" } as const;
  return {
    title: "Forecast (nothing was sent)",
    columns: [
      { key: "dataset", label: "Data set" },
      { key: "method", label: "Method" },
      { key: "model", label: "Model", wrap: true },
      { key: "questions", label: "Questions", ...right, format: integer },
      { key: "sampled", label: "Sampled", ...right },
      { key: "inputTokens", label: "Tokens in", ...right, format: integer },
      { key: "outputTokens", label: "out", ...right, format: integer },
      { key: "costUsd", label: "Cost", ...right, format: dollars },
    ],
    rows,
    notes: [
      `Total: ${total === null ? "unknown (see the rows)" : dollars(total)}, at list price, nothing from the cache.`,
      `Tokens are those of the offline stand-in on the first ${SAMPLE} questions of each row; a language model may take more or fewer turns, and reasoning tokens come on top.`,
      ...(rows.some(({ inputTokens: tokensIn }) => tokensIn === "unknown")
        ? ["A method that answers from a build of its own is not sampled: its cost is unknown."]
        : []),
    ],
  };
}
