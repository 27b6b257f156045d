import { join } from "node:path";
import { fetchDataset } from "../../datasets/fetch/index.ts";
import { findDataset } from "../../datasets/registry.ts";
import { integer } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { addDataOption, addTableOptions, dataFolder, fromCwd } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { progressLine } from "../progress.ts";

interface FetchCommandOptions {
  data?: string;
  from?: string;
  mirror?: string;
  offline?: boolean;
  out?: string;
  json?: boolean;
}

/** `ritbench data fetch <set>`: official files, checked, resumable. */
export const addDataFetch: RegisterCommand = (data, io, done) => {
  const command = data
    .command("fetch")
    .argument("<set>", "wixqa, qasper, financebench")
    .description("Bring a data set's official files; what is there and right is kept.")
    .option("--from <folder>", "official files at hand; their checksums are enforced")
    .option("--mirror <url>", "ask this address instead: <url>/<host>/<path> of each source")
    .option("--offline", "no request at all: an absent file is an error")
    .addHelpText(
      "after",
      "\nExample:\n  ritbench data fetch wixqa\n  ritbench data fetch qasper --from ~/downloads\n",
    );
  addTableOptions(addDataOption(command)).action(
    async (name: string, options: FetchCommandOptions) => {
      const line = progressLine(io);
      const report = await fetchDataset({
        dataset: findDataset(name),
        folder: join(dataFolder(io, options.data), name),
        ...(options.from === undefined ? {} : { from: fromCwd(io, options.from) }),
        ...(options.mirror === undefined ? {} : { mirror: options.mirror }),
        offline: options.offline === true,
        signal: io.signal,
        progress: (message) => line.update(message),
      }).finally(() => line.finish());
      if (options.json === true) {
        printJson(io, "data-fetch", {
          rows: report.files,
          missing: report.missing,
          requests: report.requests,
          fingerprints: {},
        });
      }
      const table: Table = {
        title: `${name}: ${report.files.length} files, ${report.requests} requests`,
        columns: [
          { key: "path", label: "File", wrap: true },
          { key: "bytes", label: "Bytes", align: "right", format: integer },
          { key: "how", label: "How" },
        ],
        rows: report.files,
        notes: report.missing.map((path) => `Not in the given folder: ${path}`),
      };
      putTables(io, [table], { folder: options.out, name: "data-fetch" }, options.json);
      done(exitCode.ok);
    },
  );
};
