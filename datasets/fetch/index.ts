export { type FetchOptions, type FetchReport, fetchDataset } from "./fetch-dataset.ts";
export { type ImportOptions, type ImportReport, importFolder } from "./import-folder.ts";
