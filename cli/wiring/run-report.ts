import { join } from "node:path";
import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { writeHtmlReport } from "../../reports/html/write-html-report.ts";
import { type WrittenReport, writeReport } from "../../reports/leaderboard/write-report.ts";
import type { Io } from "../io.ts";
import { openRunCorpora } from "./run-corpora.ts";

export interface RunReport extends Pick<WrittenReport, "table" | "files"> {
  /** What to open: `html/index.html`, or the folder where the pages were not asked for. */
  place: string;
}

/** Writes tables, plots and, unless `html` is false, the pages of a run into `folder`. */
export async function writeRunReport(
  io: Io,
  run: StoredRun,
  folder: string,
  { html = true }: { html?: boolean } = {},
): Promise<RunReport> {
  const { table, files, figures } = await writeReport(run, folder);
  if (!html) return { table, files, place: folder };
  const corpora = openRunCorpora(io, run.manifest);
  try {
    const page = writeHtmlReport(run, {
      folder: join(folder, "html"),
      corpusOf: corpora.of,
      figures,
    });
    return { table, files: [...files, page], place: page };
  } finally {
    corpora.close();
  }
}
