import { join } from "node:path";
import type { Command } from "commander";
import type { Json } from "../../core/json.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { ModelCatalog } from "../../models/catalog.ts";
import type { Gateway } from "../../models/gateway.ts";
import { executeRun, type RunResult } from "../../pipelines/run/execute.ts";
import type { RunPlan } from "../../pipelines/run/plan.ts";
import { openRunStore } from "../../pipelines/run/store.ts";
import type { RegisterCommand } from "../command.ts";
import { loadConfig, type Override } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import type { ExitCode, Io } from "../io.ts";
import {
  addConfigOptions,
  addJsonOption,
  amount,
  type ConfigOptions,
  fromCwd,
  list,
  overridesOf,
  wholeNumber,
} from "../options.ts";
import { printTable } from "../output.ts";
import { describeProgress, progressLine } from "../progress.ts";
import { runsFolder } from "../run-folders.ts";
import { printRunJson, runExitCode, summaryLines } from "../run-summary.ts";
import { createBuilder } from "../wiring/builds.ts";
import { countEarlierSpend } from "../wiring/earlier-spend.ts";
import { applyFilings } from "../wiring/filings.ts";
import { forecastRun } from "../wiring/forecast.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";
import { judgeModels, judgeSeats } from "../wiring/judges.ts";
import { judgeStoredRun } from "../wiring/judging.ts";
import { chunkMethods, createMethods } from "../wiring/methods.ts";
import { planOf, runModels } from "../wiring/plan.ts";
import { openResources } from "../wiring/resources.ts";
import { writeRunReport } from "../wiring/run-report.ts";

export interface RunOptions extends ConfigOptions {
  methods?: string[];
  questions?: string[];
  k?: number;
  concurrency?: number;
  maxCostUsd?: number;
  forecast?: boolean;
  retryErrors?: boolean;
  offline?: boolean;
  forceBuilds?: boolean;
  new?: boolean;
  out?: string;
  json?: boolean;
}

/** `ritbench run <config>`: answer, judge, report; the same command again continues. */
export const runCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("run")
    .argument("<config>", "experiment, e.g. configs/quickstart.yaml")
    .description("Run an experiment: every method over every question, then judge and report.");
  addRunOptions(addJsonOption(addConfigOptions(command))).action(
    async (name: string, options: RunOptions) => {
      done(await run(io, name, options));
    },
  );
};

function addRunOptions(command: Command): Command {
  return command
    .option("--methods <name,...>", "only these methods", list)
    .option("--questions <id,...>", "only these questions", list)
    .option("--k <n>", "chunks per search of the chunk methods", wholeNumber)
    .option("--concurrency <n>", "questions at once", wholeNumber)
    .option("--max-cost-usd <amount>", "stop before spending more (exit 4)", amount)
    .option("--forecast", "say what the run would cost, and stop")
    .option("--retry-errors", "ask again what ended in an error; old rows go only for a success")
    .option("--offline", "let no request leave this machine; a missing file names its command")
    .option(
      "--force-builds",
      "use builds that are unfinished or of which too much failed; tables say so",
    )
    .option("--new", "start another run instead of continuing the last one of this name")
    .option("--out <folder>", "copy of the report, beside the one in the run's folder")
    .addHelpText(
      "after",
      `
Examples:
  ritbench run configs/quickstart.yaml --data datasets/samples
  ritbench run configs/financebench.yaml --methods rit-rag,vanilla --limit 20 --max-cost-usd 5
The same command continues an interrupted run. Exit codes: docs/exit-codes.md
`,
    );
}

async function run(io: Io, name: string, options: RunOptions): Promise<ExitCode> {
  const config = applyFilings(loadConfig(name, io.cwd, runOverrides(options)), options.filings);
  return runConfig(io, config, options);
}

/** Runs a whole experiment that has been read already: builds, answers, verdicts, report. */
export async function runConfig(io: Io, config: Config, options: RunOptions): Promise<ExitCode> {
  const catalog = await openCatalog(io);
  const offline = options.offline === true;
  const gateway = openGateway(io, { catalog, limits: config.limits, offline });
  try {
    checkBeforeLoading(config, options, gateway);
    const builder = createBuilder(io, {
      config,
      gateway,
      offline,
      force: options.forceBuilds === true,
    });
    const resources = await openResources(io, { config, data: options.data, offline, builder });
    try {
      const plan = planOf({ config, resources, gateway, builder, questionIds: options.questions });
      if (options.forecast === true) {
        const standIn = gateway.model({ id: "offline:extractive", role: "answer", repeat: 0 });
        const json = options.json === true;
        return await forecastRun(io, { plan, config, catalog, standIn, json });
      }
      const result = await execute(io, { config, catalog, gateway, plan, options });
      return await finish(io, config, options, gateway, result);
    } finally {
      await resources.close();
    }
  } finally {
    await gateway.close();
  }
}

/** What can be known to be wrong ends the command before anything is loaded, indexed or paid. */
function checkBeforeLoading(config: Config, options: RunOptions, gateway: Gateway): void {
  createMethods(config);
  runModels(config, gateway);
  judgeSeats(config, gateway);
  const sendsNothing = options.forecast === true || options.offline === true;
  if (!sendsNothing) requireKeys(gateway, [...config.models, ...judgeModels(config)]);
}

interface Execution {
  config: Config;
  catalog: ModelCatalog;
  gateway: Gateway;
  plan: RunPlan;
  options: RunOptions;
}

/** Answers what the run's folder does not hold yet. */
async function execute(
  io: Io,
  { config, catalog, gateway, plan, options }: Execution,
): Promise<RunResult> {
  const store = await openRunStore({
    runsFolder: runsFolder(io),
    manifest: plan.manifest,
    questions: plan.questions,
    fresh: options.new === true,
    now: io.now,
  });
  const line = progressLine(io);
  try {
    if (store.resumed) io.err(`continuing ${store.id}\n`);
    countEarlierSpend(gateway, store.folder);
    const haiku = catalog.priceOf("anthropic:claude-haiku-4-5");
    const hypotheticalPrice = haiku && {
      inputUsdPerMillion: haiku.inputUsdPerMTok,
      outputUsdPerMillion: haiku.outputUsdPerMTok,
    };
    return await executeRun({
      plan,
      store,
      concurrency: config.limits.concurrency,
      signal: io.signal,
      retryErrors: options.retryErrors === true,
      onProgress: (progress) => line.update(describeProgress(progress)),
      ...(hypotheticalPrice === undefined ? {} : { hypotheticalPrice }),
    });
  } finally {
    line.finish();
    store.close();
  }
}

/** Judges what there is, writes the report, prints table and summary. */
async function finish(
  io: Io,
  config: Config,
  options: RunOptions,
  gateway: Gateway,
  result: RunResult,
): Promise<ExitCode> {
  const judging =
    result.status === "interrupted"
      ? undefined
      : await judgeStoredRun(io, result.folder, config, gateway);
  const stored = openRun(result.folder);
  try {
    // After Ctrl-C nobody waits for pages: the next run of the same command writes them.
    const html = result.status !== "interrupted";
    const report = await writeRunReport(io, stored, join(result.folder, "report"), { html });
    const copy =
      options.out === undefined
        ? report
        : await writeRunReport(io, stored, fromCwd(io, options.out), { html });
    const summary = {
      result,
      judging,
      stored,
      cache: gateway.cacheReport(),
      ledger: gateway.ledger,
    };
    if (options.json === true) printRunJson(io, summary);
    else printTable(io, report.table);
    io.err(`${[...summaryLines(summary), `report: ${copy.place}`].join("\n")}\n`);
    return runExitCode(io, summary, config);
  } finally {
    stored.close();
  }
}

function runOverrides(options: RunOptions): Override[] {
  const extra: Override[] = [];
  const add = (flag: string, path: string, value: Json | undefined): void => {
    if (value !== undefined) extra.push({ flag, path, value });
  };
  add("--methods", "methods", options.methods);
  add("--concurrency", "limits.concurrency", options.concurrency);
  add("--max-cost-usd", "limits.maxCostUsd", options.maxCostUsd);
  for (const method of chunkMethods) add("--k", `parameters.${method}.k`, options.k);
  return [...extra, ...overridesOf(options)];
}
