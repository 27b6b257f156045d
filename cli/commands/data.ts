import type { RegisterCommand } from "../command.ts";
import { addDataFamilies } from "./data-families.ts";
import { addDataFetch } from "./data-fetch.ts";
import { addDataImport } from "./data-import.ts";
import { addDataStats } from "./data-stats.ts";
import { addDataValidate } from "./data-validate.ts";

/** `ritbench data fetch|import|families|validate|stats`. */
export const dataCommand: RegisterCommand = (program, io, done) => {
  const data = program
    .command("data")
    .description("Bring, check and measure data sets.")
    .addHelpText("after", "\nExample:\n  ritbench data fetch wixqa\n  ritbench data stats wixqa\n");
  for (const add of [addDataFetch, addDataImport, addDataFamilies, addDataValidate, addDataStats])
    add(data, io, done);
};
