import { RitbenchError } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import { diffJson, isJsonObject, type JsonDifference } from "../../core/json-diff.ts";
import type { RunManifest } from "../../core/record.ts";

/**
 * What keeps a command from continuing a stored run: config that changes answers, and fingerprints of the data sets,
 * methods and models that both name. Data sets, methods and models that only one names do not matter: they extend
 * the run.
 */
export function differences(stored: RunManifest, now: RunManifest): JsonDifference[] {
  const [before, after] = [settings(stored), settings(now)];
  return [
    ...diffJson(before.rest, after.rest),
    ...before.byName.flatMap(([field, entries]) =>
      diffShared(field, entries, Object.fromEntries(after.byName)[field] ?? {}),
    ),
    ...diffShared("datasets", pins(stored.datasets, datasetPins), pins(now.datasets, datasetPins)),
    ...diffShared("methods", pins(stored.methods, methodPins), pins(now.methods, methodPins)),
    ...diffShared(
      "models",
      Object.fromEntries(stored.models.map((model) => [model.id, model.fingerprint])),
      Object.fromEntries(now.models.map((model) => [model.id, model.fingerprint])),
    ),
  ];
}

/** Parts of the identity that have an entry per data set, method or model: only names in both are compared. */
const BY_NAME: readonly string[] = ["options", "parameters", "sampling"];

function settings({ identityConfig }: RunManifest): {
  rest: Json;
  byName: [string, { readonly [name: string]: Json }][];
} {
  const fields = isJsonObject(identityConfig) ? Object.entries(identityConfig) : [];
  const byName = fields.filter(([name, value]) => BY_NAME.includes(name) && isJsonObject(value));
  const rest = fields.filter(([name]) => !BY_NAME.includes(name));
  return {
    rest: fields.length === 0 ? identityConfig : Object.fromEntries(rest),
    byName: byName as [string, { readonly [name: string]: Json }][],
  };
}

function datasetPins(dataset: RunManifest["datasets"][number]): Json {
  const { corpus, chunks, retriever, embedder, metadata, questions } = dataset;
  return { corpus, chunks, retriever, embedder, metadata, questions: questions.fingerprint };
}

function methodPins(method: RunManifest["methods"][number]): Json {
  return method.fingerprint;
}

function pins<T extends { name: string }>(
  entries: readonly T[],
  pin: (entry: T) => Json,
): { [name: string]: Json } {
  return Object.fromEntries(entries.map((entry) => [entry.name, pin(entry)]));
}

function diffShared(
  path: string,
  stored: { readonly [name: string]: Json },
  now: { readonly [name: string]: Json },
): JsonDifference[] {
  return Object.keys(stored)
    .filter((name) => Object.hasOwn(now, name))
    .flatMap((name) => diffJson(stored[name], now[name], `${path}.${name}`));
}

/** The error for a command that would mix two experiments in one run folder. */
export function differsError(folder: string, found: readonly JsonDifference[]): RitbenchError {
  const shown = found.slice(0, 8);
  const rest = found.length - shown.length;
  const fields = shown.map(({ path }) => path).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return new RitbenchError(
    "E_RUN_DIFFERS",
    `the stored run of this name was made with other settings: ${fields}`,
    {
      where: folder,
      expected: shown.map(({ path, stored }) => `${path} = ${stored}`).join("; "),
      got: shown.map(({ path, now }) => `${path} = ${now}`).join("; "),
      next: "set the values back to continue that run, or start another one with --new",
    },
  );
}
