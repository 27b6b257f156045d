import { statSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { nearMiss, RitbenchError } from "../core/errors.ts";
import { entqabench } from "./entqabench/index.ts";
import { financebench } from "./financebench/index.ts";
import { own } from "./own/index.ts";
import { qasper } from "./qasper/index.ts";
import { wixqa } from "./wixqa/index.ts";

/** Every data set the program knows, one line each. */
export const datasets: Dataset[] = [financebench, qasper, wixqa, entqabench, own];

/** Folders that hold a data set under another name; each is a data set of its own in runs and tables. */
const otherNames: { readonly [folder: string]: string } = {
  "ibm-cloud-docs": "entqabench",
  "powershell-docs": "entqabench",
  "own-corpus": "own",
};

/**
 * The loader of a known name.
 *
 * @throws RitbenchError E_DATASET_UNKNOWN with the nearest name.
 */
export function findDataset(name: string): Dataset {
  const known = datasets.find((dataset) => dataset.name === (otherNames[name] ?? name));
  if (known !== undefined) return known;
  const near = nearMiss(
    name,
    datasets.map((dataset) => dataset.name),
  );
  throw new RitbenchError("E_DATASET_UNKNOWN", `no data set is called ${JSON.stringify(name)}`, {
    expected: datasets.map((dataset) => dataset.name).join(", "),
    ...(near === undefined ? {} : { next: `did you mean ${near}?` }),
  });
}

/** A data set as a run names it: which loader reads it, and from where. */
export interface NamedDataset {
  /** As given; the name in records and tables. */
  name: string;
  dataset: Dataset;
  folder: string;
}

/**
 * Finds the loader and the folder of a data set in a data folder. Known names come first, then the other
 * names above; any further folder there is one of the user's own (`ritbench data import --name X`).
 * A known name without a folder of its own falls back to the first other name of it that has one.
 *
 * @throws RitbenchError E_DATASET_UNKNOWN for a name that is neither known nor a folder there; E_DATA_MISSING
 * for a known one without folder
 */
export function resolveDatasetFolder(dataFolder: string, name: string): NamedDataset {
  const known = datasets.find((dataset) => dataset.name === (otherNames[name] ?? name));
  if (!isFolderName(name)) throw unknown(dataFolder, name);
  const folder = join(dataFolder, name);
  if (isFolder(folder)) return { name, dataset: known ?? own, folder };
  if (known === undefined) throw unknown(dataFolder, name);
  const stand = Object.keys(otherNames).find(
    (other) => otherNames[other] === name && isFolder(join(dataFolder, other)),
  );
  if (stand !== undefined) return { name, dataset: known, folder: join(dataFolder, stand) };
  throw new RitbenchError("E_DATA_MISSING", `the data set ${name} is not here`, {
    where: folder,
    next:
      known === own
        ? `ritbench data import <folder> --name ${name}`
        : `ritbench data fetch ${known.name}, or --data <folder that holds ${name}/>`,
  });
}

/** Whether a name is one plain folder name: no separator, no leading dot, nothing that leads elsewhere. */
export function isFolderName(name: string): boolean {
  return /^[\p{L}\p{N}_][\p{L}\p{N}_. -]*$/u.test(name);
}

function unknown(dataFolder: string, name: string): RitbenchError {
  const names = [...datasets.map((dataset) => dataset.name), ...Object.keys(otherNames)];
  const near = nearMiss(name, names);
  return new RitbenchError("E_DATASET_UNKNOWN", `no data set is called ${JSON.stringify(name)}`, {
    where: dataFolder,
    expected: `${names.join(", ")}, or the name of a folder there`,
    next:
      near === undefined
        ? "own documents become a data set with `ritbench data import <folder> --name X`"
        : `did you mean ${near}?`,
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
