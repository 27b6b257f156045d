import { join } from "node:path";
import { openRun } from "../../core/run-folder/open-run.ts";
import type { RegisterCommand } from "../command.ts";
import type { Override } from "../config/load.ts";
import { parseConfig } from "../config/load.ts";
import { exitCode } from "../io.ts";
import { addJsonOption, amount, list, wholeNumber } from "../options.ts";
import { printJson, printTable } from "../output.ts";
import { findRun } from "../run-folders.ts";
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
        } else {
          printTable(io, table);
          for (const { name: judge, judged: now, kept } of result.judges)
            io.err(`${judge}: ${now} judged now, ${kept} kept\n`);
          io.err(`report: ${place}\n`);
        }
      } finally {
        judged.close();
      }
      done(
        result.status === "budget"
          ? exitCode.budget
          : result.status === "interrupted"
            ? exitCode.interrupted
            : exitCode.ok,
      );
    } finally {
      await gateway.close();
    }
  });
};

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
