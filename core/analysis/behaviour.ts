import type { RunRecord } from "../record.ts";
import { aggregateRepeats } from "../statistics/repeats.ts";

/** Table 16: how a method works, as means per question (repeats averaged first). Null without questions. */
export interface Behaviour {
  dataset: string;
  method: string;
  model: string;
  questions: number;
  /** Records left out because they broke. */
  errors: number;
  callsTotal: number | null;
  /** Mean calls by tool. */
  callsByTool: { readonly [tool: string]: number };
  /** Distinct items whose text entered the context. */
  itemsRead: number | null;
  /** Items read / calls of the reading tool (ratio of means); null for methods without such calls. */
  itemsPerReadCall: number | null;
  modelCalls: number | null;
}

/** Tools that bring text into the context, by method family. */
const READ_TOOLS: ReadonlySet<string> = new Set([
  "get_content",
  "search_corpus",
  "interact_search",
  "get_page_content",
]);

type BehaviourRecord = Pick<
  RunRecord,
  "dataset" | "method" | "model" | "questionId" | "outcome" | "toolCalls" | "reads" | "modelCalls"
>;

/** A line per data set, method and model, in the order of first appearance. */
export function behaviourTable(records: Iterable<BehaviourRecord>): Behaviour[] {
  const groups = new Map<string, BehaviourRecord[]>();
  for (const record of records) {
    const key = JSON.stringify([record.dataset, record.method, record.model]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [thin(record)]);
    else group.push(thin(record));
  }
  return [...groups.values()].map(behaviourOf);
}

/** Without the spans, of which a large run has many. */
function thin(record: BehaviourRecord): BehaviourRecord {
  const { dataset, method, model, questionId, outcome, toolCalls, modelCalls, reads } = record;
  return {
    dataset,
    method,
    model,
    questionId,
    outcome,
    toolCalls,
    modelCalls,
    reads: new Array(reads.length),
  };
}

function behaviourOf(all: readonly BehaviourRecord[]): Behaviour {
  const { dataset, method, model } = all[0]!;
  const records = all.filter(({ outcome }) => outcome !== "error");
  const tools = [...new Set(records.flatMap(({ toolCalls }) => Object.keys(toolCalls)))].sort();
  const mean = (value: (record: BehaviourRecord) => number): number | null => {
    const means = aggregateRepeats(
      records.map((record) => ({ questionId: record.questionId, value: value(record) })),
    );
    return means.length === 0
      ? null
      : means.reduce((sum, row) => sum + row.mean!, 0) / means.length;
  };
  const callsByTool = Object.fromEntries(
    tools.map((tool) => [tool, mean(({ toolCalls }) => toolCalls[tool] ?? 0)!]),
  );
  const itemsRead = mean(({ reads }) => reads.length);
  const readCalls = tools
    .filter((tool) => READ_TOOLS.has(tool))
    .reduce((sum, tool) => sum + callsByTool[tool]!, 0);
  return {
    dataset,
    method,
    model,
    questions: new Set(records.map(({ questionId }) => questionId)).size,
    errors: all.length - records.length,
    callsTotal: mean(({ toolCalls }) =>
      Object.values(toolCalls).reduce((sum, count) => sum + count, 0),
    ),
    callsByTool,
    itemsRead,
    itemsPerReadCall: readCalls === 0 || itemsRead === null ? null : itemsRead / readCalls,
    modelCalls: mean((record) => record.modelCalls),
  };
}
