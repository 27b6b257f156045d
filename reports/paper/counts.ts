import type { StoredRun } from "../../core/run-folder/open-run.ts";
import type { Basis, ComparedCell } from "./compared.ts";
import type { PaperCell, PaperValues } from "./expected.ts";
import type { CorpusFacts } from "./protocol.ts";

/** Sizes of a chunk table on disk, in tokens of its tokenizer. */
export interface ChunkFacts {
  chunks: number;
  tokens: number;
  nodeTokensMean: number | null;
  nodeTokensMedian: number | null;
  nodeTokensP95: number | null;
}

/** What a finished build cost, priced at the paper's Haiku price. */
export interface BuildFacts {
  method: string;
  dataset: string;
  corpus: string;
  haikuUsd: number;
  offline: boolean;
  /** Its folder's name. */
  id: string;
}

/** What stands on disk beside runs, gathered by the caller. */
export interface Facts {
  corpora: ReadonlyMap<string, CorpusFacts>;
  /** By fingerprint. */
  chunks: ReadonlyMap<string, ChunkFacts>;
  builds: readonly BuildFacts[];
  /** Settings of the shipped models by the paper's key, such as `haiku`: `inputUsdPerMTok`, `temperature`. */
  models: { readonly [model: string]: { readonly [setting: string]: number | undefined } };
}

const OF_CORPUS: ReadonlySet<string> = new Set(["documents", "nodes", "maxDepth"]);
const OF_CHUNKS: ReadonlySet<string> = new Set([
  "chunks",
  "tokens",
  "nodeTokensMean",
  "nodeTokensMedian",
  "nodeTokensP95",
]);
/** The encoder whose tokenizer cuts the paper's chunks (A1). */
const ENCODER = "gte-modernbert-base";

/** Cells of Tables 5, 6, 7 and 9, which rest on files and not on answers; undefined for all others. */
export function countedCell(
  cell: PaperCell,
  facts: Facts,
  runs: readonly StoredRun[],
  { sizes }: PaperValues,
): ComparedCell | undefined {
  if (cell.table === 7) {
    const value = facts.models[cell.model ?? ""]?.[cell.measure];
    if (value === undefined) return none(cell);
    const departs = value === cell.paper ? [] : [`${value}, not ${cell.paper}`];
    const basis = departs.length === 0 ? "protocol" : "differs";
    return counted(cell, value, basis, "configs/models.yaml", departs);
  }
  if (cell.table === 9) return builtCell(cell, facts, sizes);
  if (cell.table !== 5 && cell.table !== 6) return undefined;
  const places = runs
    .flatMap(({ manifest }) =>
      manifest.datasets.map((dataset) => ({ ...dataset, run: manifest.id })),
    )
    .filter(({ name, corpus }) => name === cell.dataset && facts.corpora.has(corpus))
    .map((place) => ({ ...place, facts: facts.corpora.get(place.corpus)! }))
    .sort(
      (a, b) =>
        b.facts.documents - a.facts.documents ||
        Number(b.embedder.includes(ENCODER)) - Number(a.embedder.includes(ENCODER)) ||
        b.questions.total - a.questions.total ||
        (a.run < b.run ? -1 : 1),
    );
  const [place] = places;
  if (place === undefined) return none(cell);
  const value = countOf(cell.measure, place.facts, facts.chunks.get(place.chunks), place.questions);
  if (value === null || value === undefined) return none(cell);
  const documents = sizes[cell.dataset ?? ""]?.documents;
  const departs = [
    ...(documents === place.facts.documents
      ? []
      : [`${place.facts.documents} documents, not ${documents}`]),
    ...(OF_CHUNKS.has(cell.measure) && !place.embedder.includes(ENCODER)
      ? [`tokens of ${place.embedder}, not ${ENCODER}`]
      : []),
  ];
  return counted(cell, value, departs.length === 0 ? "protocol" : "differs", place.run, departs);
}

function countOf(
  measure: string,
  corpus: CorpusFacts,
  chunks: ChunkFacts | undefined,
  questions: { total: number },
): number | null | undefined {
  if (OF_CORPUS.has(measure)) return corpus[measure as keyof CorpusFacts];
  if (OF_CHUNKS.has(measure)) return chunks?.[measure as keyof ChunkFacts];
  return measure === "questions" ? questions.total : undefined;
}

function builtCell(cell: PaperCell, facts: Facts, sizes: PaperValues["sizes"]): ComparedCell {
  const own = facts.builds.filter(
    ({ method, dataset }) => method === cell.method && dataset === cell.dataset,
  );
  const documents = sizes[cell.dataset ?? ""]?.documents;
  const described = own
    .map((build) => {
      const size = facts.corpora.get(build.corpus)?.documents;
      const departs = [
        ...(build.offline ? ["built by an offline model"] : []),
        ...(size === documents ? [] : [`${size ?? "unknown"} documents, not ${documents}`]),
      ];
      return { build, departs };
    })
    .sort((a, b) => a.departs.length - b.departs.length || (a.build.id < b.build.id ? -1 : 1));
  const [best] = described;
  if (best === undefined) return none(cell);
  const basis = best.build.offline
    ? "stand-in"
    : best.departs.length === 0
      ? "protocol"
      : "differs";
  return counted(cell, best.build.haikuUsd, basis, best.build.id, best.departs);
}

function none(cell: PaperCell): ComparedCell {
  return { ...cell, deviations: [], inside: null };
}

function counted(
  cell: PaperCell,
  value: number,
  basis: Basis,
  source: string,
  departs: readonly string[],
): ComparedCell {
  const ours = { value, low: null, high: null, n: null, interval: "none" as const };
  return { ...cell, ours, basis, source, deviations: departs, inside: null };
}
