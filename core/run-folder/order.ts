import type { RecordKey, RunManifest } from "../record.ts";

/** Order of records that does not depend on how a run went: data set, question, method, model, repeat. */
export function canonicalOrder(
  manifest: RunManifest,
  ordinalOf: (key: RecordKey) => number,
): (a: RecordKey, b: RecordKey) => number {
  const dataset = positions(manifest.datasets.map((entry) => entry.name));
  const method = positions(manifest.methods.map((entry) => entry.name));
  const model = positions(manifest.models.map((entry) => entry.id));
  return (a, b) =>
    dataset(a.dataset) - dataset(b.dataset) ||
    compareText(a.dataset, b.dataset) ||
    ordinalOf(a) - ordinalOf(b) ||
    compareText(a.questionId, b.questionId) ||
    method(a.method) - method(b.method) ||
    compareText(a.method, b.method) ||
    model(a.model) - model(b.model) ||
    compareText(a.model, b.model) ||
    a.repeat - b.repeat;
}

/** Position of a name in a list; names that are not in it come last. */
export function positions(names: readonly string[]): (name: string) => number {
  const index = new Map(names.map((name, position) => [name, position]));
  return (name) => index.get(name) ?? names.length;
}

/** Order by UTF-16 units, the same on every machine. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `financebench / rit-rag / offline:extractive / q7` for messages. */
export function describeKey(key: RecordKey): string {
  const repeat = key.repeat === 0 ? "" : ` / repeat ${key.repeat}`;
  return `${key.dataset} / ${key.method} / ${key.model} / ${key.questionId}${repeat}`;
}
