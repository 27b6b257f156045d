import { RitbenchError } from "../../core/errors.ts";
import { canonicalJson, type Json } from "../../core/json.ts";
import type { RunManifest } from "../../core/record.ts";

/** One value that differs between a stored run and the command at hand; `null` text for an absent value. */
export interface ConfigDifference {
  path: string;
  stored: string;
  now: string;
}

/** Leaves at which two JSON values differ, in the order of their paths. */
export function diffJson(
  stored: Json | undefined,
  now: Json | undefined,
  path = "",
): ConfigDifference[] {
  if (isObject(stored) && isObject(now)) {
    const names = [...new Set([...Object.keys(stored), ...Object.keys(now)])].sort();
    return names.flatMap((name) =>
      diffJson(stored[name], now[name], path === "" ? name : `${path}.${name}`),
    );
  }
  const [before, after] = [text(stored), text(now)];
  return before === after ? [] : [{ path: path || "config", stored: before, now: after }];
}

/**
 * What keeps a command from continuing a stored run: config that changes answers, and fingerprints of the data sets,
 * methods and models that both name. Data sets, methods and models that only one names do not matter: they extend
 * the run.
 */
export function differences(stored: RunManifest, now: RunManifest): ConfigDifference[] {
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
  const fields = isObject(identityConfig) ? Object.entries(identityConfig) : [];
  const byName = fields.filter(([name, value]) => BY_NAME.includes(name) && isObject(value));
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
): ConfigDifference[] {
  return Object.keys(stored)
    .filter((name) => Object.hasOwn(now, name))
    .flatMap((name) => diffJson(stored[name], now[name], `${path}.${name}`));
}

/** The error for a command that would mix two experiments in one run folder. */
export function differsError(folder: string, found: readonly ConfigDifference[]): RitbenchError {
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

function text(value: Json | undefined): string {
  const full = value === undefined ? "(absent)" : canonicalJson(value);
  return full.length > 120 ? `${full.slice(0, 117)}...` : full;
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
