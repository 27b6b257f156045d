import type { Corpus } from "../../core/corpus/corpus.ts";
import { describeSource, type SourceReference } from "../../core/corpus/source.ts";
import type { Chunks } from "../../core/retriever.ts";
import type { ReadItem, TraceEvent } from "../../core/trace.ts";
import { inputTokens, type Usage } from "../../core/usage.ts";
import { dollars, integer, seconds } from "../table/format.ts";
import { plainText } from "../table/plain-text.ts";

/** Where titles and places of what was shown and read are looked up. */
export interface TracePlaces {
  corpus: Corpus;
  chunks: Pick<Chunks, "find" | "get">;
}

type Event<Type extends TraceEvent["type"]> = Extract<TraceEvent, { type: Type }>;

const LONGEST_TEXT = 200;

/**
 * What an event means to somebody who watches a question being answered: the sub-forest as indented titles with `*`
 * before the selected ones, what is read with its place, and what each call took. Texts themselves are left out.
 */
export function liveTraceLines(event: TraceEvent, places: TracePlaces): string[] {
  switch (event.type) {
    case "model_call":
      return modelLines(event);
    case "tool_call":
      return event.refused === undefined
        ? []
        : [`tool   ${event.name}(${argumentsOf(event.arguments)}) refused: ${event.refused}`];
    case "retrieved":
      return [`found  ${event.chunks.length} chunks (${event.mode}) for "${short(event.query)}"`];
    case "shown":
      return shownLines(event, places.corpus);
    case "read":
      return event.items.map((item) => readLine(item, places));
    case "limit":
      return [`limit  ${event.limit}: ${short(event.detail)}`];
    case "note":
      return [`note   ${short(event.note)}`];
    case "error":
      return [`error  ${event.code}: ${short(event.message)}`];
  }
}

function modelLines({ model, usage, toolCalls = [], task }: Event<"model_call">): string[] {
  const calls = toolCalls.map(({ name, arguments: given, invalid }) =>
    invalid === undefined
      ? `       -> ${plainText(name)}(${argumentsOf(given)})`
      : `       -> ${plainText(name)}(${short(invalid)}), not valid JSON`,
  );
  return [`model  ${plainText(model)}, ${task}: ${spentText(usage)}`, ...calls];
}

/** Tokens, time and money of calls: `1,204 tokens in, 88 out, 1.2 s, $0.00164`. */
export function spentText(usage: Usage): string {
  return [
    `${integer(inputTokens(usage))} tokens in, ${integer(usage.outputTokens)} out`,
    usage.llmMs === null ? "no latency (offline)" : seconds(usage.llmMs),
    usage.costUsd === null ? "cost unknown" : dollars(usage.costUsd),
    usage.replayed ? "replayed" : "",
  ]
    .filter((part) => part !== "")
    .join(", ");
}

function shownLines({ nodes, selected, tokens }: Event<"shown">, corpus: Corpus): string[] {
  const chosen = new Set(selected);
  const titles = nodes.map((id) => {
    const node = corpus.findNode(id);
    const indent = "  ".repeat(node === undefined ? 0 : corpus.depth(node));
    const title = node === undefined ? id : corpus.title(node);
    return `     ${chosen.has(id) ? "*" : " "} ${indent}${short(title)}`;
  });
  const facts = `${nodes.length} nodes, ${selected.length} selected (*), ${integer(tokens)} tokens`;
  return [`shown  ${facts}`, ...titles];
}

function readLine({ id, spans, tokens, page }: ReadItem, places: TracePlaces): string {
  const known = describeSource(places, id);
  const source =
    known.titlePath.length > 0 ? known : describeSource(places, spans[0]?.nodeId ?? id);
  const pages = page === undefined ? source.pages : ([page + 1, page + 1] as const);
  return `read   ${sourceText({ ...source, id, ...(pages === undefined ? {} : { pages }) })}, ${integer(tokens)} tokens`;
}

/** `Handbook > Care > Warranty (handbook.md_0004, p. 3)`; one line, safe for a terminal. */
export function sourceText({ id, titlePath, pages }: SourceReference): string {
  const place = [plainText(id), ...(pages === undefined ? [] : [pageText(pages)])].join(", ");
  return titlePath.length === 0
    ? `${place} (not in the corpus)`
    : `${titlePath.map(short).join(" > ")} (${place})`;
}

function pageText([first, last]: readonly [number, number]): string {
  return first === last ? `p. ${first}` : `pp. ${first}-${last}`;
}

function argumentsOf(given: unknown): string {
  return short(JSON.stringify(given));
}

function short(text: string): string {
  const plain = plainText(text);
  return plain.length <= LONGEST_TEXT ? plain : `${plain.slice(0, LONGEST_TEXT)}…`;
}
