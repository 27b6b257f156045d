import type { Question } from "../../core/question.ts";
import type { Judgement, RunRecord } from "../../core/record.ts";
import type { Trace, TraceEvent } from "../../core/trace.ts";
import { inputTokens } from "../../core/usage.ts";
import { dollars, integer, seconds } from "../table/format.ts";
import { plainText } from "../table/plain-text.ts";

export interface TraceTextInput {
  record: RunRecord;
  question: Question | undefined;
  /** Undefined when the file is absent or unreadable; said so. */
  trace: Trace | undefined;
  judgements: readonly Judgement[];
  /** Title of a node id, for what was shown and read. */
  titleOf(nodeId: string): string | undefined;
  /** Longest text shown of a message or a result, in characters. */
  maxCharacters: number;
}

/** One answered question as text for a terminal: question, every event in order, answer, verdicts. */
export function traceText(input: TraceTextInput): string {
  const { record, question, trace, judgements } = input;
  const lines = [
    `${record.dataset} / ${record.method} / ${record.model} / ${record.questionId}${record.repeat === 0 ? "" : ` / repeat ${record.repeat}`}`,
    "",
    `Question  ${plainText(question?.text ?? "(not stored with the run)")}`,
    ...(question?.goldAnswers ?? []).map((gold) => `Gold      ${plainText(gold)}`),
    "",
    ...(trace === undefined
      ? ["(the trace is missing or unreadable)"]
      : trace.events.flatMap((event) => eventLines(event, input))),
    "",
    `Answer    ${plainText(record.answer) || "(empty)"}`,
    `Outcome   ${record.outcome}${record.flags.length === 0 ? "" : ` (${record.flags.join(", ")})`}`,
    ...(record.error === undefined
      ? []
      : [`Error     ${record.error.code}: ${plainText(record.error.message)}`]),
    ...(record.sources.length === 0
      ? []
      : [`Sources   ${record.sources.map(plainText).join(", ")}`]),
    `Spent     ${record.modelCalls} model calls, ${integer(inputTokens(record.usage))} tokens in, ${integer(record.usage.outputTokens)} out, ${costText(record)}, ${record.usage.llmMs === null ? "no latency" : seconds(record.usage.llmMs)}`,
    ...judgements.map((judgement) => `Judge     ${judgement.judge}: ${judgementText(judgement)}`),
    "",
  ];
  return lines.join("\n");
}

function costText({ usage, costAtHaikuUsd }: RunRecord): string {
  const cost = usage.costUsd === null ? "cost unknown" : dollars(usage.costUsd);
  return costAtHaikuUsd === undefined
    ? cost
    : `${cost} (${dollars(costAtHaikuUsd)} at Haiku price, hypothetical)`;
}

function judgementText({ value, reply }: Judgement): string {
  const said = reply === undefined || reply === "" ? "" : ` – ${plainText(reply).slice(0, 200)}`;
  switch (value.kind) {
    case "verdict":
      return `${value.correct ? "correct" : "incorrect"}${said}`;
    case "score":
      return `${value.score.toFixed(3)}${said}`;
    case "scores":
      return Object.entries(value.scores)
        .map(([name, score]) => `${name} ${score === null ? "–" : score.toFixed(3)}`)
        .join(", ");
    case "unscored":
      return `unscored (${value.reason})${said}`;
  }
}

function eventLines(event: TraceEvent, input: TraceTextInput): string[] {
  const at = `${(event.atMs / 1000).toFixed(2).padStart(7)} s  `;
  const below = " ".repeat(at.length);
  const cut = (text: string): string => clip(plainText(text), input.maxCharacters);
  switch (event.type) {
    case "model_call": {
      const { usage } = event;
      const head = `${at}model ${event.task}: ${integer(inputTokens(usage))} tokens in, ${integer(usage.outputTokens)} out${usage.replayed ? ", replayed" : ""}${usage.llmMs === null ? "" : `, ${seconds(usage.llmMs)}`}`;
      return event.reply.trim() === "" ? [head] : [head, `${below}says  ${cut(event.reply)}`];
    }
    case "tool_call":
      return [
        `${at}tool  ${event.name}(${cut(JSON.stringify(event.arguments))})${event.refused === undefined ? "" : ` refused: ${event.refused}`}`,
        `${below}gives ${cut(event.result)}`,
      ];
    case "retrieved":
      return [`${at}found ${event.chunks.length} chunks (${event.mode}) for ${cut(event.query)}`];
    case "shown":
      return [
        `${at}shown ${event.nodes.length} nodes, ${event.selected.length} selected, ${integer(event.tokens)} tokens`,
      ];
    case "read":
      return event.items.map(
        ({ id, kind, tokens, spans }) =>
          `${at}read  ${kind} ${plainText(id)} (${integer(tokens)} tokens) ${cut(input.titleOf(spans[0]?.nodeId ?? "") ?? "")}`,
      );
    case "limit":
      return [`${at}limit ${event.limit}: ${event.detail}`];
    case "note":
      return [
        `${at}note  ${event.note}${event.detail === undefined ? "" : ` ${cut(JSON.stringify(event.detail))}`}`,
      ];
    case "error":
      return [`${at}error ${event.code}: ${cut(event.message)}`];
  }
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters)`;
}
