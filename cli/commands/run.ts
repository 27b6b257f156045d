import { join } from "node:path";
import type { Command } from "commander";
import type { Json } from "../../core/json.ts";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { ModelCatalog } from "../../models/catalog.ts";
import type { Gateway } from "../../models/gateway.ts";
import { executeRun, type RunResult } from "../../pipelines/run/execute.ts";
import { planRun, type RunModel, type RunPlan } from "../../pipelines/run/plan.ts";
import { openRunStore } from "../../pipelines/run/store.ts";
import { writeReport } from "../../reports/leaderboard/write-report.ts";
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
import { programVersion } from "../version.ts";
import { buildContextOf, buildModelOf } from "../wiring/builds.ts";
import { applyFilings } from "../wiring/filings.ts";
import { forecastRun } from "../wiring/forecast.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";
import { identityOf } from "../wiring/identity.ts";
import { judgeModels, judgeSeats } from "../wiring/judges.ts";
import { judgeStoredRun } from "../wiring/judging.ts";
import { chunkMethods, createMethods } from "../wiring/methods.ts";
import { priorSpendUsd } from "../wiring/prior-spend.ts";
import { type OpenedResources, openResources } from "../wiring/resources.ts";

interface RunOptions extends ConfigOptions {
  methods?: string[];
  questions?: string[];
  k?: number;
  concurrency?: number;
  maxCostUsd?: number;
  forecast?: boolean;
  retryErrors?: boolean;
  offline?: boolean;
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
  const config = loadConfig(name, io.cwd, runOverrides(options));
  const withFilings = applyFilings(config, options.filings);
  const catalog = await openCatalog(io);
  await checkBeforeLoading(io, withFilings, options, catalog);
  const resources = await openResources(io, {
    config: withFilings,
    data: options.data,
    offline: options.offline === true,
  });
  try {
    return await runOver(io, withFilings, options, catalog, resources);
  } finally {
    await resources.close();
  }
}

/** What can be known to be wrong ends the command before anything is loaded, indexed or paid. */
async function checkBeforeLoading(
  io: Io,
  config: Config,
  options: RunOptions,
  catalog: ModelCatalog,
): Promise<void> {
  createMethods(config);
  const gateway = openGateway(io, {
    catalog,
    limits: config.limits,
    offline: options.offline === true,
  });
  try {
    modelsOf(config, gateway);
    judgeSeats(config, gateway);
    const replayOnly = options.forecast === true || options.offline === true;
    if (!replayOnly) requireKeys(gateway, neededModels(config));
  } finally {
    await gateway.close();
  }
}

function neededModels(config: Config): string[] {
  const builds = createMethods(config).some(({ build }) => build !== undefined);
  const buildModel = builds && config.buildModel !== undefined ? [config.buildModel] : [];
  return [...config.models, ...buildModel, ...judgeModels(config)];
}

async function runOver(
  io: Io,
  config: Config,
  options: RunOptions,
  catalog: ModelCatalog,
  resources: OpenedResources,
): Promise<ExitCode> {
  const limits = config.limits;
  const draft = openGateway(io, { catalog, limits, offline: options.offline === true });
  const plan = makePlan(io, config, options, resources, draft);
  if (options.forecast === true) {
    const standIn = draft.model({ id: "offline:extractive", role: "answer", repeat: 0 });
    try {
      return await forecastRun(io, { plan, config, catalog, standIn, json: options.json === true });
    } finally {
      await draft.close();
    }
  }
  await draft.close();
  const store = await openRunStore({
    runsFolder: runsFolder(io),
    manifest: plan.manifest,
    questions: plan.questions,
    fresh: options.new === true,
    now: io.now,
  });
  if (store.resumed) io.err(`continuing ${store.id}\n`);
  const gateway = openGateway(io, {
    catalog,
    limits,
    priorSpendUsd: priorSpendUsd(store.folder),
    offline: options.offline === true,
  });
  try {
    let result: RunResult;
    try {
      result = await execute(io, config, options, {
        catalog,
        plan: makePlan(io, config, options, resources, gateway),
        store,
      });
    } finally {
      store.close();
    }
    return await finish(io, config, options, gateway, result);
  } finally {
    await gateway.close();
  }
}

function makePlan(
  io: Io,
  config: Config,
  options: RunOptions,
  resources: OpenedResources,
  gateway: Gateway,
): RunPlan {
  const model = buildModelOf(config, gateway);
  return planRun({
    name: config.name,
    config: config as unknown as Json,
    identityConfig: identityOf(config),
    programVersion: programVersion(),
    datasets: resources.datasets.map(({ name, loaded, shared }) => ({
      name,
      shared,
      questions: loaded.questions,
      methods: createMethods(config),
      buildContext: buildContextOf(io, { dataset: name, shared, model }, config.limits.concurrency),
    })),
    models: modelsOf(config, gateway),
    repeats: config.repeats,
    ...(config.limits.questions === undefined ? {} : { limit: config.limits.questions }),
    ...(options.questions === undefined ? {} : { questionIds: options.questions }),
  });
}

function modelsOf(config: Config, gateway: Gateway): RunModel[] {
  return config.models.map((id) => {
    const { maxTokens, ...sampling } = config.sampling[id] ?? {};
    const forRepeat = (repeat: number) =>
      gateway.model({
        id,
        role: "answer",
        repeat,
        sampling: JSON.parse(JSON.stringify(sampling)),
        ...(maxTokens === undefined ? {} : { maxTokens }),
      });
    const { offline, fingerprint } = forRepeat(0);
    return { id, offline, fingerprint, forRepeat };
  });
}

async function execute(
  io: Io,
  config: Config,
  options: RunOptions,
  {
    catalog,
    plan,
    store,
  }: { catalog: ModelCatalog; plan: RunPlan; store: Awaited<ReturnType<typeof openRunStore>> },
): Promise<RunResult> {
  const line = progressLine(io);
  const haiku = catalog.priceOf("anthropic:claude-haiku-4-5");
  try {
    return await executeRun({
      plan,
      store,
      concurrency: config.limits.concurrency,
      signal: io.signal,
      retryErrors: options.retryErrors === true,
      onProgress: (progress) => line.update(describeProgress(progress)),
      ...(haiku === undefined
        ? {}
        : {
            hypotheticalPrice: {
              inputUsdPerMillion: haiku.inputUsdPerMTok,
              outputUsdPerMillion: haiku.outputUsdPerMTok,
            },
          }),
    });
  } finally {
    line.finish();
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
    const report = await writeReport(stored, join(result.folder, "report"));
    if (options.out !== undefined) await writeReport(stored, fromCwd(io, options.out));
    const summary = {
      result,
      judging,
      stored,
      cache: gateway.cacheReport(),
      ledger: gateway.ledger,
    };
    if (options.json === true) printRunJson(io, summary);
    else {
      printTable(io, report.table);
      const reportFolder =
        options.out === undefined ? join(result.folder, "report") : fromCwd(io, options.out);
      io.err(`${[...summaryLines(summary), `report: ${reportFolder}`].join("\n")}\n`);
    }
    return runExitCode(summary, config);
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
