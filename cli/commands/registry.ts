import type { RegisterCommand } from "../command.ts";
import { askCommand } from "./ask.ts";
import { buildCommand } from "./build.ts";
import { compareCommand } from "./compare.ts";
import { dataCommand } from "./data.ts";
import { doctorCommand } from "./doctor.ts";
import { explainCacheCommand } from "./explain-cache.ts";
import { indexCommand } from "./index-command.ts";
import { judgeCommand } from "./judge.ts";
import { judgeCheckCommand } from "./judge-check.ts";
import { paperCommand } from "./paper.ts";
import { reportCommand } from "./report.ts";
import { retrievalCommand } from "./retrieval.ts";
import { runCommand } from "./run.ts";
import { runsCommand } from "./runs.ts";
import { showCommand } from "./show.ts";
import { sweepCommand } from "./sweep.ts";
import { viewCommand } from "./view.ts";

/** Every command, in the order `--help` lists them. */
export const commands: readonly RegisterCommand[] = [
  dataCommand,
  indexCommand,
  buildCommand,
  retrievalCommand,
  runCommand,
  judgeCommand,
  judgeCheckCommand,
  reportCommand,
  sweepCommand,
  compareCommand,
  paperCommand,
  runsCommand,
  showCommand,
  viewCommand,
  askCommand,
  explainCacheCommand,
  doctorCommand,
];
