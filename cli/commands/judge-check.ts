import { join } from "node:path";
import { checkJudge, type JudgeCheck } from "../../judges/check/check-judge.ts";
import {
  appendDrift,
  type DriftEntry,
  driftSentence,
  readDrift,
} from "../../judges/check/drift.ts";
import { readLabelledSet } from "../../judges/check/labelled.ts";
import { createJudge } from "../../judges/registry.ts";
import { dollars, percent } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode, type Io } from "../io.ts";
import { addTableOptions, amount, fromCwd, homeFolder, wholeNumber } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { progressLine } from "../progress.ts";
import { openCatalog, openGateway, requireKeys } from "../wiring/gateway.ts";

interface JudgeCheckOptions {
  judge: string;
  repeats: number;
  labelled?: string;
  drift?: string;
  concurrency: number;
  maxCostUsd?: number;
  offline?: boolean;
  out?: string;
  json?: boolean;
}

const LEXICAL = "offline:lexical";

/** `ritbench judge-check`: how far a judge can be trusted, over a frozen labelled set. */
export const judgeCheckCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("judge-check")
    .description("Run a judge over answers whose correctness is settled: accuracy, kappa, drift.")
    .option("--judge <id>", "offline:lexical, or the model of the binary judge", LEXICAL)
    .option("--repeats <n>", "how often each case is judged", wholeNumber, 2)
    .option(
      "--labelled <file>",
      "a labelled set of your own (JSON Lines; default: the shipped one)",
    )
    .option("--drift <file>", "history file (default: judge-check.jsonl in the home folder)")
    .option("--concurrency <n>", "cases at once", wholeNumber, 8)
    .option("--max-cost-usd <amount>", "stop before spending more (exit 4)", amount)
    .option("--offline", "let no request leave this machine")
    .addHelpText("after", "\nExample:\n  ritbench judge-check --judge google:gemini-2.5-flash\n");
  addTableOptions(command).action(async (options: JudgeCheckOptions) => {
    const check = await runCheck(io, options);
    const path =
      options.drift === undefined
        ? join(homeFolder(io), "judge-check.jsonl")
        : fromCwd(io, options.drift);
    const entry = appendDrift(path, check, io.now());
    const { entries, unreadable } = readDrift(path);
    const drift = driftSentence(entries, entry) ?? null;
    if (options.json === true) {
      printJson(io, "judge-check", {
        check,
        drift,
        history: path,
        unreadable,
        rows: check.byKind,
        fingerprints: { judge: check.fingerprint, labelled: check.labelled.fingerprint },
      });
    } else print(io, check, entries, { unreadable, path });
    const files = { folder: options.out, name: "judge-check" };
    putTables(io, [confusionTable(check, drift)], files, options.json);
    done(exitCode.ok);
  });
};

async function runCheck(io: Io, options: JudgeCheckOptions): Promise<JudgeCheck> {
  const labelled =
    options.labelled === undefined
      ? readLabelledSet()
      : readLabelledSet(fromCwd(io, options.labelled));
  const line = progressLine(io);
  const shared = {
    labelled,
    repeats: options.repeats,
    concurrency: options.concurrency,
    signal: io.signal,
    onProgress: (count: number, total: number) => line.update(`judged ${count}/${total}`),
  };
  try {
    if (options.judge === LEXICAL) return await checkJudge(createJudge(LEXICAL), shared);
    const catalog = await openCatalog(io);
    const gateway = openGateway(io, {
      catalog,
      limits: {
        concurrency: options.concurrency,
        maxRetries: 5,
        maxRetryAfterSeconds: 300,
        maxCostUsd: options.maxCostUsd,
        costRoles: ["judge"],
      },
      offline: options.offline === true,
    });
    try {
      if (options.offline !== true) requireKeys(gateway, [options.judge]);
      const modelFor = (repeat: number) =>
        gateway.model({
          id: options.judge,
          role: "judge",
          repeat,
          sampling: { temperature: 0 },
        });
      return await checkJudge(createJudge("binary"), { ...shared, modelFor });
    } finally {
      await gateway.close();
    }
  } finally {
    line.finish();
  }
}

function print(
  io: Io,
  check: JudgeCheck,
  entries: readonly DriftEntry[],
  { unreadable, path }: { unreadable: number; path: string },
): void {
  const own = entries.filter(
    ({ judge, model, labelled }) =>
      judge === check.judge && model === check.model && labelled === check.labelled.fingerprint,
  );
  io.err(
    `history: ${own.length} checks of this judge in ${path}${unreadable === 0 ? "" : `; ${unreadable} unreadable lines passed over`}\n`,
  );
}

function confusionTable(check: JudgeCheck, drift: string | null): Table {
  const right = { align: "right" } as const;
  const rows = [
    { group: "all", ...check.total },
    ...check.byStyle.map((row) => ({ group: "style", ...row })),
    ...check.byKind.map((row) => ({ group: "kind", ...row })),
  ];
  const { clearCases, selfConsistency, baseRate, costUsd, differing } = check;
  return {
    title: `Judge check: ${check.judge}${check.model === null ? "" : ` by ${check.model}`}`,
    columns: [
      { key: "group", label: "Cases" },
      { key: "name", label: "of" },
      { key: "n", label: "n", ...right },
      { key: "agreed", label: "Agrees", ...right, format: percent },
      { key: "truePositives", label: "Right, judged right", ...right },
      { key: "falseNegatives", label: "judged wrong", ...right },
      { key: "trueNegatives", label: "Wrong, judged wrong", ...right },
      { key: "falsePositives", label: "judged right", ...right },
      { key: "unscored", label: "Unscored", ...right },
    ],
    rows: rows.map(({ group, ...row }) => ({
      group,
      ...row,
      agreed: row.n === 0 ? null : (row.truePositives + row.trueNegatives) / row.n,
    })),
    notes: [
      check.sentence,
      `Clear cases alone: ${clearCases.sentence}`,
      `A judge that always says right would reach ${percent(baseRate)}. Same verdict in all ${check.repeats} repeats: ${selfConsistency === null ? "not measured" : percent(selfConsistency)}. Cost: ${costUsd === null ? "unknown" : dollars(costUsd)}.`,
      ...(drift === null ? [] : [drift]),
      `Differs from the label: ${differing.length === 0 ? "none" : differing.map(({ id }) => id).join(", ")}.`,
      `Judge ${check.fingerprint}, labelled set ${check.labelled.fingerprint}.`,
    ],
  };
}
