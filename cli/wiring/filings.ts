import type { Config } from "../config/schema.ts";
import { datasetEntries } from "./resources.ts";

/** `--filings` is an option of the FinanceBench loader alone. */
export function applyFilings(config: Config, filings: string | undefined): Config {
  if (filings === undefined) return config;
  const datasets = datasetEntries(config).map((entry) =>
    entry.name === "financebench"
      ? { ...entry, options: { ...entry.options, filings } }
      : { ...entry },
  );
  return { ...config, datasets };
}
