import { randomUUID } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { writeAll } from "../../core/files.ts";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import type { FigureFile } from "./page-data.ts";
import { type CorpusOf, createQuestionPages } from "./question-data.ts";
import { questionGroups } from "./question-groups.ts";
import { openRunJudgements } from "./run-judgements.ts";
import { questionFile, scriptData, scriptPieces } from "./script-data.ts";
import { ASSETS, assetPath, shellHtml } from "./shell.ts";
import { summaryJson } from "./summary.ts";

export interface HtmlReportOptions {
  /** The report's own folder: it is replaced as a whole. */
  folder: string;
  /** For titles and the place of gold evidence; absent = ids alone. */
  corpusOf?: CorpusOf;
  /** Images to copy beside the page: `path` of a file, and its caption. */
  figures?: readonly { path: string; title: string }[];
}

/**
 * Writes a run as a folder that any browser opens from disk: `index.html`, its script and style, `data/summary.js`
 * and one `data/q-<hash>.js` for each question, loaded when the question is opened. A function of the run folder and
 * the corpora: no clock, no network, the same bytes every time. Records are read one question at a time.
 *
 * @returns the path of `index.html`.
 */
export function writeHtmlReport(run: StoredRun, options: HtmlReportOptions): string {
  const { folder, corpusOf = () => undefined, figures = [] } = options;
  const temporary = `${folder}.${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
  try {
    mkdirSync(join(temporary, "data"), { recursive: true });
    for (const name of ASSETS) copyFileSync(assetPath(name), join(temporary, name));
    const images = figures.map(({ path, title }, i): FigureFile & { path: string } => ({
      path,
      title,
      file: `figure-${i + 1}${path.slice(path.lastIndexOf("."))}`,
    }));
    for (const { path, file } of images) copyFileSync(path, join(temporary, file));
    const judgements = openRunJudgements(run);
    const pages = createQuestionPages(run, judgements, corpusOf);
    for (const group of questionGroups(run)) {
      const name = questionFile(group.dataset, group.questionId);
      writeFileSync(
        join(temporary, "data", `${name}.js`),
        scriptData(name, JSON.stringify(pages.of(group))),
      );
    }
    // Last, since the captions name what could not be read of traces and judgements.
    const summary = summaryJson(
      run,
      judgements,
      images.map(({ file, title }) => ({ file, title })),
    );
    writePieces(join(temporary, "data", "summary.js"), scriptPieces("summary", summary));
    writeFileSync(join(temporary, "index.html"), shellHtml(run.manifest.name, { live: false }));
    replaceFolder(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return join(folder, "index.html");
}

function writePieces(path: string, pieces: Iterable<string>): void {
  const file = openSync(path, "w");
  try {
    for (const piece of pieces) writeAll(file, Buffer.from(piece, "utf8"));
  } finally {
    closeSync(file);
  }
}

/** Puts a finished folder in the place of an older one; a reader finds the old or the new one. */
function replaceFolder(finished: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const old = `${finished}.old`;
  if (existsSync(folder)) renameSync(folder, old);
  renameSync(finished, folder);
  rmSync(old, { recursive: true, force: true });
}
