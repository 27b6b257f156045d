import { importFolder } from "../../datasets/fetch/index.ts";
import { integer } from "../../reports/table/format.ts";
import type { RegisterCommand } from "../command.ts";
import { exitCode } from "../io.ts";
import { addDataOption, addJsonOption, dataFolder, fromCwd } from "../options.ts";
import { printJson } from "../output.ts";

interface ImportCommandOptions {
  data?: string;
  name: string;
  json?: boolean;
}

/** `ritbench data import <folder> --name X`: own documents become a data set. */
export const addDataImport: RegisterCommand = (data, io, done) => {
  const command = data
    .command("import")
    .argument("<folder>", "Markdown, HTML, PDF and text files; questions.jsonl is optional")
    .description("Copy your own documents into the data folder as a data set.")
    .requiredOption("--name <name>", "name of the data set")
    .addHelpText("after", "\nExample:\n  ritbench data import ./manuals --name manuals\n");
  addJsonOption(addDataOption(command)).action(
    async (folder: string, options: ImportCommandOptions) => {
      const report = await importFolder({
        from: fromCwd(io, folder),
        dataFolder: dataFolder(io, options.data),
        name: options.name,
        signal: io.signal,
      });
      if (options.json === true) printJson(io, "data-import", { rows: [report], fingerprints: {} });
      else {
        const lines = [
          `${options.name}: ${integer(report.files)} files, ${integer(report.bytes)} bytes in ${report.folder}`,
          ...report.skipped.map((path) => `  left out: ${path}`),
          `next: ritbench data stats ${options.name}`,
        ];
        io.out(`${lines.join("\n")}\n`);
      }
      done(exitCode.ok);
    },
  );
};
