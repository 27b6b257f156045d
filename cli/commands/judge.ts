import { join } from "node:path";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { JudgingResult } from "../../pipelines/judging/judge-run.ts";
import type { RegisterCommand } from "../command.ts";
import type { Override } from "../config/load.ts";
import { parseConfig } from "../config/load.ts";
import type { Config } from "../config/schema.ts";
import { type ExitCode, exitCode, type Io } from "../io.ts";
import { addJsonOption, amount, list, wholeNumber } from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { findRun } from "../run-folders.ts";
import { judgeFailureLines, shareExitCode, unscoredFaults } from "../run-summary.ts";
import { countEarlierSpend } from "../wiring/earlier-spend.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";
import { judgeModels } from "../wiring/judges.ts";
import { judgeStoredRun } from "../wiring/judging.ts";
import { writeRunReport } from "../wiring/run-report.ts";

interface JudgeOptions {
  judge?: string[];
  scorers?: string[];
  vote?: string;
  concurrency?: number;
  maxCostUsd?: number;
  offline?: boolean;
  json?: boolean;
}

/** `ritbench judge <run>`: judge or re-judge stored answers; no generation call. */
export const judgeCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("judge")
    .argument("<run>", "run id, the beginning of one, latest, or a folder")
    .description(
      "Judge the stored answers of a run, again or with other judges. Asks no method anything.",
    )
    .option("--judge <id,...>", "judge or judges (default: the run's own)", list)
    .option("--vote <rule>", "majority or unanimity, where several judge")
    .option(
      "--scorers <name,...>",
      "further judges and scorers, e.g. token-recall,evidence,ge",
      list,
    )
    .option("--concurrency <n>", "judgements at once", wholeNumber)
    .option("--max-cost-usd <amount>", "stop before spending more (exit 4)", amount)
    .option("--offline", "let no request leave this machine")
    .addHelpText("after", "\nExample:\n  ritbench judge latest --judge google:gemini-2.5-flash\n");
  addJsonOption(command).action(async (name: string, options: JudgeOptions) => {
    const folder = findRun(io, name);
    const stored = openRun(folder);
    const config = parseConfig(
      stored.manifest.config,
      join(folder, "manifest.json"),
      overrides(options),
    );
    stored.close();
    const catalog = await openCatalog(io);
    const gateway = openGateway(io, {
      catalog,
      limits: config.limits,
      offline: options.offline === true,
    });
    try {
      countEarlierSpend(gateway, folder);
      requireKeys(gateway, judgeModels(config));
      const result = await judgeStoredRun(io, folder, config, gateway);
      const judged = openRun(folder);
      try {
        const { table, place } = await writeRunReport(io, judged, join(folder, "report"));
        if (options.json === true) {
          printJson(io, "judge", {
            run: judged.manifest.id,
            status: result.status,
            rows: result.judges,
            fingerprints: Object.fromEntries(
              judged.manifest.judges.map(({ name: judge, fingerprint }) => [judge, fingerprint]),
            ),
          });
        } else printTable(io, table);
        const lines = result.judges.flatMap((judge) => [
          `${judge.name}: ${judge.judged} judged now, ${judge.kept} kept`,
          ...judgeFailureLines(judge),
        ]);
        if (result.budget !== undefined) {
          lines.push(`stopped: ${result.budget}; a higher --max-cost-usd continues`);
        }
        io.err(`${[...lines, `report: ${place}`].join("\n")}\n`);
      } finally {
        judged.close();
      }
      done(judgeExitCode(io, result, config));
    } finally {
      await gateway.close();
    }
  });
};

/** Judged by its worst judge: one that could not do its work makes the pass a failure. */
function judgeExitCode(io: Io, { status, judges }: JudgingResult, config: Config): ExitCode {
  if (status === "budget") return exitCode.budget;
  if (status === "interrupted") return exitCode.interrupted;
  const codes = judges.map(({ judged, kept, unscored }) =>
    shareExitCode(io, { unscored: unscoredFaults(unscored), of: judged + kept }, config.limits),
  );
  return codes.find((code) => code !== exitCode.ok) ?? exitCode.ok;
}

function overrides(options: JudgeOptions): Override[] {
  const { judge, vote } = options;
  const several = judge !== undefined && (judge.length > 1 || vote !== undefined);
  const all: [string, string, Override["value"] | undefined][] = [
    [
      "--judge",
      "judge",
      judge === undefined
        ? undefined
        : several
          ? { models: judge, ...(vote === undefined ? {} : { vote }) }
          : judge[0]!,
    ],
    ["--scorers", "scorers", options.scorers],
    ["--concurrency", "limits.concurrency", options.concurrency],
    ["--max-cost-usd", "limits.maxCostUsd", options.maxCostUsd],
  ];
  return all.flatMap(([flag, path, value]) => (value === undefined ? [] : [{ flag, path, value }]));
}
