import { loadDataset } from "../../datasets/load.ts";
import type { BuildForecast, BuildManifest } from "../../pipelines/builds/index.ts";
import { readBuildManifest } from "../../pipelines/builds/index.ts";
import { buildRows, buildsTable, forecastRows, forecastsTable } from "../build-summary.ts";
import type { RegisterCommand } from "../command.ts";
import { loadConfig, type Override } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { type ExitCode, exitCode, type Io } from "../io.ts";
import {
  addConfigOptions,
  addTableOptions,
  amount,
  type ConfigOptions,
  dataFolder,
  homeFolder,
  list,
  overridesOf,
} from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { type Builder, createBuilder } from "../wiring/builds.ts";
import { applyFilings } from "../wiring/filings.ts";
import { openCatalog, openGateway } from "../wiring/gateway.ts";
import { createMethods } from "../wiring/methods.ts";
import { datasetEntries, openResources } from "../wiring/resources.ts";

interface BuildOptions extends ConfigOptions {
  methods?: string[];
  maxCostUsd?: number;
  buildModel?: string;
  forecast?: boolean;
  retryFailed?: boolean;
  force?: boolean;
  offline?: boolean;
  out?: string;
  json?: boolean;
}

/** `ritbench build <config>`: the stages that call a model before any question is asked. */
export const buildCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("build")
    .argument("<config>", "experiment, e.g. configs/wixqa.yaml")
    .description("Run an experiment's builds alone: induced trees, node metadata, graphs.")
    .option("--methods <name,...>", "builds of these methods only", list)
    .option("--build-model <id>", "model of the builds (default: the config's)")
    .option("--max-cost-usd <amount>", "stop before spending more (exit 4)", amount)
    .option("--forecast", "build a few units of each, say what the rest would cost, and stop")
    .option("--retry-failed", "try units again that failed before")
    .option("--force", "go on with builds of which too much failed; tables carry the mark")
    .option("--offline", "let no request leave this machine")
    .addHelpText(
      "after",
      `
Examples:
  ritbench build configs/quickstart.yaml --data datasets/samples --set metadata=build
  ritbench build configs/financebench.yaml --set builds.structure=induced --forecast
An interrupted build goes on with the same command; nothing is paid twice.
`,
    );
  addTableOptions(addConfigOptions(command)).action(async (name: string, options: BuildOptions) => {
    const config = applyFilings(loadConfig(name, io.cwd, overrides(options)), options.filings);
    const gateway = openGateway(io, {
      catalog: await openCatalog(io),
      limits: config.limits,
      offline: options.offline === true,
    });
    try {
      const builder = createBuilder(io, {
        config,
        gateway,
        offline: options.offline === true,
        force: options.force === true,
        retryFailed: options.retryFailed === true,
      });
      const act = options.forecast === true ? forecastAll : buildAll;
      done(await act(io, config, options, builder));
    } finally {
      await gateway.close();
    }
  });
};

async function buildAll(
  io: Io,
  config: Config,
  options: BuildOptions,
  builder: Builder,
): Promise<ExitCode> {
  const resources = await openResources(io, {
    config,
    data: options.data,
    offline: options.offline === true,
    builder,
  });
  try {
    const made: BuildManifest[] = [...builder.builds];
    for (const { name, shared } of resources.datasets) {
      for (const method of createMethods(config)) {
        const fit = method.fits?.(shared.corpus) ?? { fits: true };
        if (method.build === undefined || !fit.fits) continue;
        const context = builder.context(method, name, shared);
        await method.build(context);
        const manifest = readBuildManifest(context.folder);
        if (manifest !== undefined) made.push(manifest);
      }
    }
    const rows = buildRows(made);
    const fingerprints = Object.fromEntries(
      made.map(({ what, fingerprint }) => [what.kind, fingerprint]),
    );
    if (options.json === true) printJson(io, "build", { rows, fingerprints });
    const files = { folder: options.out, name: "build" };
    putTables(io, [buildsTable(config.name, rows)], files, options.json);
  } finally {
    await resources.close();
  }
  return exitCode.ok;
}

async function forecastAll(
  io: Io,
  config: Config,
  options: BuildOptions,
  builder: Builder,
): Promise<ExitCode> {
  const forecasts: { dataset: string; forecast: BuildForecast }[] = [];
  for (const { name, options: loader, metadata } of datasetEntries(config)) {
    const { corpus } = await loadDataset(name, {
      dataFolder: dataFolder(io, options.data),
      home: homeFolder(io),
      options: loader,
      signal: io.signal,
    });
    try {
      if (config.builds.structure === "induced") {
        forecasts.push({ dataset: name, forecast: await builder.forecastStructure(corpus) });
      }
      if (metadata === "build") {
        forecasts.push({ dataset: name, forecast: await builder.forecastMetadata(corpus) });
      }
    } finally {
      corpus.close();
    }
  }
  const rows = forecastRows(forecasts);
  if (options.json === true) printJson(io, "build-forecast", { rows, fingerprints: {} });
  const files = { folder: options.out, name: "build-forecast" };
  putTables(io, [forecastsTable(config, rows)], files, options.json);
  return exitCode.ok;
}

function overrides(options: BuildOptions): Override[] {
  const all: [string, string, Override["value"] | undefined][] = [
    ["--methods", "methods", options.methods],
    ["--build-model", "buildModel", options.buildModel],
    ["--max-cost-usd", "limits.maxCostUsd", options.maxCostUsd],
  ];
  const given = all.flatMap(([flag, path, value]) =>
    value === undefined ? [] : [{ flag, path, value }],
  );
  return [...given, ...overridesOf(options)];
}
