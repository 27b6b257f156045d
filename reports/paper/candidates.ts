import type { StoredRun } from "../../core/run-folder/open-run.ts";
import { type Candidate, type Candidates, STAND_IN } from "./compared.ts";
import type { Facts } from "./counts.ts";
import { type PaperValues, tablesOf } from "./expected.ts";
import { askedQuestions, groupNumbers, groupsOf, type PaperGroup } from "./group.ts";
import { deviations, type PaperProtocol } from "./protocol.ts";

/** Everything a comparison is made of: files that were read, nothing else. */
export interface PaperInput {
  values: PaperValues;
  runs: readonly StoredRun[];
  protocols: ReadonlyMap<string, PaperProtocol>;
  facts: Facts;
  /** Canonical id of a model named in a run. */
  canonicalModel(id: string): string;
  /** Runs of this model are shown in the place of every model of the paper, marked; they count as nothing. */
  standIn?: string;
}

/** Groups of all runs by what each departs in from the cell at hand. */
export function candidateFinder(input: PaperInput): Candidates {
  const { values, protocols, facts, standIn } = input;
  const groups = groupsOf(input.runs).map((group) => ({ group, numbers: groupNumbers(group) }));
  const tables = new Map(tablesOf(values).map((table) => [table.id, table]));
  return (cell) => {
    const wanted = values.names.models[cell.model ?? ""]?.id;
    const method = cell.method ?? "rit-rag";
    return groups
      .flatMap(({ group, numbers }): Candidate[] => {
        if (group.dataset.name !== cell.dataset || group.method !== method) return [];
        if (cell.nodes !== undefined && nodesKept(group) !== cell.nodes) return [];
        const own = input.canonicalModel(group.model) === wanted;
        if (!own && group.model !== standIn) return [];
        const protocol = tables
          .get(cell.table)
          ?.protocol.map((name) => protocols.get(name))
          .find((one) => one !== undefined && covers(one, cell.dataset!));
        if (protocol === undefined) return [];
        const departs = deviations(group, cell, protocol, values, facts.corpora);
        const marked = own ? departs : [`${STAND_IN} ${group.model}`, ...departs];
        return [{ group, numbers, deviations: marked }];
      })
      .sort(
        (a, b) =>
          a.deviations.length - b.deviations.length ||
          askedQuestions(b.group) - askedQuestions(a.group) ||
          (a.group.run.manifest.id < b.group.run.manifest.id ? -1 : 1),
      );
  };
}

/** Whether a protocol asks questions of a data set. */
export function covers({ config }: PaperProtocol, dataset: string): boolean {
  const { datasets } = config as { datasets: readonly (string | { name: string })[] };
  return datasets.some((entry) => (typeof entry === "string" ? entry : entry.name) === dataset);
}

/** n of a group of RIT-RAG; the method's default where its config names none. */
export function nodesKept({ run, method }: PaperGroup): number {
  const config = run.manifest.config as { parameters?: { [name: string]: { n?: number } } } | null;
  return config?.parameters?.[method]?.n ?? 50;
}
