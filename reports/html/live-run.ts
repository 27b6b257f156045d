import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../core/fingerprint.ts";
import type { RunManifest } from "../../core/record.ts";
import { openRun, type StoredRun } from "../../core/run-folder/open-run.ts";
import { RUN_FILES } from "../../core/run-folder/paths.ts";
import { type CorpusOf, createQuestionPages, type QuestionPages } from "./question-data.ts";
import { type QuestionGroup, questionGroups } from "./question-groups.ts";
import { openRunJudgements, type RunJudgements } from "./run-judgements.ts";
import { questionFile } from "./script-data.ts";
import { summaryJson } from "./summary.ts";

/** How far a run is, as `live.json` says it. */
export interface LiveState {
  status: RunManifest["status"];
  done: number;
  /** Answers the run was planned with: fitting methods x models x repeats x questions asked. */
  planned: number;
  /** Changes with the run's files. */
  version: string;
}

/** A run that may still be written to, read again when its files have changed. */
export interface LiveRun {
  state(): LiveState;
  summary(): Iterable<string>;
  /** JSON of a question by its file name; undefined for a name no question has. */
  question(file: string): string | undefined;
  close(): void;
}

interface Snapshot {
  version: string;
  run: StoredRun;
  judgements: RunJudgements;
  groups: ReadonlyMap<string, QuestionGroup>;
  pages: QuestionPages;
}

/** A large run is not read anew more often than this share of the time. */
const READING_SHARE = 0.2;

/**
 * @param nowMs a clock for pacing alone.
 * @throws RitbenchError E_RUN_MISSING when the folder holds no manifest.
 */
export function openLiveRun(folder: string, corpusOf: CorpusOf, nowMs: () => number): LiveRun {
  let snapshot = take();
  let readAgainMs = 0;

  function take(): Snapshot {
    const version = versionOf(folder);
    const run = openRun(folder);
    const judgements = openRunJudgements(run);
    const groups = new Map<string, QuestionGroup>();
    for (const group of questionGroups(run)) {
      groups.set(questionFile(group.dataset, group.questionId), group);
    }
    const pages = createQuestionPages(run, judgements, corpusOf);
    return { version, run, judgements, groups, pages };
  }

  function current(): Snapshot {
    const startMs = nowMs();
    if (startMs < readAgainMs || versionOf(folder) === snapshot.version) return snapshot;
    const next = take();
    snapshot.run.close();
    snapshot = next;
    const endMs = nowMs();
    readAgainMs = endMs + (endMs - startMs) / READING_SHARE;
    return snapshot;
  }

  return {
    state() {
      const { run, version } = current();
      const { manifest } = run;
      return {
        status: manifest.status,
        done: run.keys.length,
        planned: plannedRecords(manifest),
        version,
      };
    },
    summary() {
      const { run, judgements } = current();
      return summaryJson(run, judgements, []);
    },
    question(file) {
      const { groups, pages } = current();
      const group = groups.get(file);
      return group === undefined ? undefined : JSON.stringify(pages.of(group));
    },
    close: () => snapshot.run.close(),
  };
}

/** Answers a finished run of this manifest holds. */
function plannedRecords({ datasets, methods, models, config }: RunManifest): number {
  const repeats = (config as { repeats?: unknown } | null)?.repeats;
  const answers = datasets.reduce((sum, { name, questions }) => {
    const fitting = methods.filter(({ unfit }) => unfit[name] === undefined).length;
    return sum + questions.asked * fitting * models.length;
  }, 0);
  return answers * (typeof repeats === "number" ? repeats : 1);
}

/** Sizes and times of the files that the pages are made of. */
function versionOf(folder: string): string {
  const judgements = join(folder, RUN_FILES.judgements);
  const files = [
    join(folder, RUN_FILES.manifest),
    join(folder, RUN_FILES.records),
    ...namesIn(judgements).map((name) => join(judgements, name)),
  ];
  const marks = files.map((path) => {
    const file = statSync(path, { throwIfNoEntry: false });
    return [path, file?.size ?? 0, file?.mtimeMs ?? 0];
  });
  return sha256(JSON.stringify(marks)).slice(0, 16);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
