import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openRun } from "../../core/run-folder/open-run.ts";
import { bootstrapMean } from "../../core/statistics/bootstrap.ts";
import { meanShare } from "../../core/statistics/mean-share.ts";
import { summariseRun } from "../../reports/leaderboard/summarise.ts";
import { cellsOf, type SweepRow, sweepTable } from "../../reports/sweep/sweep-table.ts";
import { writeSweep } from "../../reports/sweep/write-sweep.ts";
import { dollars } from "../../reports/table/format.ts";
import type { RegisterCommand } from "../command.ts";
import { loadSweep, type Sweep, type SweepPoint } from "../config/sweep.ts";
import { type ExitCode, exitCode, type Io } from "../io.ts";
import {
  addConfigOptions,
  addJsonOption,
  type ConfigOptions,
  fromCwd,
  homeFolder,
  overridesOf,
} from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { applyFilings } from "../wiring/filings.ts";
import { type OpenedResources, openResources } from "../wiring/resources.ts";
import { measureRetrieval } from "../wiring/retrieval-scores.ts";
import { measureSubForests } from "../wiring/sub-forest-scores.ts";
import { runConfig } from "./run.ts";

interface SweepOptions extends ConfigOptions {
  forecast?: boolean;
  retrievalOnly?: boolean;
  offline?: boolean;
  out?: string;
  json?: boolean;
}

/** `ritbench sweep <file>`: one resumable run per point of a grid, or the retrieval alone without a model. */
export const sweepCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("sweep")
    .argument("<sweep>", "sweep, e.g. configs/sweeps/nodes-financebench.yaml")
    .description("Run an experiment for every combination of some parameters.")
    .option("--forecast", "say what all points would cost, and stop")
    .option("--retrieval-only", "score rankings and sub-forests alone; calls no model")
    .option("--offline", "let no request leave this machine")
    .option(
      "--out <folder>",
      "where table and plots go (default: sweeps/<name> in the home folder)",
    )
    .addHelpText(
      "after",
      "\nExample:\n  ritbench sweep configs/sweeps/nodes-quickstart.yaml --data datasets/samples --retrieval-only\nThe same command continues: finished points are kept.\n",
    );
  addJsonOption(addConfigOptions(command)).action(async (path: string, options: SweepOptions) => {
    const loaded = loadSweep(path, io.cwd, overridesOf(options));
    const points = loaded.points.map((point) => ({
      ...point,
      config: applyFilings(point.config, options.filings),
    }));
    const sweep = { ...loaded, points };
    if (options.forecast === true) {
      await forecastSweep(io, sweep, options);
      done(exitCode.ok);
      return;
    }
    const made =
      options.retrievalOnly === true
        ? { rows: await measurePoints(io, sweep, options), code: exitCode.ok }
        : await runPoints(io, sweep, options);
    await report(io, sweep, made.rows, options);
    done(made.code);
  });
};

/** Asks the forecast of every point; nothing is sent. */
async function forecastSweep(io: Io, sweep: Sweep, options: SweepOptions): Promise<void> {
  const rows: { point: string; run: string; costUsd: number | "unknown" }[] = [];
  for (const { label, config } of sweep.points) {
    const total = options.retrievalOnly === true ? 0 : await forecastPoint(io, config, options);
    rows.push({ point: label, run: config.name, costUsd: total ?? "unknown" });
  }
  const known = rows.flatMap(({ costUsd }) => (costUsd === "unknown" ? [] : [costUsd]));
  const totalUsd = known.length < rows.length ? null : known.reduce((sum, cost) => sum + cost, 0);
  if (options.json === true) {
    printJson(io, "sweep-forecast", { sweep: sweep.name, rows, totalUsd, fingerprints: {} });
    return;
  }
  printTable(io, {
    title: `Forecast of sweep ${sweep.name} (nothing was sent)`,
    columns: [
      { key: "point", label: "Point" },
      { key: "run", label: "Run" },
      { key: "costUsd", label: "Cost", align: "right", format: dollars },
    ],
    rows,
    notes: [
      `Total: ${totalUsd === null ? "unknown (a model has no price)" : dollars(totalUsd)}; answers that are stored or in the cache already cost nothing again.`,
    ],
  });
}

/** The forecast's own JSON document, kept from the terminal. */
async function forecastPoint(
  io: Io,
  config: SweepPoint["config"],
  options: SweepOptions,
): Promise<number | null> {
  let text = "";
  const quiet: Io = {
    ...io,
    out: (part) => {
      text += part;
    },
  };
  await runConfig(quiet, config, { ...options, forecast: true, json: true });
  return (JSON.parse(text) as { totalUsd: number | null }).totalUsd;
}

/** Runs every point; a point that is over budget or interrupted ends the sweep with its exit code. */
async function runPoints(
  io: Io,
  sweep: Sweep,
  options: SweepOptions,
): Promise<{ rows: SweepRow[]; code: ExitCode }> {
  const rows: SweepRow[] = [];
  let code: ExitCode = exitCode.ok;
  for (const [index, point] of sweep.points.entries()) {
    io.err(`${sweep.name} ${index + 1}/${sweep.points.length}: ${point.label}\n`);
    const before = artefacts(io);
    let text = "";
    const quiet: Io = {
      ...io,
      out: (part) => {
        text += part;
      },
    };
    const ended = await runConfig(quiet, point.config, {
      set: [],
      ...(options.data === undefined ? {} : { data: options.data }),
      ...(options.offline === undefined ? {} : { offline: options.offline }),
      json: true,
    });
    const built = artefacts(io).filter((name) => !before.includes(name)).length;
    const { folder } = JSON.parse(text) as { folder: string };
    rows.push(...rowsOfRun(folder, point, built));
    if (ended === exitCode.tooManyErrors) code = ended;
    else if (ended !== exitCode.ok) return { rows, code: ended };
  }
  return { rows, code };
}

/** Folders of index parts and builds; a point that adds none has rebuilt nothing. */
function artefacts(io: Io): string[] {
  return ["indexes", "builds"].flatMap((kind) => {
    const folder = join(homeFolder(io), kind);
    return existsSync(folder) ? readdirSync(folder).map((name) => `${kind}/${name}`) : [];
  });
}

function rowsOfRun(folder: string, { label, values }: SweepPoint, built: number): SweepRow[] {
  const run = openRun(folder);
  try {
    return summariseRun(run)
      .filter(({ unfit }) => unfit === undefined)
      .map((row) => ({
        point: label,
        values,
        dataset: row.dataset,
        method: row.title,
        run: run.manifest.id,
        n: row.accuracy.n,
        measures: {
          accuracy: row.accuracy.estimate,
          f1OfMeans: row.f1OfMeans,
          tokenRecall: row.tokenRecall.value,
          toolCalls: row.toolCalls.value,
          inputTokens: row.inputTokens.value,
          costUsd: row.costUsd.value,
          costAtHaikuUsd: row.costAtHaikuUsd.value,
        },
        intervals: { accuracy: { low: row.accuracy.low, high: row.accuracy.high } },
        built,
      }));
  } finally {
    run.close();
  }
}

/** Rankings and sub-forests of every point. Points that share data, chunks and retriever share what is opened. */
async function measurePoints(io: Io, sweep: Sweep, options: SweepOptions): Promise<SweepRow[]> {
  const rows: SweepRow[] = [];
  let opened: { key: string; resources: OpenedResources } | undefined;
  try {
    for (const point of sweep.points) {
      const { config } = point;
      const key = JSON.stringify([config.datasets, config.retrieval, config.embeddings]);
      const fresh = opened?.key !== key;
      if (fresh) {
        await opened?.resources.close();
        opened = undefined;
        const offline = options.offline === true;
        const resources = await openResources(io, { config, data: options.data, offline });
        opened = { key, resources };
      }
      for (const dataset of opened!.resources.datasets) {
        const built = dataset.index.parts.filter(
          ({ buildSeconds }) => buildSeconds !== null,
        ).length;
        rows.push(await measurePoint(io, point, dataset, fresh ? built : 0));
      }
    }
    return rows;
  } finally {
    await opened?.resources.close();
  }
}

/** Chunks that the chunk methods read where nothing else is said. */
const DEFAULT_K = 5;

async function measurePoint(
  io: Io,
  { label, values, config }: SweepPoint,
  dataset: OpenedResources["datasets"][number],
  built: number,
): Promise<SweepRow> {
  const limit = config.limits.questions;
  const ritRag = config.parameters["rit-rag"] ?? {};
  const given = config.parameters.vanilla?.k ?? config.parameters["agentic-search"]?.k;
  const k = typeof given === "number" ? given : DEFAULT_K;
  const { rows } = await measureRetrieval(io, dataset, ["hybrid"], [k], limit);
  const [ranking] = rows;
  const forests = config.methods.includes("rit-rag")
    ? await measureSubForests(io, dataset, ritRag, limit)
    : [];
  const mean = (of: (score: (typeof forests)[number]) => number) =>
    bootstrapMean(forests.map(of), { resamples: 2000 });
  const recall = meanShare(forests.map((score) => score.recall));
  return {
    point: label,
    values,
    dataset: dataset.name,
    n: ranking?.n ?? forests.length,
    measures: {
      shownRecall: recall.mean,
      shownTokens: mean(({ tokens }) => tokens).mean,
      shownNodes: mean(({ nodes }) => nodes).mean,
      precision: ranking?.precision ?? null,
      recall: ranking?.recall ?? null,
      ndcg: ranking?.ndcg ?? null,
    },
    intervals: { shownRecall: { low: recall.low, high: recall.high } },
    built,
  };
}

async function report(
  io: Io,
  sweep: Sweep,
  rows: readonly SweepRow[],
  options: SweepOptions,
): Promise<void> {
  const { models, judge, embeddings } = sweep.points[0]!.config;
  const caption =
    options.retrievalOnly === true
      ? [
          `No model: rankings and sub-forests for the questions themselves; embeddings ${embeddings}.`,
        ]
      : [
          `Models: ${models.join(", ")}. Judge: ${typeof judge === "string" ? judge : judge.models.join(", ")}.`,
        ];
  const offline = models.some((id) => id.startsWith("offline:")) && options.retrievalOnly !== true;
  const notes = [
    ...caption,
    ...(offline ? ["An offline model is a stand-in: its figures say nothing of a method."] : []),
  ];
  const table = sweepTable(sweep.name, rows, notes);
  const folder =
    options.out === undefined
      ? join(homeFolder(io), "sweeps", sweep.name)
      : fromCwd(io, options.out);
  const files = await writeSweep(folder, { name: sweep.name, rows, table, caption: notes });
  if (options.json === true) {
    printJson(io, "sweep", { sweep: sweep.name, rows: rows.map(cellsOf), files, fingerprints: {} });
    return;
  }
  printTable(io, table);
  io.err(`${files.map((file) => `wrote ${file}`).join("\n")}\n`);
}
