import type { Json } from "../../core/json.ts";
import { diffJson, isJsonObject } from "../../core/json-diff.ts";
import { verdictJudge } from "../leaderboard/summarise.ts";
import type { PaperCell, PaperValues } from "./expected.ts";
import { askedQuestions, type PaperGroup } from "./group.ts";
import { scorerOf } from "./measure.ts";

/** An experiment of `configs/paper/`, resolved. */
export interface PaperProtocol {
  /** `table-1-wixqa`. */
  name: string;
  config: Json;
  /** Fingerprints of its methods, as far as this version has them. */
  methods: { readonly [method: string]: string };
}

/** Sizes of a corpus on disk. */
export interface CorpusFacts {
  documents: number;
  nodes: number;
  maxDepth: number;
}

type Fields = { readonly [key: string]: Json | undefined };

/** Methods that neither see summaries nor have a build of their own. */
const PLAIN_METHODS: ReadonlySet<string> = new Set(["vanilla", "agentic-search", "interact-rag"]);

/**
 * In what a group of answers departs from the protocol of a cell, one short phrase each; none = measured as the paper
 * says. Only settings that can change the cell are compared.
 */
export function deviations(
  group: PaperGroup,
  cell: PaperCell,
  protocol: PaperProtocol,
  { sizes }: PaperValues,
  corpora: ReadonlyMap<string, CorpusFacts>,
): string[] {
  const stored = fieldsOf(group.run.manifest.config);
  const wanted = fieldsOf(protocol.config);
  const { method } = group;
  const built = !PLAIN_METHODS.has(method) || cell.dataset === "financebench";
  const settings = [
    "embeddings",
    "retrieval",
    ...(built ? ["metadata", "buildModel", "builds"] : []),
  ];
  return [
    ...settings.flatMap((name) => differing(stored[name], wanted[name], name)),
    ...optionDeviations(group, stored, wanted),
    ...parameterDeviations(group, cell, protocol, stored, wanted),
    ...differing(
      fieldsOf(stored.sampling)[group.model] ?? {},
      fieldsOf(wanted.sampling)[group.model] ?? {},
      "sampling",
    ),
    ...(judged(cell.measure) ? judgeDeviation(group, wanted.judge) : []),
    ...sizeDeviations(group, cell, sizes, corpora),
  ];
}

function judged(measure: string): boolean {
  const scorer = scorerOf(measure);
  return scorer === "g-e" || ["accuracy", "cases", "targetCorrect"].includes(measure);
}

function differing(stored: Json | undefined, wanted: Json | undefined, path: string): string[] {
  return diffJson(wanted, stored, path).map(
    (difference) => `${difference.path}: ${plain(difference.now)}, not ${plain(difference.stored)}`,
  );
}

function plain(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

/** What the loaders take where a config is silent, as far as it decides which questions and documents there are. */
const LOADER_DEFAULTS: { readonly [dataset: string]: Fields } = {
  wixqa: { split: "expert" },
  qasper: { split: "test" },
  financebench: { filings: "all" },
};

function optionDeviations({ dataset }: PaperGroup, stored: Fields, wanted: Fields): string[] {
  const defaults = LOADER_DEFAULTS[dataset.name] ?? {};
  const full = (config: Fields): Json => ({ ...defaults, ...optionsOf(config, dataset.name) });
  return differing(full(stored), full(wanted), "");
}

function optionsOf(config: Fields, dataset: string): Fields {
  const entries = Array.isArray(config.datasets) ? (config.datasets as readonly Json[]) : [];
  const entry = entries.find((one) => isJsonObject(one) && one.name === dataset);
  return isJsonObject(entry) ? fieldsOf(entry.options) : {};
}

function parameterDeviations(
  group: PaperGroup,
  cell: PaperCell,
  protocol: PaperProtocol,
  stored: Fields,
  wanted: Fields,
): string[] {
  const { method } = group;
  const made = group.run.manifest.methods.find(({ name }) => name === method)?.fingerprint;
  if (made !== undefined && made === protocol.methods[method]) return [];
  const own = withDepth(fieldsOf(fieldsOf(stored.parameters)[method]));
  const theirs = withDepth({
    ...fieldsOf(fieldsOf(wanted.parameters)[method]),
    ...(cell.nodes === undefined ? {} : { n: cell.nodes }),
  });
  const named = Object.keys(own).flatMap((name) =>
    differing(own[name], theirs[name] ?? own[name], `${method}.${name}`),
  );
  // A point of Figure 8 has its own n and so another fingerprint; its parameters decide.
  if (named.length > 0 || cell.nodes !== undefined) return named;
  return [`${method} ${made ?? "unknown"}, not ${protocol.methods[method] ?? "in this version"}`];
}

/** k' spelt out where it follows from n (App. K). */
function withDepth(parameters: Fields): Fields {
  const { n, kPrime } = parameters;
  return typeof n === "number" && kPrime === undefined
    ? { ...parameters, kPrime: 4 * n }
    : parameters;
}

function judgeDeviation({ run }: PaperGroup, wanted: Json | undefined): string[] {
  const name = verdictJudge(run);
  const entry = run.manifest.judges.find((judge) => judge.name === name);
  const own = entry?.model ?? name ?? "none";
  return own === wanted ? [] : [`judge: ${own}, not ${String(wanted)}`];
}

function sizeDeviations(
  group: PaperGroup,
  cell: PaperCell,
  sizes: PaperValues["sizes"],
  corpora: ReadonlyMap<string, CorpusFacts>,
): string[] {
  const size = sizes[cell.dataset ?? ""];
  if (size === undefined) return [];
  const asked = askedQuestions(group);
  const questions = cell.questions ?? size.questions;
  const corpus = corpora.get(group.dataset.corpus);
  return [
    ...(asked === questions ? [] : [`${asked} questions, not ${questions}`]),
    ...(corpus === undefined
      ? ["the corpus is no longer in the home folder"]
      : corpus.documents === size.documents
        ? []
        : [`${corpus.documents} documents, not ${size.documents}`]),
  ];
}

function fieldsOf(value: Json | undefined): Fields {
  return isJsonObject(value) ? value : {};
}
