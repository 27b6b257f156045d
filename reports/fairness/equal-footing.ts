import { RitbenchError } from "../../core/errors.ts";
import type { RunManifest } from "../../core/record.ts";

/** What all rows of a table have to share on a data set. */
export type FootingField = "corpus" | "chunks" | "retriever" | "generator";

/** One row of a table: a method with a model on a data set, from one run. */
export interface FootingRow {
  run: string;
  dataset: string;
  method: string;
  model: string;
}

/** A row that differs from the others of its data set, and in what. */
export interface FootingMark extends FootingRow {
  fields: readonly FootingField[];
}

export interface Footing {
  marks: readonly FootingMark[];
  /** One sentence for each row and field that differs, with both values. */
  differences: readonly string[];
  /** One sentence for each method with a declared exception. */
  exceptions: readonly string[];
}

type FootingManifest = Pick<RunManifest, "id" | "datasets" | "methods" | "models">;

interface FullRow extends FootingRow {
  ownChunking: string | undefined;
  values: { readonly [field in FootingField]: string };
}

const FIELDS: readonly FootingField[] = ["corpus", "chunks", "retriever", "generator"];
/** A method with its own chunks has an index of them, too. */
const EXCEPTED: ReadonlySet<FootingField> = new Set(["chunks", "retriever"]);

/**
 * Whether the rows of a table stand on equal footing: on each data set one corpus, one chunk table, one retriever,
 * and every generator used by every method. Measured against the value that most methods share, of equals the one
 * that comes first. The table may be of one run or of several.
 */
export function checkFooting(manifests: readonly FootingManifest[]): Footing {
  const rows = manifests.flatMap(rowsOf);
  const datasets = [...new Set(rows.map(({ dataset }) => dataset))];
  const found = datasets.flatMap((dataset) => {
    const members = rows.filter((row) => row.dataset === dataset);
    return FIELDS.flatMap((field) => differing(members, field));
  });
  const marks = rows.flatMap(({ run, dataset, method, model, ...row }): FootingMark[] => {
    const fields = found.filter((one) => sameRow(one.row, { run, dataset, method, model, ...row }));
    return fields.length === 0
      ? []
      : [{ run, dataset, method, model, fields: fields.map(({ field }) => field) }];
  });
  return { marks, differences: found.map(sentenceOf), exceptions: exceptionsOf(manifests) };
}

/**
 * Refuses a table whose rows differ (`--strict`).
 *
 * @throws RitbenchError E_UNEQUAL_FOOTING naming every row and field.
 */
export function requireEqualFooting({ differences }: Footing): void {
  if (differences.length === 0) return;
  throw new RitbenchError("E_UNEQUAL_FOOTING", "the rows of the table are not comparable", {
    expected: "one corpus, chunk table, retriever and generator for all rows of a data set",
    got: differences.join("; "),
    next: "run the methods together, or leave --strict out to have the rows marked",
  });
}

function rowsOf({ id, datasets, methods, models }: FootingManifest): FullRow[] {
  return datasets.flatMap((dataset) =>
    methods
      .filter(({ unfit }) => unfit[dataset.name] === undefined)
      .flatMap(({ name, ownChunking }) =>
        models.map((model) => ({
          run: id,
          dataset: dataset.name,
          method: name,
          model: model.id,
          ownChunking,
          values: {
            corpus: dataset.corpus,
            chunks: dataset.chunks,
            retriever: dataset.retriever,
            generator: `${model.id} ${model.fingerprint}`,
          },
        })),
      ),
  );
}

interface Difference {
  row: FullRow;
  field: FootingField;
  reference: string;
}

/** Rows of one data set whose value is not that of the others. */
function differing(all: readonly FullRow[], field: FootingField): Difference[] {
  const rows = all.filter(({ ownChunking }) => ownChunking === undefined || !EXCEPTED.has(field));
  const users = new Map<string, Set<string>>();
  for (const { values, method } of rows) {
    const known = users.get(values[field]) ?? new Set();
    users.set(values[field], known.add(method));
  }
  const ranked = [...users].sort((a, b) => b[1].size - a[1].size);
  const reference = ranked[0]?.[0];
  if (reference === undefined) return [];
  const methods = new Set(rows.map(({ method }) => method));
  // Several models in a table are fair as long as each of them served every method.
  const shared = new Set(
    field === "generator"
      ? ranked.filter(([, by]) => by.size === methods.size).map(([value]) => value)
      : [],
  ).add(reference);
  return rows
    .filter(({ values }) => !shared.has(values[field]))
    .map((row) => ({ row, field, reference }));
}

function sentenceOf({ row, field, reference }: Difference): string {
  const { method, dataset, run, values } = row;
  return `${method} on ${dataset} (run ${run}) has another ${field}: ${values[field]}, most rows ${reference}`;
}

function exceptionsOf(manifests: readonly FootingManifest[]): string[] {
  const sentences = manifests.flatMap(({ methods }) =>
    methods.flatMap(({ title, ownChunking }) =>
      ownChunking === undefined
        ? []
        : [`${title} cuts chunks of its own (${ownChunking}), as it is defined to.`],
    ),
  );
  return [...new Set(sentences)];
}

function sameRow(a: FootingRow, b: FootingRow): boolean {
  return a.run === b.run && a.dataset === b.dataset && a.method === b.method && a.model === b.model;
}
