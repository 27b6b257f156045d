import { integer } from "../../reports/table/format.ts";
import type { Table } from "../../reports/table/table.ts";
import type { RegisterCommand } from "../command.ts";
import { loadConfig } from "../config/load.ts";
import { exitCode } from "../io.ts";
import { addConfigOptions, addTableOptions, type ConfigOptions, overridesOf } from "../options.ts";
import { printJson, putTables } from "../output.ts";
import { applyFilings } from "../wiring/filings.ts";
import { openResources } from "../wiring/resources.ts";

/** `ritbench index <config>`: chunks, BM25 and vectors of every data set; no model that writes text. */
export const indexCommand: RegisterCommand = (program, io, done) => {
  const command = program
    .command("index")
    .argument("<config>", "experiment, e.g. configs/financebench.yaml")
    .option("--offline", "let no request leave this machine")
    .description("Build the chunks, the BM25 index and the vectors that a run needs.")
    .addHelpText(
      "after",
      "\nExample:\n  ritbench index configs/financebench.yaml --embeddings offline:hashing\n",
    );
  addTableOptions(addConfigOptions(command)).action(
    async (
      name: string,
      options: ConfigOptions & { offline?: boolean; out?: string; json?: boolean },
    ) => {
      const config = applyFilings(loadConfig(name, io.cwd, overridesOf(options)), options.filings);
      const resources = await openResources(io, {
        config,
        data: options.data,
        offline: options.offline === true,
      });
      try {
        const rows = resources.datasets.flatMap(({ name: dataset, index }) =>
          index.parts.map((part) => ({
            dataset,
            part: part.name,
            chunks: index.chunks.count,
            megabytes: part.bytes / 1e6,
            buildSeconds: part.buildSeconds,
            fingerprint: part.fingerprint,
          })),
        );
        const fingerprints = Object.fromEntries(
          resources.datasets.map(({ name: dataset, index }) => [dataset, index.fingerprints]),
        );
        if (options.json === true) printJson(io, "index", { rows, fingerprints });
        const number = (places: number) => (value: string | number | boolean) =>
          Number(value).toFixed(places);
        const table: Table = {
          title: `Indexes of ${config.name}`,
          columns: [
            { key: "dataset", label: "Data set" },
            { key: "part", label: "Part" },
            { key: "chunks", label: "Chunks", align: "right", format: integer },
            { key: "megabytes", label: "MB", align: "right", format: number(1) },
            { key: "buildSeconds", label: "Built in s", align: "right", format: number(1) },
            { key: "fingerprint", label: "Fingerprint" },
          ],
          rows,
          notes: [
            "A dash: the part was there already.",
            ...resources.datasets.map(
              ({ name: dataset, index }) => `${dataset}: dense search by ${index.dense ?? "none"}.`,
            ),
          ],
        };
        putTables(io, [table], { folder: options.out, name: "index" }, options.json);
      } finally {
        await resources.close();
      }
      done(exitCode.ok);
    },
  );
};
