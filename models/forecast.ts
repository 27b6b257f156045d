import type { ModelRequest } from "../core/model.ts";
import type { ModelCatalog, Price } from "./catalog.ts";
import { costOf } from "./price.ts";

/** Characters a token stands for in English prose and JSON; low, so that estimates err upwards. */
const charsPerToken = 3.5;
/** Reply length assumed where no limit is set. */
const assumedOutputTokens = 4_096;

/** Prompt tokens of a request, from its characters: quick and meant to err upwards, not a tokenizer's count. */
export function estimateInputTokens({
  messages,
  tools,
}: Pick<ModelRequest, "messages" | "tools">): number {
  let chars = 0;
  for (const message of messages) {
    chars += message.content.length + 16;
    if (message.role !== "assistant") continue;
    for (const call of message.toolCalls ?? []) chars += JSON.stringify(call.arguments).length + 32;
  }
  for (const tool of tools ?? []) {
    chars += tool.description.length + JSON.stringify(tool.parameters).length + 64;
  }
  return Math.ceil(chars / charsPerToken);
}

/** The most one call should cost: its prompt as estimated, its reply at full length, prompt caching at its dearest. */
export function worstCaseUsd(
  request: Pick<ModelRequest, "messages" | "tools" | "maxTokens">,
  price: Price,
): number {
  const input = estimateInputTokens(request);
  const output = request.maxTokens ?? assumedOutputTokens;
  const inputPrice = Math.max(price.inputUsdPerMTok, price.cached?.writeUsdPerMTok ?? 0);
  return (input * inputPrice + output * price.outputUsdPerMTok) / 1e6;
}

/** Calls of one kind that a dry run expects. */
export interface PlannedCalls {
  model: string;
  role: "answer" | "build" | "judge";
  calls: number;
  inputTokensPerCall: number;
  outputTokensPerCall: number;
}

export interface ForecastRow extends PlannedCalls {
  inputTokens: number;
  outputTokens: number;
  /** At the list price, nothing cached; null = unknown price. Offline models cost 0. */
  costUsd: number | null;
}

/** Tokens and money of planned calls, nothing sent. `offlinePrefixes` name the models that cost nothing. */
export function forecast(
  plan: readonly PlannedCalls[],
  catalog: ModelCatalog,
  offlinePrefixes: readonly string[] = ["offline", "scripted", "replay"],
): { rows: ForecastRow[]; costUsd: number | null } {
  const rows = plan.map((planned): ForecastRow => {
    const inputTokens = planned.calls * planned.inputTokensPerCall;
    const outputTokens = planned.calls * planned.outputTokensPerCall;
    const free = offlinePrefixes.includes(planned.model.split(":")[0]!);
    const { costUsd } = free
      ? { costUsd: 0 }
      : costOf(
          {
            uncachedInputTokens: inputTokens,
            cacheReadTokens: 0,
            cacheWriteTokens: 0,
            outputTokens,
            reasoningTokens: 0,
          },
          catalog.priceOf(planned.model),
        );
    return { ...planned, inputTokens, outputTokens, costUsd };
  });
  const costUsd = rows.reduce<number | null>(
    (sum, row) => (sum === null || row.costUsd === null ? null : sum + row.costUsd),
    0,
  );
  return { rows, costUsd };
}
